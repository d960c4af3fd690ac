internal import Foundation

/// Media types by the extensions of file names. The table is built in, so that the same file is sent as the same type on
/// every machine; a file that it does not know is `application/octet-stream`.
enum MIMEType {
    static let unknown = "application/octet-stream"

    static func ofFile(extension name: String) -> String { byExtension[name.lowercased()] ?? unknown }

    private static let byExtension: [String: String] = {
        let rows: [(String, String)] = [
            ("application/epub+zip", "epub"), ("application/gzip", "gz"), ("application/java-archive", "jar"),
            ("application/json", "json map"), ("application/ld+json", "jsonld"), ("application/msword", "doc dot"),
            ("application/pdf", "pdf"), ("application/pkix-cert", "cer"), ("application/rtf", "rtf"),
            ("application/sql", "sql"), ("application/vnd.ms-excel", "xls"), ("application/vnd.ms-powerpoint", "ppt"),
            ("application/vnd.oasis.opendocument.presentation", "odp"),
            ("application/vnd.oasis.opendocument.spreadsheet", "ods"),
            ("application/vnd.oasis.opendocument.text", "odt"),
            ("application/vnd.openxmlformats-officedocument.presentationml.presentation", "pptx"),
            ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"),
            ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"),
            ("application/vnd.rar", "rar"), ("application/wasm", "wasm"), ("application/x-7z-compressed", "7z"),
            ("application/x-bzip2", "bz2"), ("application/x-sh", "sh"), ("application/x-tar", "tar"),
            ("application/x-xz", "xz"), ("application/xhtml+xml", "xhtml"), ("application/yaml", "yaml yml"),
            ("application/zip", "zip"), ("application/zstd", "zst"), ("audio/aac", "aac"), ("audio/flac", "flac"),
            ("audio/midi", "mid midi"), ("audio/mp4", "m4a"), ("audio/mpeg", "mp3"), ("audio/ogg", "oga ogg opus"),
            ("audio/wav", "wav"), ("font/otf", "otf"), ("font/ttf", "ttf"), ("font/woff", "woff"),
            ("font/woff2", "woff2"), ("image/avif", "avif"), ("image/bmp", "bmp"), ("image/gif", "gif"),
            ("image/heic", "heic"), ("image/jpeg", "jpg jpeg jpe"), ("image/jxl", "jxl"), ("image/png", "png"),
            ("image/svg+xml", "svg svgz"), ("image/tiff", "tif tiff"), ("image/vnd.microsoft.icon", "ico"),
            ("image/webp", "webp"), ("text/calendar", "ics"), ("text/css", "css"), ("text/csv", "csv"),
            ("text/html", "html htm"), ("text/javascript", "js mjs"), ("text/markdown", "md markdown"),
            ("text/plain", "txt text log conf"), ("text/tab-separated-values", "tsv"), ("text/vcard", "vcf"),
            ("application/xml", "xml xsl"), ("video/mp2t", "ts"), ("video/mp4", "mp4 m4v"), ("video/mpeg", "mpg mpeg"),
            ("video/ogg", "ogv"), ("video/quicktime", "mov"), ("video/webm", "webm"), ("video/x-matroska", "mkv"),
            ("video/x-msvideo", "avi"),
        ]
        return rows.reduce(into: [:]) { types, row in
            for name in row.1.split(separator: " ") { types[String(name)] = row.0 }
        }
    }()
}
