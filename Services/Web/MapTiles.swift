import Foundation
import ServiceKit

/// The source of map tile images: the only other server that browsers contact.
struct MapTiles: Sendable, Hashable {
    /// Leaflet's URL template with `{z}`, `{x}` and `{y}`; empty for a plain ground.
    let template: String
    /// Plain text shown on every map.
    let attribution: String
    /// The servers in the form of a Content-Security-Policy; nil without tiles.
    let origin: String?

    /// Takes an http or https URL with `{z}`, `{x}` and `{y}`, and optionally `{s}` as the first part
    /// of the server's name.
    init(_ template: String, attribution: String) throws {
        self.template = template
        self.attribution = template.isEmpty ? "" : attribution
        guard !template.isEmpty else {
            origin = nil
            return
        }
        // The rest of the URL may be anything that Leaflet replaces. The origin goes into a
        // header, so only a server's name and port are allowed.
        let pattern = /(https?):\/\/({s}\.)?([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)(:[0-9]{1,5})?\/\S*/
        guard let match = template.wholeMatch(of: pattern),
            ["{z}", "{x}", "{y}"].allSatisfy(template.contains)
        else {
            throw ConfigError(
                "OPENVALET_WEB_TILES is not an http or https address with {z}, {x} and {y}")
        }
        let server = (match.2 == nil ? "" : "*.") + String(match.3)
        origin = "\(match.1)://\(server)\(match.4.map(String.init) ?? "")"
    }
}
