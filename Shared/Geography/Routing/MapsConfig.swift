import ServiceKit

/// The folder of the platform's own maps; each service that reads them has this setting.
public struct MapsConfig: Sendable, Hashable {
    public static let keys = [
        ConfigKey(
            "OPENVALET_MAPS", default: "",
            "Folder of the maps made by openvalet map add; without it there are none.")
    ]

    /// Nil if there are no maps.
    public let folder: String?

    public init(folder: String?) { self.folder = folder }

    public init(_ values: ConfigValues) throws { folder = try values.optional("OPENVALET_MAPS") }
}
