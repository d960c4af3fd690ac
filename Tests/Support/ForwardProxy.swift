internal import Foundation
internal import Glibc

/// A proxy of another make, as a child process on a port of 127.0.0.1.
package final class ForwardProxy: Sendable {
    /// Which program it is, and what it asks of its users.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// tinyproxy: HTTP, for anybody.
        case tinyproxy
        /// tinyproxy: HTTP with Basic credentials (RFC 7617).
        case tinyproxyBasic
        /// squid: HTTP with Digest credentials (RFC 7616).
        case squidDigest
        /// danted: SOCKS 5, for anybody; it resolves no name but `localhost`'s.
        case dante
        /// microsocks: SOCKS 5 with credentials (RFC 1929).
        case microsocks

        /// Whether it wants ``ForwardProxy/user`` and ``ForwardProxy/password``.
        package var asksForCredentials: Bool { self != .tinyproxy && self != .dante }
        /// Whether it speaks SOCKS 5, else HTTP.
        package var isSOCKS: Bool { self == .dante || self == .microsocks }
    }

    /// Who may use it.
    package static let user = "ann"
    /// That user's password.
    package static let password = "open-sesame"

    package let port: Int
    private let process: ChildProcess

    /// A proxy that did not start; what it wrote says why.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts a proxy and returns when it takes connections.
    package static func start(_ kind: Kind) async throws -> ForwardProxy {
        var failure = Failure(description: "it was not tried")
        // None of them takes a socket over, so somebody else may get the port first.
        for _ in 0..<5 {
            let proxy = try ForwardProxy(kind, port: ListeningSocket().port)
            let isDecided = try await eventually(within: 20) { proxy.isUp || proxy.process.ending != nil }
            if isDecided, proxy.process.ending == nil { return proxy }
            failure = Failure(description: "\(kind) did not start:\n\(proxy.process.output)")
        }
        throw failure
    }

    /// Stops it. Does nothing the second time.
    package func stop() { process.terminate() }

    /// What it has written.
    package var output: String { process.output }

    private init(_ kind: Kind, port: Int) throws {
        self.port = port
        let directory = try TemporaryDirectory()
        switch kind {
        case .tinyproxy, .tinyproxyBasic:
            let login = kind == .tinyproxyBasic ? "BasicAuth \(Self.user) \(Self.password)\n" : ""
            let text = "Listen 127.0.0.1\nPort \(port)\nTimeout 60\nMaxClients 50\n\(login)"
            process = try ChildProcess(
                "tinyproxy",
                ["-d", "-c", directory.write(text, to: "tinyproxy.conf")],
                in: directory
            )
        case .squidDigest:
            let text = try Self.squidConfiguration(port: port, directory)
            process = try ChildProcess(
                "squid",
                // Named, since instances of one name share their memory.
                ["-N", "-d", "1", "-n", "linchpin\(port)", "-f", directory.write(text, to: "squid.conf")],
                in: directory
            )
        case .dante:
            let text = Self.danteConfiguration(port: port)
            process = try ChildProcess("danted", ["-f", directory.write(text, to: "danted.conf")], in: directory)
        case .microsocks:
            process = try ChildProcess(
                "microsocks",
                ["-i", "127.0.0.1", "-p", "\(port)", "-u", Self.user, "-P", Self.password],
                in: directory
            )
        }
    }

    private static func squidConfiguration(port: Int, _ directory: TemporaryDirectory) throws -> String {
        let users = try directory.write("\(user):\(password)\n", to: "users")
        // Started by root, squid and its helper run as a user who has to get there.
        if geteuid() == 0 {
            chmod(directory.path, 0o711)
            chmod(users, 0o644)
        }
        return """
            http_port 127.0.0.1:\(port)
            auth_param digest program /usr/lib/squid/digest_file_auth \(users)
            auth_param digest children 1
            auth_param digest realm tests
            acl known proxy_auth REQUIRED
            http_access allow known
            http_access deny all
            cache deny all
            cache_log /dev/null
            access_log none
            cache_store_log none
            pid_filename none
            coredump_dir /
            shutdown_lifetime 0 seconds
            pinger_enable off
            netdb_filename none
            max_filedescriptors 1024
            \(geteuid() == 0 ? "cache_effective_user proxy" : "")
            """
    }

    private static func danteConfiguration(port: Int) -> String {
        """
        logoutput: stderr
        internal: 127.0.0.1 port = \(port)
        external: 127.0.0.1
        clientmethod: none
        socksmethod: none
        client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }
        socks pass { from: 127.0.0.0/8 to: 127.0.0.0/8 }
        socks pass { from: 127.0.0.0/8 to: localhost }
        socks block { from: 0.0.0.0/0 to: 0.0.0.0/0 }
        """
    }

    private var isUp: Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafeBytes(of: &address) { bytes in
            guard let name = bytes.bindMemory(to: sockaddr.self).baseAddress else { return false }
            return connect(descriptor, name, socklen_t(bytes.count)) == 0
        }
    }
}
