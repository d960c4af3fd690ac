extension SessionError {
    /// Why a ``ParameterEncoder`` failed.
    public enum ParameterEncoderFailureReason: Sendable {
        /// What a request must have for its parameters to be put into it.
        public enum RequiredComponent: Sendable {
            /// A URL.
            case url
            /// A method; it has this one.
            case httpMethod(rawValue: String?)
        }

        /// The request lacks something.
        case missingRequiredComponent(RequiredComponent)
        /// The encoder refused the value.
        case encoderFailed(error: any Error)
    }
}

extension SessionError.ParameterEncoderFailureReason: CustomStringConvertible {
    /// What is missing, or what the encoder says.
    public var description: String {
        switch self {
        case .missingRequiredComponent(.url): "the request has no URL"
        case .missingRequiredComponent(.httpMethod(let method)):
            "the request has no usable method" + (method.map { ", but \"\($0)\"" } ?? "")
        case .encoderFailed(let error): "\(error)"
        }
    }
}
