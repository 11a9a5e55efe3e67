import Contracts
import Foundation
import Maps
import Routing
import ServiceKit

/// The settings of carparks.
struct CarParksConfig: Config {
    static let service = ServiceManifest.carparks

    static let keys =
        [
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Address of the accounts service."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Address of the payments service."),
            ConfigKey("OPENVALET_PLATES_URL", "Address of the plates service."),
            ConfigKey(
                "OPENVALET_CARPARKS_HOLD_SECONDS", default: "600",
                "How long an unpaid booking keeps its space."),
            ConfigKey(
                "OPENVALET_CARPARKS_AHEAD_DAYS", default: "366",
                "How many days ahead a booking may begin."),
            ConfigKey(
                "OPENVALET_CARPARKS_FEED_URL", default: "",
                "Feed of live counts of free spaces, in ParkAPI's JSON; without it only our own counts."
            ),
            ConfigKey(
                "OPENVALET_CARPARKS_FEED_SECONDS", default: "60",
                "Seconds between two reads of the feed, 10 to 3600."),
        ] + SigningKeys.Settings.keys(service, "signs tickets") + MapsConfig.keys
        + RouterConfig.keys + BlobsConfig.keys

    let accountsURL, paymentsURL, platesURL: URL
    let limits: BookingLimits
    let signing: SigningKeys.Settings
    /// The maps from which car parks are imported.
    let maps: MapsConfig
    let router: RouterConfig
    /// The feed of live counts, and how often it is read; nil: none.
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
    /// How long an unpaid booking keeps its space.
    var hold: TimeInterval = 600
    /// How far ahead a booking may begin.
    var ahead: TimeInterval = 366 * 86_400
    /// How far in the past a start may be: a form takes time to fill in.
    static let late: TimeInterval = 300
    /// How long a payment that has begun keeps the space, beyond the hold if need be.
    static let paying: TimeInterval = 60
    /// How long before its start a booking opens the gate.
    static let early: TimeInterval = 15 * 60
    /// How long after its end a booking costs no overstay fee, and how long a driver may take to leave after paying.
    static let grace: TimeInterval = 15 * 60
    /// Most upcoming bookings of one person.
    static let mostCurrent = 50
}
