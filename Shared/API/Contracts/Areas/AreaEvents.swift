import Foundation

extension Topic {
    public static let areas: Topic = "areas"
}

/// A service area was seeded or edited; `feature.properties.tariff` is the current tariff.
public struct ServiceAreaChanged: StateEvent {
    public static let type = "areas.service-area-changed.v1"
    public static let topic = Topic.areas
    public var area: ServiceAreaID
    public var feature: ServiceAreaFeature
    /// Grows by one with each change of the area or its tariff.
    public var version: Int
    public var key: String { area.description }
    public var marks: [StateMark] { [StateMark(.areas, area, version: version)] }

    public init(area: ServiceAreaID, feature: ServiceAreaFeature, version: Int) {
        self.area = area
        self.feature = feature
        self.version = version
    }
}
