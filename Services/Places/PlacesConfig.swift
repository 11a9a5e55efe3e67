import Contracts
import Routing
import ServiceKit

/// What places reads from its environment.
struct PlacesConfig: Config {
    static let service = ServiceManifest.places

    static let keys = RouterConfig.keys + GeocoderConfig.keys + MapsConfig.keys

    let router: RouterConfig
    let geocoder: GeocoderConfig
    let maps: MapsConfig

    init(
        router: RouterConfig = .none, geocoder: GeocoderConfig = .none,
        maps: MapsConfig = .init(folder: nil)
    ) {
        (self.router, self.geocoder, self.maps) = (router, geocoder, maps)
    }

    init(_ values: ConfigValues) throws {
        router = try RouterConfig(values)
        geocoder = try GeocoderConfig(values)
        maps = try MapsConfig(values)
    }
}
