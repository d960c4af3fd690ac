public import Foundation
public import FoundationNetworking

extension EndpointProvider {
    /// The endpoint of `URL(target:)` with the target's method, task and headers; a stub answers 200 with the target's
    /// sample data.
    @Sendable
    public static func defaultEndpointMapping(for target: Target) -> Endpoint {
        Endpoint(
            url: URL(target: target).absoluteString,
            sampleResponseClosure: { .networkResponse(200, target.sampleData) },
            method: target.method,
            task: target.task,
            httpHeaderFields: target.headers
        )
    }

    /// The endpoint's request, or the ``ProviderError`` that it throws.
    public static func defaultRequestMapping(for endpoint: Endpoint, closure: RequestResultClosure) {
        do {
            closure(.success(try endpoint.urlRequest()))
        } catch let error as ProviderError {
            closure(.failure(error))
        } catch {
            closure(.failure(.underlying(error, nil)))
        }
    }

    /// Stubs nothing.
    @Sendable
    public static func neverStub(_: Target) -> StubBehavior { .never }

    /// Stubs every target at once.
    @Sendable
    public static func immediatelyStub(_: Target) -> StubBehavior { .immediate }

    /// Stubs every target after so many seconds.
    public static func delayedStub(_ seconds: TimeInterval) -> StubClosure { { _ in .delayed(seconds: seconds) } }
}
