import Foundation

/// Valhalla, as far as `up` has to look after it.
enum RouterProgram {
    static let name = "valhalla_service"
    /// In the folder of the roads, as they were made; and in the router's own, as it is served.
    static let configFile = "valhalla.json"
    /// Questions that are answered at the same time.
    static let threads = 2

    /// Writes its settings into its folder, where its sockets are made too; their path.
    static func settings(roads: String, home: String, port: Int) throws -> String {
        try FileManager.default.createDirectory(
            atPath: home, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let made = try Data(contentsOf: URL(filePath: "\(roads)/\(configFile)"))
        guard var settings = try JSONSerialization.jsonObject(with: made) as? [String: Any] else {
            throw ToolError("\(roads)/\(configFile) can't be read.")
        }
        func set(_ path: String..., to value: Any?) {
            settings = Self.setting(path[...], of: settings, to: value)
        }
        set("mjolnir", "tile_dir", to: "\(roads)/tiles")
        // One search from a start to all ends: cars to hundreds of vendors in a third of the time of one from each.
        set("thor", "source_to_target_algorithm", to: "timedistancematrix")
        set("httpd", "service", "listen", to: "tcp://127.0.0.1:\(port)")
        for part in ["drain_seconds", "shutdown_seconds"] {
            set("httpd", "service", part, to: 1)
        }
        // Relative to where it works: a whole path may be too long for a socket.
        set("httpd", "service", "loopback", to: "ipc://loopback")
        set("httpd", "service", "interrupt", to: "ipc://interrupt")
        for part in ["loki", "thor", "odin"] {
            set(part, "service", "proxy", to: "ipc://\(part)")
        }
        // There are none of these, and each start would say so.
        for extract in ["tile_extract", "traffic_extract"] { set("mjolnir", extract, to: nil) }
        let file = "\(home)/\(configFile)"
        try JSONSerialization.data(withJSONObject: settings).write(to: URL(filePath: file))
        return file
    }

    private static func setting(
        _ path: ArraySlice<String>, of values: [String: Any], to value: Any?
    ) -> [String: Any] {
        guard let name = path.first else { return values }
        var values = values
        values[name] =
            path.count == 1
            ? value
            : setting(
                path.dropFirst(), of: values[name] as? [String: Any] ?? [:], to: value)
        return values
    }
}
