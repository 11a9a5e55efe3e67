import AddressExam
import Contracts
import Foundation
import Geo
import Maps
import Testing

/// What people type and mean, asked of the shipped extract.
@Suite(.enabled(if: MapTools.areThere, MapTools.absence)) struct GeocoderTests {
    private static let least = 0.95
    private static let extract = URL(filePath: #filePath)
        .appending(path: "../../../data/helsinki.osm.pbf").standardizedFileURL.path

    @Test func whatPeopleTypeIsFoundFirst() async throws {
        let map = try ExamMap(extract: Self.extract)
        let exam = try AddressExam(map.features)
        let book = AddressBook(map.maps)
        var wrong: [String] = []
        let results = try await exam.mark { text in
            try await book.search(
                text, near: exam.middle, within: nil, language: "", limit: 5)?.items.first
        } wrong: { question, found in
            wrong.append("\(question.typing.rawValue): \(question.text) → \(found?.address ?? "–")")
        }
        #expect(Set(results.keys) == Set(Typing.allCases))
        let asked = results.values.map(\.asked).reduce(0, +)
        let right = results.values.map(\.right).reduce(0, +)
        #expect(asked > AddressExam.landmarks)
        #expect(
            Double(right) >= Self.least * Double(asked),
            "\(right) of \(asked)\n\(wrong.joined(separator: "\n"))")
        for (typing, result) in results {
            #expect(result.share >= 0.8, "\(typing.rawValue): \(result.right) of \(result.asked)")
        }
    }
}
