import Contracts
import Routing
import ServiceKit

/// What location reads from its environment.
struct LocationConfig: Config {
    static let service = ServiceManifest.location

    static let keys: [ConfigKey] =
        [
            ConfigKey(
                "OPENVALET_LOCATION_ARRIVAL_METERS", default: "30",
                "How near to the meeting point a valet counts as arrived; twice as far, as gone."),
            ConfigKey(
                "OPENVALET_LOCATION_SILENCE_SECONDS", default: "60",
                "A valet who has been silent for longer is not offered; others see signal lost."),
            ConfigKey(
                "OPENVALET_LOCATION_OLDEST_SECONDS", default: "86400",
                "Points older than this are kept and marked, but not used."),
            ConfigKey(
                "OPENVALET_LOCATION_TRACK_POINTS", default: "360",
                "How many of a person's last points are kept; 360 are an hour at one each 10 s."),
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

/// The numbers by which positions are judged.
struct LocationRules: Sendable, Hashable {
    var arrivalMeters = 30.0
    var silenceSeconds = 60.0
    var oldestSeconds = 86_400.0
    var trackPoints = 360
    /// Clocks of phones are seldom farther ahead.
    var futureSeconds = 30.0
    /// Radius of a reading that still says in which street somebody is.
    var accuracyMeters = 100.0
    /// 250 km/h: nobody who parks cars is faster.
    var fastestMetersPerSecond = 70.0

    /// An arrived valet counts as gone beyond this: a trembling signal is no departure.
    var leavingMeters: Double { 2 * arrivalMeters }
    /// How long a customer's last position, and anybody's track, is remembered.
    static let rememberedSeconds = 86_400
}
