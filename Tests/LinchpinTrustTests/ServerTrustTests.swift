import LinchpinTrust
import Testing

@Suite struct ServerTrustTests {}
