public import Foundation
public import LinchpinSession

/// Any target, for a provider of several APIs: `provider.request(MultiTarget(Library.book(id: 1)))`.
public enum MultiTarget: TargetType {
    /// The target.
    case target(any TargetType)

    /// Wraps a target.
    public init(_ target: any TargetType) { self = .target(target) }

    /// The target itself.
    public var target: any TargetType {
        switch self {
        case .target(let target): target
        }
    }

    /// The target's.
    public var baseURL: URL { target.baseURL }
    /// The target's.
    public var path: String { target.path }
    /// The target's.
    public var method: HTTPMethod { target.method }
    /// The target's.
    public var sampleData: Data { target.sampleData }
    /// The target's.
    public var task: RequestTask { target.task }
    /// The target's.
    public var validationType: ValidationType { target.validationType }
    /// The target's.
    public var headers: [String: String]? { target.headers }
}

extension MultiTarget: AccessTokenAuthorizable {
    /// The target's; nil when it is not authorised by a token.
    public var authorizationType: AuthorizationType? {
        (target as? any AccessTokenAuthorizable)?.authorizationType
    }
}

extension TargetType {
    /// The target that is wrapped, or this one.
    var unwrapped: any TargetType { (self as? MultiTarget)?.target.unwrapped ?? self }
}
