import Answers
import Contracts
import Foundation
import Geo
import Hummingbird
import NIOCore
import ServiceKit
import Support
import Synchronization
import Testing

@testable import CarParks

/// Live spaces that somebody else counts.
@Suite struct SpaceFeedTests {
    private func general(_ carPark: CarPark, _ bench: Bench) async throws -> LiveSpaces {
        let seen = try await bench.call(.get, "/v1/car-parks/\(carPark.id)", as: nil)
            .expect(200, CarPark.self)
        return try #require(seen.spaces.first { $0.kind == .general })
    }

    private func source(
        _ url: URL, _ bench: Bench, within time: Duration = patience
    ) -> SpaceFeed {
        let environment = bench.parts.environment
        return SpaceFeed(
            url, bench.database, client: environment.httpClient, clock: environment.clock,
            logger: environment.logger, within: time)
    }

    private func document(_ lots: String..., at time: Date) -> PretendServer.Mood {
        // As ParkAPI writes times: in UTC, without saying so.
        let text = Wire.text(time).dropLast()
        return .answering(
            #"{"last_updated": "\#(text)", "lots": [\#(lots.joined(separator: ","))]}"#)
    }

    @Test func lotsAreKnownByIdOrByNameAndPlace() async throws {
        try await Bench.run { bench in
            let gate = try await bench.carPark()
            let quay = try await bench.carPark { $0.name = "Quay" }
            let server = PretendServer(
                document(
                    #"{"id": "\#(gate.id)", "free": 7, "state": "open"}"#,
                    #"{"id": "mt-quay", "name": "QUAY", "coords": {"lat": 35.8966, "lng": 14.5102}, "free": 3}"#,
                    at: bench.clock.now.addingTimeInterval(-60)))
            try await server.serve { (url: URL) async throws in
                #expect(try await source(url, bench).poll() == .new)
            }
            let spaces = try await general(gate, bench)
            #expect((spaces.free, spaces.source, spaces.freshness) == (7, .feed, .live))
            #expect(try await general(quay, bench).free == 3)
        }
    }

    @Test func whatCanNotBeTrueIsKeptOut() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let id = "\(carPark.id)"
            let server = PretendServer(
                document(#"{"id": "\#(id)", "free": 7}"#, at: bench.clock.now))
            try await server.serve { (url: URL) async throws in
                let feed = source(url, bench)
                #expect(try await feed.poll() == .new)
                let now = bench.clock.now
                for lot in [
                    #"{"id": "\#(id)", "free": 51}"#, #"{"id": "\#(id)", "free": 31, "total": 30}"#,
                    #"{"id": "\#(id)", "free": NaN}"#, #"{"id": "\#(id)", "free": -Infinity}"#,
                    #"{"id": "\#(id)", "free": "7.5"}"#, #"{"id": "\#(id)", "free": true}"#,
                    #"{"id": "\#(id)", "free": 2.5}"#, #"{"id": "\#(id)", "free": "many"}"#,
                    #"{"id": "\#(id)"}"#, #"{"free": 1}"#, "17", #"{"id": "elsewhere", "free": 1}"#,
                    #"{"id": "\#(id)", "free": 0, "state": "nodata"}"#,
                    #"{"id": "\#(id)", "free": -3, "state": "NoData"}"#,
                    #"{"id": "\#(id)", "state": "open"}"#,
                ] {
                    server.set(document(lot, at: now))
                    #expect(try await feed.poll() == .new)
                    #expect(try await general(carPark, bench).free == 7, "\(lot)")
                }
                for text in [
                    "", "[]", "{}", #"{"last_updated": "yesterday", "lots": []}"#,
                    #"{"last_updated": "2999-01-01T00:00:00", "lots": [{"id": "\#(id)", "free": 1}]}"#,
                ] {
                    server.set(.answering(text))
                    #expect(try await feed.poll() == .unreadable, "\(text)")
                }
                // One good lot among bad ones is taken; older news is not.
                server.set(document("null", #"{"id": "\#(id)", "free": 9}"#, at: now))
                #expect(try await feed.poll() == .new)
                #expect(try await general(carPark, bench).free == 9)
                server.set(
                    document(
                        #"{"id": "\#(id)", "free": 1}"#, at: now.addingTimeInterval(-60)))
                #expect(try await feed.poll() == .new)
                #expect(try await general(carPark, bench).free == 9)
            }
        }
    }

    /// Python writes `NaN`; other feeds write numbers as texts, and texts as numbers.
    @Test(arguments: [
        #""free": "9""#, #""free": "9", "total": "50""#, #""free": 9, "total": NaN"#,
        #""free": 9, "total": 0"#, #""free": 9, "name": 7, "coords": "here""#,
        #""free": 9, "coords": {"lat": "35.9", "lng": NaN}"#, #""free": 9, "state": null"#,
        #""free": 9, "state": "unknown", "forecast": Infinity"#,
    ])
    func aCountIsReadAsFeedsWriteIt(fields: String) async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let lots = [
                #"{"id": 17, "free": NaN}"#, #"{"id": "\#(carPark.id)", \#(fields)}"#,
            ]
            let server = PretendServer(
                document(lots.joined(separator: ","), at: bench.clock.now))
            try await server.serve { (url: URL) async throws in
                #expect(try await source(url, bench).poll() == .new)
            }
            #expect(try await general(carPark, bench).free == 9)
        }
    }

    @Test(arguments: ["T", " "], ["", ".123456", "Z", "+00:00"])
    func theTimeOfAFeedIsRead(separator: String, end: String) async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let time = Wire.text(bench.clock.now).prefix(19).replacing("T", with: separator)
            let server = PretendServer(
                .answering(
                    #"{"last_updated": "\#(time + end)", "lots": [{"id": "\#(carPark.id)", "free": 7}]}"#
                ))
            try await server.serve { (url: URL) async throws in
                #expect(try await source(url, bench).poll() == .new)
            }
            #expect(try await general(carPark, bench).freshness == .live)
        }
    }

    @Test(arguments: [[9, 4], [4, 9]])
    func ofALotThatIsListedTwiceTheLeastCounts(free: [Int]) async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let lots = free.map { #"{"id": "\#(carPark.id)", "free": \#($0)}"# }
            let server = PretendServer(
                document(lots.joined(separator: ","), at: bench.clock.now))
            try await server.serve { (url: URL) async throws in
                #expect(try await source(url, bench).poll() == .new)
            }
            #expect(try await general(carPark, bench).free == 4)
        }
    }

    @Test(arguments: [
        #""free": 40, "state": "closed""#, #""free": 40, "state": "Closed""#,
        #""free": 999, "state": "closed""#, #""free": null, "state": "closed""#,
        #""free": "-", "state": "closed""#, #""state": "closed""#,
        #""free": -3, "state": "closed""#,
    ])
    func aClosedLotHasNoFreeSpace(fields: String) async throws {
        #expect(try await freeAfterTwelve(fields) == .full)
    }

    @Test(arguments: [
        #""free": -3"#, #""free": -1, "state": "open""#, #""free": -1000"#, #""free": 0"#,
        #""free": -3.0"#,
    ])
    func anOverfullLotHasNoFreeSpace(fields: String) async throws {
        #expect(try await freeAfterTwelve(fields) == .full)
    }

    @Test func aLotThatOpensAgainHasItsCount() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let id = carPark.id
            let closed = #"{"id": "\#(id)", "free": 40, "state": "closed"}"#
            let server = PretendServer(document(closed, at: bench.clock.now))
            try await server.serve { (url: URL) async throws in
                let feed = source(url, bench)
                #expect(try await feed.poll() == .new)
                #expect(try await general(carPark, bench).free == 0)
                let open = #"{"id": "\#(id)", "free": 40, "state": "OPEN"}"#
                server.set(document(open, at: bench.clock.now))
                #expect(try await feed.poll() == .new)
                #expect(try await general(carPark, bench).free == 40)
            }
        }
    }

    /// The status of a car park after the feed has counted twelve free spaces, and then says this of it.
    private func freeAfterTwelve(_ fields: String) async throws -> CarParkStatus {
        try await Bench.run { bench in
            // One class alone, so that the car park is full when that is.
            let carPark = try await bench.carPark { $0.capacity = SpaceCounts([.general: 50]) }
            let server = PretendServer(
                document(#"{"id": "\#(carPark.id)", "free": 12}"#, at: bench.clock.now))
            return try await server.serve { (url: URL) async throws -> CarParkStatus in
                let feed = source(url, bench)
                #expect(try await feed.poll() == .new)
                #expect(try await general(carPark, bench).free == 12)
                server.set(
                    document(#"{"id": "\#(carPark.id)", \#(fields)}"#, at: bench.clock.now))
                #expect(try await feed.poll() == .new)
                let spaces = try await general(carPark, bench)
                #expect((spaces.free, spaces.freshness) == (0, .live))
                return try await bench.call(.get, "/v1/car-parks/\(carPark.id)", as: nil)
                    .expect(200, CarPark.self).status
            }
        }
    }

    @Test func theLastGoodCountStaysAndGrowsOld() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let lot = #"{"id": "\#(carPark.id)", "free": 7}"#
            let server = PretendServer(document(lot, at: bench.clock.now))
            try await server.serve { (url: URL) async throws in
                let feed = source(url, bench)
                #expect(try await feed.poll() == .new)
                for mood in [PretendServer.Mood.failing(500), .failing(404), .huge] {
                    server.set(mood)
                    #expect(try await feed.poll() == .away)
                }
                server.set(.dripping)
                let hasty = source(url, bench, within: .milliseconds(500))
                #expect(try await hasty.poll() == .away)
                bench.clock.advance(by: 600)
                let old = try await general(carPark, bench)
                #expect((old.free, old.freshness) == (7, .old))
                bench.clock.advance(by: 1_800)
                let unknown = try await general(carPark, bench)
                #expect((unknown.free, unknown.freshness) == (nil, .unknown))
                server.set(document(lot, at: bench.clock.now))
                #expect(try await feed.poll() == .new)
                #expect(try await general(carPark, bench).freshness == .live)
            }
        }
    }

    /// With which tag, each time.
    private typealias Asked = @Sendable () -> [String?]

    /// Answers with a tag, or sends elsewhere.
    private func serve(
        _ lots: String, at time: Date, movedTo elsewhere: URL? = nil,
        _ body: (URL, Asked) async throws -> Void
    ) async throws {
        let text = #"{"last_updated": "\#(Wire.text(time))", "lots": [\#(lots)]}"#
        let asked = Mutex<[String?]>([])
        let responder = CallbackResponder<BasicRequestContext> { request, _ in
            let known = request.headers[.ifNoneMatch]
            asked.withLock { $0.append(known) }
            if let elsewhere {
                return Response(status: .found, headers: [.location: elsewhere.absoluteString])
            }
            guard known != "\"one\"" else { return Response(status: .notModified) }
            return Response(
                status: .ok, headers: [.eTag: "\"one\""],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
        try await withServer(responder) { (port: Int) async throws in
            try await body(try #require(URL(string: "http://127.0.0.1:\(port)/lots.json"))) {
                asked.withLock { $0 }
            }
        }
    }

    @Test func anUnknownLotIsAskedForAgain() async throws {
        try await Bench.run { bench in
            let lot =
                #"{"id": "mt-quay", "name": "Quay", "coords": {"lat": 35.8965, "lng": 14.5101}, "free": 3}"#
            try await serve(lot, at: bench.clock.now) { (url: URL, asked: Asked) async throws in
                let feed = source(url, bench)
                #expect(try await feed.poll() == .new)
                // It comes in after the feed has told of it.
                let quay = try await bench.carPark { $0.name = "Quay" }
                #expect(try await feed.poll() == .new)
                #expect(try await general(quay, bench).free == 3)
                #expect(try await feed.poll() == .same)
                #expect(asked() == [nil, nil, "\"one\""])
            }
        }
    }

    @Test func nobodyElseIsAskedThanWhomTheOperatorNamed() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let lot = #"{"id": "\#(carPark.id)", "free": 7}"#
            try await serve(lot, at: bench.clock.now) {
                (other: URL, askedThere: Asked) async throws in
                try await serve(lot, at: bench.clock.now, movedTo: other) {
                    (url: URL, asked: Asked) async throws in
                    #expect(try await source(url, bench).poll() == .away)
                    #expect(asked().count == 1)
                }
                #expect(askedThere() == [])
            }
            #expect(try await general(carPark, bench).free == nil)
        }
    }

    @Test func whatIsTheSameIsNotSentAgain() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark()
            let lot = #"{"id": "\#(carPark.id)", "free": 7}"#
            try await serve(lot, at: bench.clock.now) { (url: URL, asked: Asked) async throws in
                let feed = source(url, bench)
                #expect(try await feed.poll() == .new)
                #expect(try await feed.poll() == .same)
                #expect(asked() == [nil, "\"one\""])
            }
            #expect(try await general(carPark, bench).free == 7)
        }
    }
}
