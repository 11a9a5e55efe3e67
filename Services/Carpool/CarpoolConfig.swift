import Contracts
import Foundation
import Routing
import ServiceKit

/// The settings of carpool.
struct CarpoolConfig: Config {
    static let service = ServiceManifest.carpool

    static let keys =
        [
            ConfigKey("OPENVALET_ACCOUNTS_URL", "Address of the accounts service."),
            ConfigKey("OPENVALET_PAYMENTS_URL", "Address of the payments service."),
            ConfigKey(
                "OPENVALET_CARPOOL_APP_URL", default: "http://localhost:8080",
                "Address of the app, to which journey planners link."),
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
    /// Longest trip, in straight lines from point to point.
    static let longestTrip = 1_000_000.0
    /// Shortest trip: nearer ends are the same place.
    static let shortestTrip = 200.0
    /// How many days ahead a first departure may be.
    static let daysAhead = 365
    /// Most open trips of one person.
    static let mostTrips = 100
    static let mostFavourites = 200
    static let mostExceptions = 200
    static let longestNote = 300
    /// Most open requests of one trip.
    static let mostRequests = 50
    /// How far passengers walk at each end: by default, and at most.
    static let usualWalk = 1_000.0
    static let mostWalk = 5_000.0
    /// A point this close to the route is on it.
    static let onTheWay = 50.0
    static let usualWindow: TimeInterval = 3 * 3_600
    static let longestWindow: TimeInterval = 7 * 86_400
    /// How many days ahead rides of recurring passengers are created.
    static let planned = 8
    /// Time to answer a request, at most until departure.
    static let answer: TimeInterval = 3 * 86_400
    /// A smaller change of a trip needs no new consent of its passengers.
    static let bearableMeters = 300.0
    static let bearableSeconds: TimeInterval = 900
    /// How long before the pick-up passengers see where the driver is.
    static let sharing: TimeInterval = 900
    /// How long before the departure a driver may start.
    static let early: TimeInterval = 3_600
    /// How long after its arrival a ride ends by itself.
    static let overdue: TimeInterval = 3_600
    /// How long a passenger has to disagree when the driver says that they didn't ride.
    static let disagreeing: TimeInterval = 3 * 86_400
    /// How long both sides have to confirm a ride; after that, what the driver or else the passenger said counts.
    static let confirming: TimeInterval = 7 * 86_400
    /// How long places where people went are kept.
    static let remembered: TimeInterval = 90 * 86_400
}
