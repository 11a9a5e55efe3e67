import Contracts
import Foundation
import Routing
import ServiceKit

/// Every key that spots reads.
struct SpotsConfig: Config {
    static let service = ServiceManifest.spots

    static let keys =
        [
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Where the accounts service is."),
            ConfigKey("OPENVALET_LOCATION_URL", "Where the location service is."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Where the payments service is."),
            ConfigKey(
                "OPENVALET_SPOTS_ANSWER_SECONDS", default: "60",
                "So long a seller may think about a request."),
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
    /// How long a seller may think about a request.
    var answer: TimeInterval = 60
    /// How long a card may take to say yes, with the further steps of its holder.
    static let authorising: TimeInterval = 300
    /// How long after the approval a buyer may give it up for nothing.
    static let free: TimeInterval = 60
    /// How far ahead one may leave.
    static let ahead: TimeInterval = 12 * 3_600
    /// A bid this soon before the end prolongs the auction by as much.
    static let prolonging: TimeInterval = 30
    /// When nobody can say how long the buyer drives.
    static let usualDrive = 600
    /// So long after the buyer was to be there somebody has to have said something.
    static let lapse: TimeInterval = 1_800
    /// A position of one who stands there is at most so old, and so far away.
    static let presenceAge: TimeInterval = 60
    static let presenceMeters = 30.0
    /// The same of who says that it is taken: it may be seen from across the street.
    static let sightMeters = 50.0
    /// A buyer who is this close to the spot has arrived.
    static let arrivalMeters = 3.0
    /// A seller who is this far from the spot has left.
    static let leavingMeters = 30.0
    /// The grid on which others see a spot.
    static let gridMeters = 50
    /// Requests of a spot that are not over.
    static let mostRequests = 20
}
