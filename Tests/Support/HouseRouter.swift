import Foundation

/// The router that a house runs, with the roads of its maps.
public enum HouseRouter {
    /// Where it answers; throws while the house with this data folder has started none.
    public static func address(in data: URL) throws -> String {
        struct Settings: Decodable {
            struct Server: Decodable { let service: Service }
            struct Service: Decodable { let listen: String }
            let httpd: Server
        }
        let file = data.appending(path: "router/valhalla.json")
        let settings = try JSONDecoder().decode(Settings.self, from: Data(contentsOf: file))
        return settings.httpd.service.listen.replacing("tcp://", with: "http://")
    }
}
