import Contracts

extension CarPark {
    /// The id of the rate table of stays without a booking.
    var tariffID: String { "\(id)/tariff" }

    /// The tariff of stays without a booking as an APDS rate table: a collection of lines for each set of classes, and
    /// one for each event. Hours and days are in the descriptions, in OpenStreetMap's format.
    var apdsTariff: JSONValue? {
        guard let tariff else { return nil }
        let collections = tariff.rates.flatMap { rates in
            [apdsCollection(rates.first ?? [], rates.bands, rates.dailyMaximum)]
                + (rates.events ?? []).map { event in
                    apdsCollection(
                        event.first ?? [], event.bands, event.dailyMaximum,
                        days: "\(event.from)/\(event.until)", event.name)
                }
        }
        return .object([
            "id": .text(tariffID), "version": .integer(tariff.version),
            "rateLineCollections": .list(collections),
        ])
    }

    private func apdsCollection(
        _ first: [TariffStep], _ bands: [TariffBand], _ dailyMaximum: Int?,
        days: String? = nil, _ name: String? = nil
    ) -> JSONValue {
        var lines: [[String: JSONValue]] = []
        var minutes = 0
        for step in first {
            lines.append([
                "rateLineType": "flatRateTier", "value": .integer(step.price),
                "durationStart": .text("PT\(minutes)M"),
                "durationEnd": .text("PT\(minutes + step.minutes)M"),
            ])
            minutes += step.minutes
        }
        lines += bands.map(\.apdsLine)
        var collection: [String: JSONValue] = [
            "applicableCurrency": [.text(currency)],
            "rateLines": .list(
                lines.enumerated().map { index, line in
                    .object(line.merging(["sequence": .integer(index + 1)]) { $1 })
                }),
        ]
        if let dailyMaximum {
            collection["maxValue"] = .integer(dailyMaximum)
            collection["maxValuePeriod"] = "P1D"
        }
        if let days { collection["validity"] = .text(days) }
        if let name { collection["description"] = [.apds(name)] }
        return .object(collection)
    }
}

extension TariffBand {
    /// Values in minor units.
    fileprivate var apdsLine: [String: JSONValue] {
        let hours =
            (days.map { "\($0.map(\.osm).joined(separator: ",")) " } ?? "") + "\(from)-\(until)"
        var line: [String: JSONValue] = [
            "description": [.apds(name.map { "\($0), \(hours)" } ?? hours)],
            "rateLineType": unitMinutes == nil ? "flatRate" : "incrementingRate",
            "value": .integer(price),
        ]
        if let unitMinutes { line["incrementPeriod"] = .text("PT\(unitMinutes)M") }
        if let maximum { line["maxValue"] = .integer(maximum) }
        return line
    }
}

extension TariffDay {
    /// As in `opening_hours`.
    fileprivate var osm: String {
        self == .holiday ? "PH" : rawValue.prefix(1).uppercased() + rawValue.dropFirst().prefix(1)
    }
}

extension JSONValue {
    /// A text whose language is unknown.
    fileprivate static func apds(_ text: String) -> JSONValue {
        .object(["language": "und", "string": .text(text)])
    }
}
