import Contracts
import Foundation
import Maps
import Routing
import ServiceKit

/// Every key that car parks reads.
struct CarParksConfig: Config {
    static let service = ServiceManifest.carparks

    static let keys =
        [
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Where the accounts service is."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Where the payments service is."),
            ConfigKey("OPENVALET_PLATES_URL", "Where the plates service is."),
            ConfigKey(
                "OPENVALET_CARPARKS_HOLD_SECONDS", default: "600",
                "So long a space is kept for a booking that is not paid."),
            ConfigKey(
                "OPENVALET_CARPARKS_AHEAD_DAYS", default: "366",
                "How far ahead a booking may begin."),
            ConfigKey(
                "OPENVALET_CARPARKS_FEED_URL", default: "",
                "Where live spaces are to be had, as JSON of ParkAPI's shape; without it there are none but our own."
            ),
            ConfigKey(
                "OPENVALET_CARPARKS_FEED_SECONDS", default: "60",
                "How often it is asked, 10 to 3600."),
        ] + SigningKeys.Settings.keys(service, "signs tickets") + MapsConfig.keys
        + RouterConfig.keys + BlobsConfig.keys

    let accountsURL, paymentsURL, platesURL: URL
    let limits: BookingLimits
    let signing: SigningKeys.Settings
    /// The maps whose car parks are imported.
    let maps: MapsConfig
    let router: RouterConfig
    /// Where live spaces are to be had, and how often they are asked for; nil: nowhere.
    let feed: (url: URL, every: Duration)?
    let blobs: BlobsConfig

    init(_ values: ConfigValues) throws {
        accountsURL = try values.url("OPENVALET_ACCOUNTS_URL")
        paymentsURL = try values.url("OPENVALET_PAYMENTS_URL")
        platesURL = try values.url("OPENVALET_PLATES_URL")
        signing = try SigningKeys.Settings(Self.service, values)
        maps = try MapsConfig(values)
        router = try RouterConfig(values)
        let pause = Duration.seconds(
            try values.int("OPENVALET_CARPARKS_FEED_SECONDS", in: 10...3_600))
        feed = try values.optional("OPENVALET_CARPARKS_FEED_URL").map { _ in
            (try values.url("OPENVALET_CARPARKS_FEED_URL"), pause)
        }
        blobs = try BlobsConfig(values)
        limits = BookingLimits(
            hold: TimeInterval(try values.int("OPENVALET_CARPARKS_HOLD_SECONDS", in: 30...86_400)),
            ahead: 86_400
                * TimeInterval(try values.int("OPENVALET_CARPARKS_AHEAD_DAYS", in: 1...1_500)))
    }
}

/// Times of bookings, in seconds.
struct BookingLimits: Sendable {
    /// How long a space is kept for who has not paid.
    var hold: TimeInterval = 600
    /// How far ahead a booking may begin.
    var ahead: TimeInterval = 366 * 86_400
    /// A start may lie so far back: a form takes time to fill in.
    static let late: TimeInterval = 300
    /// How long a payment that has begun keeps the space, beyond the hold if need be.
    static let paying: TimeInterval = 60
    /// How long before its start a booking opens the gate.
    static let early: TimeInterval = 15 * 60
    /// How long after its end nobody pays for being late, and after paying a stay one may take to drive out.
    static let grace: TimeInterval = 15 * 60
    /// Bookings to come of one person.
    static let mostCurrent = 50
}
