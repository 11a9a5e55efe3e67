import ServiceKit

/// Where the house's own maps lie; the same key in each service that reads them.
public struct MapsConfig: Sendable, Hashable {
    public static let keys = [
        ConfigKey(
            "OPENVALET_MAPS", default: "",
            "Folder of the maps that openvalet map add has made; without it there are none.")
    ]

    /// Nil: no maps.
    public let folder: String?

    public init(folder: String?) { self.folder = folder }

    public init(_ values: ConfigValues) throws { folder = try values.optional("OPENVALET_MAPS") }
}
