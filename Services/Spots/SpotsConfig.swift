import Contracts
import Foundation
import Routing
import ServiceKit

/// The settings of spots.
struct SpotsConfig: Config {
    static let service = ServiceManifest.spots

    static let keys =
        [
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Address of the accounts service."),
            ConfigKey("OPENVALET_LOCATION_URL", "Address of the location service."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Address of the payments service."),
            ConfigKey(
                "OPENVALET_SPOTS_ANSWER_SECONDS", default: "60",
                "How long a seller has to answer a request."),
        ] + RouterConfig.keys + MapsConfig.keys + BlobsConfig.keys

    let accountsURL, locationURL, paymentsURL: URL
    let limits: SpotLimits
    let router: RouterConfig
    let blobs: BlobsConfig

    init(_ values: ConfigValues) throws {
        accountsURL = try values.url("OPENVALET_ACCOUNTS_URL")
        locationURL = try values.url("OPENVALET_LOCATION_URL")
        paymentsURL = try values.url("OPENVALET_PAYMENTS_URL")
        router = try RouterConfig(values)
        blobs = try BlobsConfig(values)
        limits = SpotLimits(
            answer: TimeInterval(try values.int("OPENVALET_SPOTS_ANSWER_SECONDS", in: 5...600)))
    }
}

/// Times in seconds, distances in metres.
struct SpotLimits: Sendable {
    /// How long a seller has to answer a request.
    var answer: TimeInterval = 60
    /// How long holding the money may take, including confirmation by the card holder.
    static let authorising: TimeInterval = 300
    /// How long after the approval a buyer may cancel free of charge.
    static let free: TimeInterval = 60
    /// How far ahead a seller may offer to leave.
    static let ahead: TimeInterval = 12 * 3_600
    /// A bid this soon before the end prolongs the auction by as much.
    static let prolonging: TimeInterval = 30
    /// The buyer's driving time when the router gives none.
    static let usualDrive = 600
    /// How long after the expected arrival a hand-over without any report is decided.
    static let lapse: TimeInterval = 1_800
    /// Largest age and distance of a position that shows that a person is at the spot.
    static let presenceAge: TimeInterval = 60
    static let presenceMeters = 30.0
    /// The same for a buyer who reports the spot as taken; it can be seen from across the street.
    static let sightMeters = 50.0
    /// A buyer who is this close to the spot has arrived.
    static let arrivalMeters = 3.0
    /// A seller who is this far from the spot has left.
    static let leavingMeters = 30.0
    /// Size of the squares that hide the exact place of an offered spot.
    static let gridMeters = 50
    /// Most open requests of a spot.
    static let mostRequests = 20
}
