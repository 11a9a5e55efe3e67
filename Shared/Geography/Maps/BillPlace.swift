import Contracts
import Geo

extension Bill.Facts {
    /// Sets where something is paid for: the country at the position, whose taxes apply, and the time zone there,
    /// unless the product knows it (IANA name).
    public mutating func locate(at position: Coordinate, zone: String? = nil) {
        let found = TimeZones.zone(at: position)
        (timeZone, country) = (zone ?? found?.name, found?.country)
    }
}
