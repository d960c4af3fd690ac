// Linchpin for RxSwift: copy this file into your target. Tried with RxSwift 6.10.2, in Swift 5 and Swift 6 mode.
//
// Every subscription sends a request of its own, and disposing of it cancels the request.

import Dispatch
import Foundation
import LinchpinProvider
import RxSwift

extension EndpointProvider: @retroactive ReactiveCompatible {}

extension Reactive {
    /// The response of the target.
    public func request<Target: TargetType>(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> Single<Response> where Base: EndpointProvider<Target> {
        Single.create { [base] single in
            // Rx lets an observer be called from any thread, one call at a time; there is one call.
            nonisolated(unsafe) let observer = single
            let token = base.request(target, callbackQueue: callbackQueue) { result in
                switch result {
                case .success(let response): observer(.success(response))
                case .failure(let error): observer(.failure(error))
                }
            }
            return Disposables.create { token.cancel() }
        }
    }

    /// How far the target's request has come; the last element has the response.
    public func requestWithProgress<Target: TargetType>(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> Observable<ProgressResponse> where Base: EndpointProvider<Target> {
        Observable.create { [base] subscriber in
            // Progress and end come one after the other where the queue is serial, as the provider's own is.
            nonisolated(unsafe) let observer = subscriber
            let token = base.request(
                target,
                callbackQueue: callbackQueue,
                progress: { progress in if !progress.completed { observer.onNext(progress) } },
                completion: { result in
                    switch result {
                    case .success(let response):
                        observer.onNext(ProgressResponse(response: response))
                        observer.onCompleted()
                    case .failure(let error): observer.onError(error)
                    }
                }
            )
            return Disposables.create { token.cancel() }
        }
    }
}

extension ObservableType where Element == Response {
    /// The responses whose status code is one of these; another one is an error.
    public func filter(statusCodes: some RangeExpression<Int>) -> Observable<Response> {
        map { try $0.filter(statusCodes: statusCodes) }
    }

    /// The responses with this status code; another one is an error.
    public func filter(statusCode: Int) -> Observable<Response> { map { try $0.filter(statusCode: statusCode) } }

    /// The responses with a status code from 200 to 299; another one is an error.
    public func filterSuccessfulStatusCodes() -> Observable<Response> {
        map { try $0.filterSuccessfulStatusCodes() }
    }

    /// The responses with a status code from 200 to 399; another one is an error.
    public func filterSuccessfulStatusAndRedirectCodes() -> Observable<Response> {
        map { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// The bodies as JSON.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Observable<Any> {
        map { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The bodies, or what is at the key path, as text.
    public func mapString(atKeyPath keyPath: String? = nil) -> Observable<String> {
        map { try $0.mapString(atKeyPath: keyPath) }
    }

    /// The values that the decoder makes of the bodies, or of what is at the key path.
    public func map<Value: Decodable>(
        _ type: Value.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) -> Observable<Value> {
        map { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }
}

extension PrimitiveSequence where Trait == SingleTrait, Element == Response {
    /// The response, if its status code is one of these.
    public func filter(statusCodes: some RangeExpression<Int>) -> Single<Response> {
        map { try $0.filter(statusCodes: statusCodes) }
    }

    /// The response, if its status code is this one.
    public func filter(statusCode: Int) -> Single<Response> { map { try $0.filter(statusCode: statusCode) } }

    /// The response, if its status code is from 200 to 299.
    public func filterSuccessfulStatusCodes() -> Single<Response> { map { try $0.filterSuccessfulStatusCodes() } }

    /// The response, if its status code is from 200 to 399.
    public func filterSuccessfulStatusAndRedirectCodes() -> Single<Response> {
        map { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// The body as JSON.
    public func mapJSON(failsOnEmptyData: Bool = true) -> Single<Any> {
        map { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// The body, or what is at the key path, as text.
    public func mapString(atKeyPath keyPath: String? = nil) -> Single<String> {
        map { try $0.mapString(atKeyPath: keyPath) }
    }

    /// The value that the decoder makes of the body, or of what is at the key path.
    public func map<Value: Decodable>(
        _ type: Value.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) -> Single<Value> {
        map { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }
}

extension ObservableType where Element == ProgressResponse {
    /// The response at the end.
    public func filterCompleted() -> Observable<Response> { compactMap(\.response) }

    /// How far the request has come, from 0 to 1, without the end.
    public func filterProgress() -> Observable<Double> { filter { !$0.completed }.map(\.progress) }
}
