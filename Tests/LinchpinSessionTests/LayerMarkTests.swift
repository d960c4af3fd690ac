import CLibcurl
import CLinchpin
import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Should our callbacks ever be lost, libcurl is left with what it got for anchors.
@Suite struct LayerMarkTests {
    enum Anchors: CaseIterable { case root, serverMark, proxyMark }

    @Test(arguments: Anchors.allCases)
    func `libcurl on its own trusts no server by a mark`(_ anchors: Anchors) async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let pem =
            switch anchors {
            case .root: world.root.certificate.pem
            case .serverMark: try LayerMark.server.pem()
            case .proxyMark: try LayerMark.proxy.pem()
            }
        let code = try await get("https://localhost:\(server.port)/", "# a tag\n\(pem)")
        #expect(code == (anchors == .root ? CURLE_OK : CURLE_PEER_FAILED_VERIFICATION))
        #expect(server.log.requests.count == (anchors == .root ? 1 : 0))
    }

    /// Does a GET on a thread of its own, with this for the anchors and no callback of ours.
    private func get(_ url: String, _ anchors: String) async throws -> CURLcode {
        let handle = try EasyHandle()
        try handle.set(CURLOPT_URL, url)
        try handle.set(CURLOPT_CAPATH, nil as String?)
        try handle.set(CURLOPT_CAINFO, nil as String?)
        try handle.set(CURLOPT_CAINFO_BLOB, borrowing: SharedBytes(anchors))
        try handle.set(CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
        let number = UInt(bitPattern: handle.pointer)
        let code = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: curl_easy_perform(UnsafeMutableRawPointer(bitPattern: number)))
            }
        }
        withExtendedLifetime(handle) {}
        return code
    }
}
