import Contracts
import Routing
import ServiceKit

/// The settings of location.
struct LocationConfig: Config {
    static let service = ServiceManifest.location

    static let keys: [ConfigKey] =
        [
            ConfigKey(
                "OPENVALET_LOCATION_ARRIVAL_METERS", default: "30",
                "Distance from the meeting point at which a valet has arrived; at twice that, left."
            ),
            ConfigKey(
                "OPENVALET_LOCATION_SILENCE_SECONDS", default: "60",
                "After this long without a position a valet gets no jobs, and others see signal lost."
            ),
            ConfigKey(
                "OPENVALET_LOCATION_OLDEST_SECONDS", default: "86400",
                "Positions older than this are stored and marked, but not used."),
            ConfigKey(
                "OPENVALET_LOCATION_TRACK_POINTS", default: "360",
                "How many latest positions of a person are kept; 360 are an hour at one per 10 s."),
        ] + RouterConfig.keys + MapsConfig.keys

    let rules: LocationRules
    let router: RouterConfig

    init(rules: LocationRules, router: RouterConfig = .none) {
        self.rules = rules
        self.router = router
    }

    init(_ values: ConfigValues) throws {
        var rules = LocationRules()
        rules.arrivalMeters = try values.double("OPENVALET_LOCATION_ARRIVAL_METERS", in: 1...500)
        rules.silenceSeconds = try values.double(
            "OPENVALET_LOCATION_SILENCE_SECONDS", in: 1...3_600)
        rules.oldestSeconds = try values.double(
            "OPENVALET_LOCATION_OLDEST_SECONDS", in: 60...604_800)
        rules.trackPoints = try values.int("OPENVALET_LOCATION_TRACK_POINTS", in: 10...10_000)
        self.rules = rules
        router = try RouterConfig(values)
    }
}

/// Limits for judging positions.
struct LocationRules: Sendable, Hashable {
    var arrivalMeters = 30.0
    var silenceSeconds = 60.0
    var oldestSeconds = 86_400.0
    var trackPoints = 360
    /// How far in the future a position may be: the clocks of our machines are seldom farther apart.
    var futureSeconds = 30.0
    /// Largest radius of a position that still shows in which street somebody is.
    var accuracyMeters = 100.0
    /// 250 km/h: no valet is faster.
    var fastestMetersPerSecond = 70.0

    /// Distance beyond which an arrived valet has left: a jittery signal is not a departure.
    var leavingMeters: Double { 2 * arrivalMeters }
    /// How long a customer's last position and anybody's track are kept.
    static let rememberedSeconds = 86_400
}
