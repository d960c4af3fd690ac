@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import LinchpinSession
@_exported public import LinchpinTrust
