import Contracts
import Foundation
import ServiceKit

/// The company that runs this platform, as shown to its customers.
struct Company: Codable, Sendable, Equatable {
    var name: String
    var text: String?
    var email: String?
    var phone: String?
    var link: URL?

    /// Throws `ConfigError` for an invalid company, or a link that no browser should follow.
    init(setting: String) throws {
        guard let company = try? Wire.decode(Self.self, from: Data(setting.utf8)),
            !company.name.isEmpty,
            company.link.map({ ["http", "https"].contains($0.scheme) }) ?? true
        else {
            throw ConfigError("OPENVALET_WEB_COMPANY needs a name, and a link of http or https")
        }
        self = company
    }
}
