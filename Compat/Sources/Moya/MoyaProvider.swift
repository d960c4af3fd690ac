/// Sends the requests of an API: `EndpointProvider` under Moya's name.
///
/// It is a class of its own, since an extension of a type alias cannot speak of itself as `MoyaProvider`.
open class MoyaProvider<Target: TargetType>: EndpointProvider<Target>, MoyaProviderType {
    /// A session with Alamofire's fields that starts no request by itself; the provider starts them.
    public final class func defaultAlamofireSession() -> Session {
        Session(configuration: .af.default, startRequestsImmediately: false)
    }
}

// Nothing is added to what the base class has.
extension MoyaProvider: @unchecked Sendable {}
