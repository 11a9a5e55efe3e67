import AddressExam
import Contracts
import Foundation
import Geo
import Maps
import TripMaker

/// The search for addresses: how often the first answer is right, and how long it takes in a large map.
struct GeocoderBench {
    struct Figures {
        let results: [Typing: AddressExam.Result]
        let wrong: [String]
        let names: Int
        /// Seconds of a search while somebody types, without and with a mistake, and of one that asks each name.
        let prefix, mistyped, scan: Sample
        /// By all scans: what nobody reads, a compiler leaves out.
        let found: Int
    }

    private static let seed: UInt64 = 1
    private static let scans = 20
    private static let warmUp = 100
    /// As the apps ask.
    private static let limit = 5

    let extract: String
    let names: Int
    let searches: Int

    func run() async throws -> Figures {
        var wrong: [String] = []
        let results = try await exam { wrong.append($0) }
        var country = MadeUpCountry(names: names, seed: Self.seed)
        let map = try ExamMap(features: country.features)
        let book = AddressBook(map.maps)
        func times(_ queries: [MadeUpCountry.Query]) async throws -> Sample {
            var times: [Double] = []
            for query in queries {
                let begun = ContinuousClock.now
                _ = try await book.search(
                    query.text, near: query.near, within: nil, language: "en", limit: Self.limit)
                times.append((ContinuousClock.now - begun).inSeconds)
            }
            return Sample(times)
        }
        let (typed, mistyped) = (
            country.queries(searches, mistyped: false), country.queries(searches, mistyped: true)
        )
        _ = try await times((typed + mistyped).shuffled().prefix(Self.warmUp).map(\.self))
        let scans = country.scan(typed.prefix(Self.scans).map(\.text))
        return Figures(
            results: results, wrong: wrong, names: names, prefix: try await times(typed),
            mistyped: try await times(mistyped),
            scan: Sample(scans.map(\.seconds)), found: scans.reduce(0) { $0 + $1.found })
    }

    private func exam(_ wrong: (String) -> Void) async throws -> [Typing: AddressExam.Result] {
        let map = try ExamMap(extract: extract)
        let exam = try AddressExam(map.features)
        let book = AddressBook(map.maps)
        return try await exam.mark { text in
            try await book.search(
                text, near: exam.middle, within: nil, language: "", limit: Self.limit)?.items.first
        } wrong: { question, found in
            wrong("\(question.typing.rawValue): \(question.text) → \(found?.address ?? "nothing")")
        }
    }
}

extension GeocoderBench.Figures {
    var rows: String {
        func milliseconds(_ value: Double) -> String { String(format: "%.1f", value * 1_000) }
        func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
        let typings = Typing.allCases.compactMap { typing in
            results[typing].map { result in
                "| … \(typing.rawValue) | \(percent(result.share)) | of \(result.asked) |"
            }
        }
        let asked = results.values.map(\.asked).reduce(0, +)
        let right = results.values.map(\.right).reduce(0, +)
        let count = names.formatted(.number.locale(Locale(identifier: "en_US")))
        return """
            | names and addresses as people type them: the first answer is right | \
            \(percent(Double(right) / Double(max(asked, 1)))) | of \(asked), drawn from the extract |
            \(typings.joined(separator: "\n"))
            | an address while it is typed, among \(count) names, p50 | \
            \(milliseconds(prefix.p50)) ms | asking each name in the same run: \
            \(milliseconds(scan.p50)) ms |
            | the same, p99 | \(milliseconds(prefix.p99)) ms | \(milliseconds(scan.p99)) ms, \
            \(found) names found |
            | the same with a mistake, p50 and p99 | \(milliseconds(mistyped.p50)) and \
            \(milliseconds(mistyped.p99)) ms | – |
            """
    }
}
