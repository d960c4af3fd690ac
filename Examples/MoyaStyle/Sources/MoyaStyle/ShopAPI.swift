import Moya

/// The shop's API, as it is written for Moya.
enum ShopAPI {
    case login(name: String, password: String)
    case products(page: Int)
    case picture(Data)
    /// A module of its own.
    case orders(OrderAPI)
}

enum OrderAPI {
    case add(product: Int)
}

extension ShopAPI: TargetType, AccessTokenAuthorizable {
    static var root = URL(fileURLWithPath: "/")

    var baseURL: URL { ShopAPI.root.appendingPathComponent("/api/") }

    var path: String {
        switch self {
        case .login: return "login"
        case .products: return "products"
        case .picture: return "me/picture"
        case .orders(let order): return order.path
        }
    }

    var method: Moya.Method {
        switch self {
        case .products: return .get
        default: return .post
        }
    }

    var task: Task {
        switch self {
        case .login(let name, let password):
            return .requestParameters(parameters: ["name": name, "password": password], encoding: JSONEncoding.default)
        case .products(let page):
            return .requestParameters(parameters: ["page": page], encoding: URLEncoding.default)
        case .picture(let data):
            let part = MultipartFormBodyPart(provider: .data(data), name: "picture", fileName: "me.png")
            return .uploadMultipartFormData([part])
        case .orders(let order): return order.task
        }
    }

    var sampleData: Data { Data(#"{"code":200,"message":"a sample"}"#.utf8) }

    var headers: [String: String]? { ["X-Client": "example"] }

    var authorizationType: AuthorizationType? {
        switch self {
        case .login: return nil
        default: return .bearer
        }
    }
}

extension OrderAPI {
    var path: String { "orders" }

    var task: Task {
        switch self {
        case .add(let product):
            return .requestCompositeParameters(
                bodyParameters: ["product": product],
                bodyEncoding: URLEncoding.httpBody,
                urlParameters: ["notify": true]
            )
        }
    }
}
