import Foundation

/// Day on which a band of a tariff begins.
public enum TariffDay: String, Codable, Sendable, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday
    /// A public holiday, whichever day of the week it is.
    case holiday
}

/// First minutes of a stay at a price of their own, for example 15 minutes free.
public struct TariffStep: Codable, Sendable, Hashable {
    /// Length, from 1 to 1,440.
    public var minutes: Int
    /// Price of the whole step once it has started, in minor units; 0 for free.
    public var price: Int

    public init(minutes: Int, price: Int) { (self.minutes, self.price) = (minutes, price) }
}

/// Price during some hours of the day, on some days.
public struct TariffBand: Codable, Sendable, Hashable {
    /// Name on the bill, for example `Night`; at most 60 characters. Without one, the hours are shown.
    public var name: String?
    /// Days on which the band begins. Defaults to all days of the week. A public holiday has the bands
    /// of `holiday`, from midnight to midnight, or else those of its day of the week. Not for events.
    public var days: [TariffDay]?
    /// Local time at which the band begins, for example `08:00`.
    public var from: String
    /// Local time at which the band ends, at the latest `24:00`. If it isn't after `from`, the band
    /// ends on the next day.
    public var until: String
    /// Price of each started unit, or of the whole band without `unitMinutes`, in minor units.
    public var price: Int
    /// Length of a unit in minutes, from 1 to 1,440; absent for one price for the whole band.
    public var unitMinutes: Int?
    /// Maximum for one stay and one band, for example a night, in minor units; absent for none.
    public var maximum: Int?

    public init(
        _ name: String? = nil, days: [TariffDay]? = nil, from: String = "00:00",
        until: String = "24:00", price: Int, unitMinutes: Int? = nil, maximum: Int? = nil
    ) {
        (self.name, self.days, self.from, self.until) = (name, days, from, until)
        (self.price, self.unitMinutes, self.maximum) = (price, unitMinutes, maximum)
    }
}

/// Days with prices of their own, from midnight to midnight, for example a festival.
public struct TariffEvent: Codable, Sendable, Hashable {
    /// At most 60 characters.
    public var name: String
    /// First local day, for example `2026-12-24`.
    public var from: String
    /// Last local day, inclusive.
    public var until: String
    /// First minutes of stays that begin during the event. Defaults to none.
    public var first: [TariffStep]?
    /// They go once around the clock without gaps.
    public var bands: [TariffBand]
    /// Maximum for each day, in minor units; absent for none.
    public var dailyMaximum: Int?

    public init(_ name: String, from: String, until: String, bands: [TariffBand]) {
        (self.name, self.from, self.until, self.bands) = (name, from, until, bands)
    }
}

/// Prices of stays without a booking for some classes of spaces.
public struct ParkingRates: Codable, Sendable, Hashable {
    /// Classes of spaces that the prices are for. Each class has at most one set of prices.
    public var classes: [SpaceClass]
    /// First minutes of a stay, at most 10 steps, one after the other. The bands begin after them.
    public var first: [TariffStep]?
    /// At most 50. On each day they follow one another without gaps, up to the first one of the next
    /// day.
    public var bands: [TariffBand]
    /// Maximum for each local day, in minor units; absent for none. A band that ends on the next day
    /// counts for the day on which it begins.
    public var dailyMaximum: Int?
    /// At most 100. The days of two events don't overlap.
    public var events: [TariffEvent]?

    public init(classes: [SpaceClass] = [.general], bands: [TariffBand]) {
        (self.classes, self.bands) = (classes, bands)
    }
}

/// A new tariff of a car park for stays without a booking.
public struct ParkingTariffBody: Codable, Sendable, Hashable {
    /// Without any, drivers pay the cheapest product by the started unit.
    public var rates: [ParkingRates]
    /// Minutes in which a driver has to leave after paying, at most 1,440. Defaults to 15.
    public var graceMinutes: Int?
    /// Price of a stay whose ticket is lost, in minor units; absent for none.
    public var lostTicketPrice: Int?

    public init(rates: [ParkingRates]) { self.rates = rates }
}

/// The tariff of a car park for stays without a booking. A stay keeps the version that applied when the
/// vehicle entered.
public struct ParkingTariff: Codable, Sendable, Hashable {
    public static let usualGraceMinutes = 15

    /// Increases with each change; 0 if there has never been a tariff. Also the `If-Match` of a change.
    public var version: Int
    /// Time from which the version applies; absent if there has never been a tariff.
    public var since: Date?
    /// Empty if the car park has no tariff: drivers then pay the cheapest product by the started unit.
    public var rates: [ParkingRates]
    /// Minutes in which a driver has to leave after paying.
    public var graceMinutes: Int
    /// Price of a stay whose ticket is lost, in minor units; absent for none.
    public var lostTicketPrice: Int?

    public init(_ body: ParkingTariffBody, version: Int, since: Date?) {
        (self.version, self.since, rates) = (version, since, body.rates)
        graceMinutes = body.graceMinutes ?? Self.usualGraceMinutes
        lostTicketPrice = body.lostTicketPrice
    }

    /// The prices of a class; nil if it has none.
    public func rates(of kind: SpaceClass) -> ParkingRates? {
        rates.first { $0.classes.contains(kind) }
    }
}

/// Stays whose prices to preview.
public struct TariffPreviewBody: Codable, Sendable {
    /// A stay without a booking.
    public struct Stay: Codable, Sendable, Hashable {
        public var from: Date
        /// At most 366 days after `from`.
        public var until: Date

        public init(from: Date, until: Date) { (self.from, self.until) = (from, until) }
    }

    /// The tariff to preview. Defaults to the current one.
    public var tariff: ParkingTariffBody?
    /// Defaults to `general`.
    public var kind: SpaceClass?
    /// At most 20.
    public var stays: [Stay]

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case tariff, stays
    }

    public init(_ tariff: ParkingTariffBody? = nil, of kind: SpaceClass? = nil, stays: [Stay]) {
        (self.tariff, self.kind, self.stays) = (tariff, kind, stays)
    }
}

/// A line of the price of a stay without a booking.
public struct TariffLine: Codable, Sendable, Hashable {
    /// The reason for a line. `first`: the first minutes. `band`: a time band of the day. `maximum`: the amount saved
    /// by the maximum of a time band. `dailyMaximum`: the amount saved by the daily maximum. `products`: the cheapest
    /// product, if there is no tariff.
    public enum Kind: String, Codable, Sendable, CaseIterable {
        /// The first minutes.
        case first
        /// A time band of the day.
        case band
        /// The amount saved by the maximum of a time band.
        case maximum
        /// The amount saved by the daily maximum.
        case dailyMaximum
        /// The cheapest product, if there is no tariff.
        case products
    }

    public var kind: Kind
    /// In the caller's language.
    public var text: String
    public var quantity: Int
    /// The unit of `quantity`, for example "hours"; absent if the text is clear without it.
    public var unit: String?
    /// Price of one unit; absent if the amount is not a multiple of one price.
    public var unitPrice: Money?
    /// Negative for what a maximum saves.
    public var amount: Money

    public init(
        _ kind: Kind, text: String, quantity: Int = 1, unit: String? = nil,
        unitPrice: Money? = nil, amount: Money
    ) {
        (self.kind, self.text, self.quantity) = (kind, text, quantity)
        (self.unit, self.unitPrice, self.amount) = (unit, unitPrice, amount)
    }
}

extension TariffLine.Kind: SchemaNamed {
    public static var schemaName: String { "TariffLineKind" }
}

extension TariffPreviewBody.Stay: SchemaNamed {
    public static var schemaName: String { "TariffPreviewStay" }
}

/// The price of a stay without a booking under a previewed tariff.
public struct TariffPreview: Codable, Sendable, Hashable {
    public var from: Date
    public var until: Date
    public var lines: [TariffLine]
    public var total: Money
    /// Price under the current tariff or, without one, the current products.
    public var current: Money

    public init(
        _ stay: TariffPreviewBody.Stay, lines: [TariffLine], total: Money, current: Money
    ) {
        (from, until) = (stay.from, stay.until)
        (self.lines, self.total, self.current) = (lines, total, current)
    }
}
