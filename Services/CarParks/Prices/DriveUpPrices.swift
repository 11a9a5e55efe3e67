import Contracts
import Foundation
import ServiceKit

extension SessionStore {
    /// The price of a drive-up: by the tariff or, without one, the started units of the cheapest product of the class,
    /// or nothing without one. Without a tariff, the first minutes are free, and so are those after paying.
    func driveUpLines(
        of record: SessionRecord, in carPark: CarParkRecord, until time: Date
    ) throws -> [StayLine] {
        if let lines = try tariffLines(of: record, in: carPark, until: time) { return lines }
        let since = record.paidAt ?? record.session.enteredAt
        guard time.timeIntervalSince(since) > BookingLimits.grace else {
            return [StayLine(kind: StayLine.driveUp, amount: record.paid)]
        }
        let amount = try productsPrice(
            of: record.kind, in: carPark, from: record.session.enteredAt, until: time)
        return [StayLine(kind: StayLine.driveUp, amount: max(record.paid, amount))]
    }

    /// The lines of a drive-up by the tariff that applied when the vehicle entered; nil without one for its class.
    /// After paying, the driver has the tariff's grace to leave.
    func tariffLines(
        of record: SessionRecord, in carPark: CarParkRecord, until time: Date
    ) throws -> [StayLine]? {
        let entered = record.session.enteredAt
        guard let tariff = try transaction.tariffs.tariff(of: carPark.id, at: entered),
            let rates = tariff.rates(of: record.kind)
        else { return nil }
        if let paidAt = record.paidAt, time.timeIntervalSince(paidAt) <= tariff.grace {
            return [StayLine(kind: StayLine.driveUp, amount: record.paid)]
        }
        let lines = TariffPricing(rates: rates, days: carPark.days)
            .charges(from: entered, until: time).map { $0.stayLine(in: record.currency) }
        let total = lines.reduce(0) { $0 + $1.amount }
        guard total >= record.paid, total <= Money.largestAmount / 2 else {
            return [
                StayLine(
                    kind: StayLine.driveUp,
                    amount: max(record.paid, min(total, Money.largestAmount / 2)))
            ]
        }
        return lines
    }

    /// How long a driver may take to leave after paying, in seconds.
    func grace(of record: SessionRecord) throws -> TimeInterval {
        let session = record.session
        return record.grace(
            by: try transaction.tariffs.tariff(of: session.carPark, at: session.enteredAt))
    }

    /// How long the exit opens for the plate after an operator has ended the stay, in seconds.
    func graceAfterEnd(of record: SessionRecord) throws -> TimeInterval {
        max(BookingLimits.grace, try grace(of: record))
    }

    /// The price of a drive-up without a tariff: the started units of the cheapest product of the class; nothing
    /// without one.
    func productsPrice(
        of kind: SpaceClass, in carPark: CarParkRecord, from start: Date, until end: Date
    ) throws -> Int {
        try transaction.carParks.products(of: [carPark.id])[carPark.id, default: []]
            .filter { $0.isOffered && $0.classes.contains(kind) }
            .map { product in
                let units = product.kind.startedUnits(from: start, until: end, carPark.days)
                return min(Money.largestAmount / 2, product.price * units)
            }.min() ?? 0
    }
}

extension SessionRecord {
    /// How long a driver may take to leave after paying, in seconds: by the tariff that applied when the vehicle
    /// entered or, without one for its class, as usual.
    func grace(by tariff: ParkingTariff?) -> TimeInterval {
        guard session.booking == nil, let tariff, tariff.rates(of: kind) != nil else {
            return BookingLimits.grace
        }
        return tariff.grace
    }
}

extension ParkingProduct.Unit {
    /// The units started by then, at least one.
    func startedUnits(from start: Date, until end: Date, _ days: LocalDays) -> Int {
        let hours = Int((end.timeIntervalSince(start) / 3_600).rounded(.up))
        return self == .hourly
            ? max(1, hours)
            : quantity(from: start, until: end, days) ?? CarParkRules.mostQuantity
    }
}

extension ParkingTariff {
    /// In seconds.
    fileprivate var grace: TimeInterval { TimeInterval(graceMinutes * 60) }
}

extension TariffCharge {
    /// The text, for example "Night" or "Daily maximum".
    var text: LocalizedText {
        let words = CarParkNotices.words
        switch kind {
        case .first:
            let minutes = ["minutes": Catalogue.Value.text("\(unitMinutes ?? 0)")]
            return words.text(price == 0 ? "tariff.free" : "tariff.first", minutes)
        case .band:
            return name.isEmpty ? words.text("tariff.band") : LocalizedText { _ in name }
        case .maximum:
            return name.isEmpty
                ? words.text("tariff.maximum-plain")
                : words.text("tariff.maximum", ["name": .text(name)])
        case .dailyMaximum: return words.text("tariff.dailyMaximum")
        case .products: return words.text("bill.driveUp")
        }
    }

    /// The unit of the quantity; nil for one price.
    var unit: LocalizedText? {
        guard kind == .band, let unitMinutes else { return nil }
        switch unitMinutes {
        case 60: return ParkingProduct.Unit.hourly.text(count: quantity)
        case 1_440: return ParkingProduct.Unit.daily.text(count: quantity)
        default:
            return CarParkNotices.words.text("unit.minutes", ["minutes": .text("\(unitMinutes)")])
        }
    }

    func stayLine(in currency: String) -> StayLine {
        StayLine(
            kind: StayLine.driveUp, amount: amount, text: text, quantity: quantity, unit: unit,
            unitPrice: unit == nil ? nil : price)
    }

    func line(in currency: String, _ language: Language) -> TariffLine {
        TariffLine(
            kind, text: text[language], quantity: quantity, unit: unit?[language],
            unitPrice: price.map { Money(amount: $0, currency: currency) },
            amount: Money(amount: amount, currency: currency))
    }
}
