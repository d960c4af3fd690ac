internal import CLibcurl
internal import CLinchpin
internal import Foundation

extension Hop {
    /// libcurl wants bytes of the body.
    ///
    /// - Returns: what CURLOPT_READFUNCTION(3) wants.
    func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        lastActivity = clock.now
        guard let body else { return 0 }
        guard !isSuspended else { return pauseSending() }
        do throws(BodyError) {
            switch try body.read(into: buffer) {
            case .end:
                hasBodyEnded = true
                answerAwaited()
                return 0
            case .later: return pauseSending()
            case .bytes(let count):
                sentBytes += Int64(count)
                exchange.owner.uploadReporter.report(sentBytes, of: body.length)
                if sentBytes == body.length { answerAwaited() }
                return count
            }
        } catch {
            failure = .sessionTaskFailed(error: error.transportError)
            return Int(CURL_READFUNC_ABORT)
        }
    }

    private func pauseSending() -> Int {
        isSendingPaused = true
        return Int(CURL_READFUNC_PAUSE)
    }

    /// - Returns: whether the body can be sent again.
    func rewindBody() -> Bool {
        sentBytes = 0
        hasBodyEnded = false
        do throws(BodyError) {
            try body?.rewind()
            return true
        } catch {
            failure = .sessionTaskFailed(error: error.transportError)
            return false
        }
    }

    /// One line of a head or a trailer has come.
    ///
    /// - Returns: whether the transfer may go on.
    func takeHeadLine(_ line: UnsafeRawBufferPointer) -> Bool {
        lastActivity = clock.now
        headLines += 1
        hasAnswered = true
        guard headLines <= Self.mostHeadLines else {
            fail(.badServerResponse, "the response's head has more than \(Self.mostHeadLines) lines")
            return false
        }
        guard isWithinLimits(headLineOf: line.count) else { return false }
        if line.first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
            isHeadComplete = false
            isHeadOpen = true
            mayBeEncoded = false
        } else if !isHeadComplete, line.first == 0x0D || line.first == 0x0A {
            isHeadComplete = true
            isHeadOpen = false
            return headCompleted()
        } else if line.count > 8, line[8] | 0x20 == UInt8(ascii: "e") {
            // As in `Content-Encoding`, which libcurl is then asked for.
            mayBeEncoded = true
        }
        return true
    }

    /// A head is complete: an interim one's, a redirect's or the final one's.
    ///
    /// - Returns: whether the transfer may go on.
    func headCompleted() -> Bool {
        let status = easy.long(CURLINFO_RESPONSE_CODE)
        isChallenged = false
        // For good, libcurl keeps a mark that its own `Expect` is not to be sent.
        if status == 417 { easy.mark(.thrownAway) }
        // After it libcurl takes everything for the body of a response.
        guard status != 101 else {
            fail(.badServerResponse, "the server changes to another protocol, for which nobody has asked")
            return false
        }
        guard status >= 200 else {
            hasAnswered = false
            answerAwaited()
            return true
        }
        guard hasOneLength() else { return false }
        if exchange.followsRedirects, Redirect.isRedirect(status: status), easy.hasHeader("Location") {
            redirectBody = Data()
            return true
        }
        redirectBody = nil
        isChallenged = status == 401 && exchange.credential != nil
        return isChallenged || beginSink()
    }

    /// Bytes of a response's body.
    ///
    /// - Returns: what CURLOPT_WRITEFUNCTION(3) wants.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastActivity = clock.now
        if let collected = redirectBody?.count {
            guard collected + bytes.count <= Self.mostRedirectBytes else {
                fail(.badServerResponse, "the redirect's body has more than \(Self.mostRedirectBytes) bytes")
                return 0
            }
            redirectBody?.append(contentsOf: bytes)
            return bytes.count
        }
        guard !isSuspended else { return pauseReceiving() }
        guard isWithinLimits(receiving: bytes.count) else { return 0 }
        // The body of a challenge that libcurl answers does not come here.
        guard beginSinkAfterChallenge() else { return 0 }
        do throws(SessionError) {
            guard try exchange.sink?.receive(bytes) == true else { return pauseReceiving() }
        } catch {
            failure = error
            return 0
        }
        if receivedBytes == 0 { announcedBytes = announcedLength() }
        receivedBytes += Int64(bytes.count)
        exchange.owner.downloadReporter.report(receivedBytes, of: announcedBytes)
        return bytes.count
    }

    /// The body of a redirect that names no target is the response's.
    func deliver(redirectBody body: Data) {
        redirectBody = nil
        guard isWithinLimits(receiving: body.count), beginSink() else { return }
        do throws(SessionError) {
            try exchange.sink?.receive(all: body)
        } catch {
            failure = error
        }
    }

    private func pauseReceiving() -> Int {
        isReceivingPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
    }

    /// Shows the sink the final head.
    ///
    /// - Returns: whether the transfer may go on.
    func beginSink() -> Bool {
        guard !hasBegunSink else { return true }
        hasBegunSink = true
        do throws(SessionError) {
            try exchange.sink?.begin { responseHead() }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Shows the sink a challenge that is not answered, and so is the response.
    ///
    /// - Returns: whether the transfer may go on.
    @discardableResult
    func beginSinkAfterChallenge() -> Bool {
        guard isChallenged else { return true }
        isChallenged = false
        return beginSink()
    }

    /// How many bytes the body will have; nil where it is not said, or they are encoded.
    private func announcedLength() -> Int64? {
        guard !mayBeEncoded || !easy.hasHeader("Content-Encoding"),
            let length = easy.size(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
        else {
            return nil
        }
        return length >= 0 ? length : nil
    }

    /// Whether nothing moves because the caller wants it so.
    var isPaused: Bool { isSuspended || isReceivingPaused || isSendingPaused }

    /// Lets the transfer go on as far as the caller lets it.
    func updatePause(isSuspended: Bool) {
        self.isSuspended = isSuspended
        lastActivity = clock.now
        if isSuspended {
            curl_easy_pause(easy.pointer, CURLPAUSE_ALL)
        } else {
            isReceivingPaused = false
            isSendingPaused = false
            // What was turned away comes again, inside this call.
            curl_easy_pause(easy.pointer, CURLPAUSE_CONT)
        }
    }

    /// Ends the transfer, from a callback that then refuses.
    func fail(_ code: TransportError.Code, _ message: String) {
        failure = .sessionTaskFailed(error: TransportError(code: code, curlCode: nil, message: message))
    }

    /// A redirect's body is read only to keep the connection.
    private static let mostRedirectBytes = 1_048_576
}
