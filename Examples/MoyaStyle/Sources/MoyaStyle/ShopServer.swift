import LinchpinTesting

/// The shop, on this machine, with a self-signed certificate.
struct ShopServer {
    let identity: ServerIdentity
    let server: LocalTLSServer

    init() throws {
        identity = try LocalCertificateAuthority.selfSigned()
        server = try LocalTLSServer(identity: identity) { request in
            let isKnown = request.header("Authorization") == "Bearer t0ken"
            switch (request.method, request.target, isKnown) {
            case ("POST", "/api/login", _):
                let isRight = String(decoding: request.body, as: UTF8.self).contains("s3cret")
                return isRight
                    ? .json(#"{"code":200,"message":"welcome","data":{"token":"t0ken"}}"#)
                    : .json(#"{"code":401,"message":"no"}"#, status: 401)
            case ("GET", "/api/products?page=1", true):
                return .json(#"{"code":200,"message":"ok","data":["bolt","nut"]}"#)
            case ("POST", "/api/orders?notify=1", true):
                return .json(#"{"code":200,"message":"ok","data":"\#(request.body.count) bytes ordered"}"#)
            case ("POST", "/api/me/picture", true):
                return .json(#"{"code":200,"message":"ok","data":"picture kept"}"#)
            default: return .json(#"{"code":403,"message":"no"}"#, status: 403)
            }
        }
    }
}
