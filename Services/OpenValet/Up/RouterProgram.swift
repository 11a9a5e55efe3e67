import Foundation

/// The Valhalla router that `up` runs.
enum RouterProgram {
    static let name = "valhalla_service"
    /// Name of the settings file: as made with the roads in their folder, and as used in the router's folder.
    static let configFile = "valhalla.json"
    /// Number of requests answered at the same time.
    static let threads = 2

    /// Writes the settings to the router's folder, which also has its sockets; returns their path.
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
        // One search from a start to all ends takes a third of the time of one search per end, for hundreds of vendors.
        set("thor", "source_to_target_algorithm", to: "timedistancematrix")
        set("httpd", "service", "listen", to: "tcp://127.0.0.1:\(port)")
        for part in ["drain_seconds", "shutdown_seconds"] {
            set("httpd", "service", part, to: 1)
        }
        // Relative to the working folder: an absolute path may be too long for a socket.
        set("httpd", "service", "loopback", to: "ipc://loopback")
        set("httpd", "service", "interrupt", to: "ipc://interrupt")
        for part in ["loki", "thor", "odin"] {
            set(part, "service", "proxy", to: "ipc://\(part)")
        }
        // These files don't exist, and each start would log that.
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
