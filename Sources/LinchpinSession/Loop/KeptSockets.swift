internal import CLibcurl
internal import CLinchpin
internal import Glibc

/// The sockets of kept TLS connections, to see which of them their servers have closed; lives on the loop's thread.
///
/// A server that closes an idle connection says so in TLS first. While nobody has read that alert, libcurl 7.88 takes
/// the connection for one that is alive, and the next request is lost on it.
struct KeptSockets {
    /// By OpenSSL's connection, which has its address for itself as long as libcurl keeps the connection.
    private var sockets: [UnsafeMutableRawPointer: Kept] = [:]

    private struct Kept {
        let socket: Int32
        /// Whether it speaks HTTP/2, where libcurl sees the end by itself.
        let isHTTP2: Bool
    }

    /// A connection is new: what was known of its address was about another one.
    mutating func forget(_ connection: UnsafeMutableRawPointer) { sockets[connection] = nil }

    /// Notes the socket of a connection over which a transfer on this handle has just ended, if it is kept.
    ///
    /// - Returns: the socket, the first time.
    mutating func remember(_ connection: UnsafeMutableRawPointer, of easy: EasyHandle) -> Int32? {
        guard sockets[connection] == nil else { return nil }
        var socket = curl_socket_t(-1)
        let code = clinchpin_easy_getinfo_socket(easy.pointer, CURLINFO_ACTIVESOCKET, &socket)
        guard code == CURLE_OK, socket >= 0 else { return nil }
        let isHTTP2 = easy.long(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
        sockets[connection] = Kept(socket: socket, isHTTP2: isHTTP2)
        return socket
    }

    /// Whether the other end of a kept connection sends nothing any more, so that no request can be answered on it.
    func isClosed(_ connection: UnsafeMutableRawPointer) -> Bool {
        guard let kept = sockets[connection], !kept.isHTTP2 else { return false }
        // Swift does not see poll(2)'s name for the flag; its number is that of epoll's.
        var entry = pollfd(fd: kept.socket, events: Int16(EPOLLRDHUP.rawValue), revents: 0)
        return poll(&entry, 1, 0) > 0
    }
}
