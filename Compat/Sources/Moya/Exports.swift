@_exported public import Alamofire
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import LinchpinProvider
