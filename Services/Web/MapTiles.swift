import Foundation
import ServiceKit

/// Where the maps' tiles come from: the only thing that a browser asks of anybody but us.
struct MapTiles: Sendable, Hashable {
    /// As Leaflet wants it, with `{z}`, `{x}` and `{y}`; empty when maps have a plain ground.
    let template: String
    /// Plain text that stands on every map.
    let attribution: String
    /// The servers as a Content-Security-Policy names them; nil without tiles.
    let origin: String?

    /// An http or https address with `{z}`, `{x}` and `{y}`, and if need be `{s}` as the first part
    /// of the server's name.
    init(_ template: String, attribution: String) throws {
        self.template = template
        self.attribution = template.isEmpty ? "" : attribution
        guard !template.isEmpty else {
            origin = nil
            return
        }
        // The rest of the address may be anything that Leaflet replaces; the origin goes into a
        // header, so nothing but a server's name and port gets through.
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
