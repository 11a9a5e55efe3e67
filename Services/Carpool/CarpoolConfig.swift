import Contracts
import Foundation
import Routing
import ServiceKit

/// Every key that carpool reads.
struct CarpoolConfig: Config {
    static let service = ServiceManifest.carpool

    static let keys =
        [
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Where the accounts service is."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Where the payments service is."),
            ConfigKey(
                "OPENVALET_CARPOOL_APP_URL", default: "http://localhost:8080",
                "Where people open the app, as journey planners are told."),
        ] + RouterConfig.keys + MapsConfig.keys

    let accountsURL, paymentsURL, appURL: URL
    let router: RouterConfig
    let maps: MapsConfig

    init(_ values: ConfigValues) throws {
        accountsURL = try values.url("OPENVALET_ACCOUNTS_URL")
        paymentsURL = try values.url("OPENVALET_PAYMENTS_URL")
        appURL = try values.url("OPENVALET_CARPOOL_APP_URL")
        router = try RouterConfig(values)
        maps = try MapsConfig(values)
    }
}

/// Times in seconds, distances in metres.
enum CarpoolLimits {
    static let seats = 1...7
    static let mostVia = 8
    static let mostDetourSeconds = 1_800
    /// Of a trip, in a straight line from point to point.
    static let longestTrip = 1_000_000.0
    /// Ends that are nearer are the same place.
    static let shortestTrip = 200.0
    /// How far ahead a first departure may be, in days.
    static let daysAhead = 365
    /// Open trips of one person.
    static let mostTrips = 100
    static let mostFavourites = 200
    static let mostExceptions = 200
    static let longestNote = 300
    /// Requests of one trip that are not over.
    static let mostRequests = 50
    /// How far passengers walk at each end: when nobody says, and at most.
    static let usualWalk = 1_000.0
    static let mostWalk = 5_000.0
    /// A point so near to the way is on it.
    static let onTheWay = 50.0
    static let usualWindow: TimeInterval = 3 * 3_600
    static let longestWindow: TimeInterval = 7 * 86_400
    /// So many days ahead the rides of who rides along every day are made.
    static let planned = 8
    /// Time to answer a request, at most until departure.
    static let answer: TimeInterval = 3 * 86_400
    /// A change by less breaks nobody's part.
    static let bearableMeters = 300.0
    static let bearableSeconds: TimeInterval = 900
    /// So long before their pick-up passengers see where the driver is.
    static let sharing: TimeInterval = 900
    /// So long before the departure a driver may start.
    static let early: TimeInterval = 3_600
    /// A ride that nobody ends is over so long after its arrival.
    static let overdue: TimeInterval = 3_600
    /// A driver's no counts unless the passenger disagrees within this.
    static let disagreeing: TimeInterval = 3 * 86_400
    /// What nobody has confirmed by then is as if it had not been.
    static let confirming: TimeInterval = 7 * 86_400
    /// After it, where people went is forgotten.
    static let remembered: TimeInterval = 90 * 86_400
}
