import Contracts
import Foundation
import Logging
import Maps
import ServiceKit
import Store

/// Imports of car parks from installed maps and from operators' files.
struct CarParkImports: Sendable {
    /// The most features per request.
    static let mostFeatures = 1_000
    /// Features per transaction.
    private static let batch = 200
    /// How often the folder of maps is checked, which takes a few system calls.
    static let interval: Duration = .seconds(2)

    let database: Database
    let clock: ServiceClock
    let seeds: [String: CarParkSeed]
    let logger: Logger

    /// Imports the valid features, and lists the others in the answer.
    func take(_ given: CarParkImport, by person: PersonID) async throws -> CarParkImportAnswer {
        guard given.features.count <= Self.mostFeatures else {
            throw Refusal.invalid("features", "Send at most \(Self.mostFeatures) features.")
        }
        let defaults = CarParkFeature.Defaults(timeZone: given.timeZone, currency: given.currency)
        let read = given.features.map { ReadFeature($0, defaults) }
        let now = clock.now
        return try await database.write { transaction in
            try transaction.record("carparks.import-car-parks", "car-parks", by: person, at: now)
            var answer = CarParkImportAnswer()
            try take(read, of: .none, at: now, in: transaction, &answer)
            return answer
        }
    }

    private func take(
        _ read: [ReadFeature], of map: ImportedMap, at now: Date, in transaction: Transaction,
        _ answer: inout CarParkImportAnswer
    ) throws {
        for (index, one) in read.enumerated() {
            switch one {
            case .leftOut: answer.leftOut += 1
            case .refused(let source, let field, let detail):
                answer.refused.append(
                    .init(index: index, source: source, field: field, detail: detail))
                if let source { try transaction.imports.renew(source, of: map) }
            case .carPark(let feature):
                do {
                    let seed = seeds[feature.source]
                    switch try transaction.imports.take(feature, of: map, seed, at: now) {
                    case .added: answer.added += 1
                    case .changed: answer.changed += 1
                    case .unchanged: answer.unchanged += 1
                    }
                } catch let error as Refusal where Refusal.invalid ~= error {
                    let problem = error.problem
                    answer.refused.append(
                        .init(
                            index: index, source: feature.source, field: problem.field,
                            detail: problem.detail ?? problem.title))
                    try transaction.imports.renew(feature.source, of: map)
                }
            }
        }
    }

    // MARK: Maps

    /// Imports added and changed maps, and removes car parks that are no longer on any map.
    func follow(_ folder: MapFolder) async throws {
        try await ImportStore.maps.follow(folder, in: database, take: take) {
            try await retire(from: $0, version: nil)
        }
    }

    private func take(_ installed: InstalledMap) async throws {
        let map = ImportedMap(name: installed.name, version: installed.version)
        let now = clock.now
        var answer = CarParkImportAnswer()
        let file = try Data(
            contentsOf: URL(filePath: installed.carParks), options: .mappedIfSafe)
        var lines = file.split(separator: UInt8(ascii: "\n"))[...]
        while !lines.isEmpty {
            let read = lines.prefix(Self.batch).map(ReadFeature.init(line:))
            lines = lines.dropFirst(Self.batch)
            let before = answer
            answer = try await database.write { transaction in
                var answer = before
                try take(read, of: map, at: now, in: transaction, &answer)
                return answer
            }
        }
        // A feature whose id can't be read may be any known car park, so none is removed.
        if answer.refused.allSatisfy({ $0.source != nil }) {
            try await retire(from: map.name, version: map.version)
        }
        logger.notice(
            "imported the car parks of a map",
            metadata: [
                "map": "\(map.name)", "added": "\(answer.added)", "changed": "\(answer.changed)",
                "leftOut": "\(answer.leftOut)", "refused": "\(answer.refused.count)",
            ])
    }

    private func retire(from map: String, version: String?) async throws {
        let now = clock.now
        var last: String? = ""
        while let after = last {
            last = try await database.write { transaction in
                let gone = try transaction.imports.gone(
                    from: map, version: version, after: after, most: Self.batch)
                for row in gone { try transaction.imports.retire(row, at: now) }
                return gone.last?.source
            }
        }
    }

    /// Retries the removal of car parks that were in use.
    func sweep() async throws {
        let now = clock.now
        try await database.write { transaction in
            for row in try transaction.imports.gone(most: Self.batch) {
                try transaction.imports.retire(row, at: now)
            }
        }
    }
}

/// A feature as a car park, or the reason why it is not imported.
private enum ReadFeature: Sendable {
    case carPark(CarParkFeature)
    case leftOut
    case refused(source: String?, field: String?, detail: String)

    init(_ json: JSONValue, _ defaults: CarParkFeature.Defaults) {
        do {
            self = try CarParkFeature(json, defaults).map(Self.carPark) ?? .leftOut
        } catch {
            let problem = (error as? Refusal)?.problem
            self = .refused(
                source: TaggedFeature.source(of: json), field: problem?.field,
                detail: problem?.detail ?? "\(error)")
        }
    }

    /// A line of a map's own file, whose features state their time zone and currency.
    init(line: Data) {
        guard let json = try? Wire.decode(JSONValue.self, from: line) else {
            self = .refused(source: nil, field: nil, detail: "No JSON.")
            return
        }
        self.init(json, .init())
    }
}
