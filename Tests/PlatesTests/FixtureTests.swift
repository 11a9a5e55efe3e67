import Contracts
import Foundation
import Support
import Testing

@testable import Plates

/// The events as plates really publishes them, held against the files that readers decode.
@Suite struct FixtureTests {
    private static let order = OrderID("01900000-0000-7000-8000-000000000101")!

    @Test func recognitionMadeIsAsItsFixture() async throws {
        let bench = try Bench()
        try await bench.order(id: Self.order)
        try await bench.run { caller in
            _ = try await caller.recognise(
                TestPicture.jpeg(comment: "plate=AB1234"), of: Self.order)
        }
        let expected = try EventFixtures.read(RecognitionMade.self)
        var event = try #require(try await bench.made().last)
        event.recognition = expected.recognition
        try EventFixtures.expect(event)
    }

    @Test func photoTakenIsAsItsFixture() async throws {
        let bench = try Bench()
        try await bench.order(id: Self.order)
        try await bench.run { caller in
            _ = try await caller.photograph(
                of: Self.order, "moment=handOver&latitude=22.2819&longitude=114.1556")
        }
        let expected = try EventFixtures.read(PhotoTaken.self)
        var event = try #require(try await bench.taken().last)
        event.photo = expected.photo
        try EventFixtures.expect(event)
    }
}
