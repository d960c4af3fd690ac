import Foundation
import FoundationNetworking
import LinchpinProvider
import LinchpinSession

/// Leaves a trace of every step.
struct TraceablePlugin: PluginType {
    let name: String
    let trace: Recorder<String>

    func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
        trace.record("prepare \(name)")
        var request = request
        let before = request.value(forHTTPHeaderField: "X-Trail") ?? ""
        request.setValue(before + name, forHTTPHeaderField: "X-Trail")
        return request
    }

    func willSend(_ request: any RequestType, target: any TargetType) {
        trace.record("willSend \(name) \(request.request?.value(forHTTPHeaderField: "X-Trail") ?? "")")
    }

    func didReceive(_ result: Result<Response, ProviderError>, target: any TargetType) {
        trace.record("didReceive \(name) \(result.summary)")
    }

    func process(
        _ result: Result<Response, ProviderError>,
        target: any TargetType
    ) -> Result<Response, ProviderError> {
        trace.record("process \(name) \(result.summary)")
        return result.map { Response(statusCode: $0.statusCode, data: $0.data + Data(name.utf8)) }
    }
}

extension Result<Response, ProviderError> {
    /// The status and the body, or what kind of failure it is.
    var summary: String {
        switch self {
        case .success(let response): "\(response.statusCode) \(String(decoding: response.data, as: UTF8.self))"
        case .failure(.underlying(ProviderError.statusCode(let inner), let outer?)):
            "refused \(inner.statusCode) \(outer.statusCode)"
        case .failure(let error) where error.sessionError?.isExplicitlyCancelledError == true: "cancelled"
        case .failure(.underlying(_, nil)): "failed"
        case .failure(.requestMapping): "requestMapping"
        case .failure(let error): "\(error)"
        }
    }

    var isCancelled: Bool { summary == "cancelled" }
}
