@_exported import LinchpinProvider
@_exported import LinchpinSession
@_exported import LinchpinTrust
