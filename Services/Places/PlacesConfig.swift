import Contracts
import Foundation
import Routing
import ServiceKit

/// The settings of places.
struct PlacesConfig: Config {
    static let service = ServiceManifest.places

    static let keys =
        [
            ConfigKey(
                "OPENVALET_PLACES_REALTIME_URL", default: "",
                "GTFS Realtime feed (TripUpdates) of the first map's timetable; without it no delays."
            )
        ] + RouterConfig.keys + GeocoderConfig.keys + MapsConfig.keys

    let router: RouterConfig
    let geocoder: GeocoderConfig
    let maps: MapsConfig
    /// Nil: no delays.
    let realtime: URL?

    init(
        router: RouterConfig = .none, geocoder: GeocoderConfig = .none,
        maps: MapsConfig = .init(folder: nil), realtime: URL? = nil
    ) {
        (self.router, self.geocoder, self.maps) = (router, geocoder, maps)
        self.realtime = realtime
    }

    init(_ values: ConfigValues) throws {
        router = try RouterConfig(values)
        geocoder = try GeocoderConfig(values)
        maps = try MapsConfig(values)
        realtime = try values.optional("OPENVALET_PLACES_REALTIME_URL").map { _ in
            try values.url("OPENVALET_PLACES_REALTIME_URL")
        }
    }
}
