extension MultipartFormData {
    /// Where a part's bytes are.
    public typealias FormDataProvider = MultipartFormBodyPart.FormDataProvider
}

extension RequestTask {
    /// A form of parts; Moya's older name.
    @available(*, deprecated, renamed: "uploadMultipartFormData")
    public static func uploadMultipart(_ parts: [MultipartFormBodyPart]) -> RequestTask {
        .uploadMultipartFormData(MultipartFormData(parts: parts))
    }

    /// A form of parts, and parameters in the query; Moya's older name.
    @available(*, deprecated, renamed: "uploadCompositeMultipartFormData")
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormBodyPart],
        urlParameters: Parameters
    ) -> RequestTask {
        .uploadCompositeMultipartFormData(MultipartFormData(parts: parts), urlParameters: urlParameters)
    }
}
