import Foundation
import FoundationNetworking

/// A client as it was written for URLSession. It knows nothing of Linchpin.
struct WeatherClient {
    struct Report: Codable {
        let city: String
        let degrees: Int
    }

    let server: URL
    let urlSession: URLSession

    func report(for city: String) async throws -> Report {
        let (data, _) = try await urlSession.data(from: server.appendingPathComponent("weather/\(city)"))
        return try JSONDecoder().decode(Report.self, from: data)
    }

    func send(_ report: Report, token: String) async throws -> Int {
        var request = URLRequest(url: server.appendingPathComponent("weather"))
        request.httpMethod = "POST"
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        let (_, response) = try await urlSession.upload(for: request, from: JSONEncoder().encode(report))
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }
}
