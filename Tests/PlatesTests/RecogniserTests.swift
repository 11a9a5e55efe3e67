import Contracts
import Foundation
import Hummingbird
import Pictures
import ServiceKit
import Support
import Testing

@testable import AlprStub
@testable import Plates

/// The adapter against the stub's own router, over HTTP.
@Suite struct RecogniserTests {
    private let stub = AlprStub(key: Bench.key)
    private let picture = TestPicture.jpeg(comment: "plate=AB1234")

    /// Patient unless told otherwise: a busy machine is slow.
    private func recogniser(
        _ port: Int, key: String = Bench.key, country: String = "gb",
        tryLimit: Duration = patience,
        breaker: CircuitBreaker = CircuitBreaker(threshold: 100)
    ) throws -> AlprRecogniser {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
        return AlprRecogniser(
            AlprSettings(url: url, key: key, country: country),
            client: try ServiceEnvironment.test("plates").httpClient, tryLimit: tryLimit,
            breaker: breaker)
    }

    private func fails(_ error: Refusal, _ recogniser: AlprRecogniser) async {
        await #expect(throws: error) { try await recogniser.propose(picture) }
    }

    @Test func failuresThatPassAreTriedAgain() async throws {
        try await withServer(stubRouter(stub)) { port in
            stub.set(Mood(mode: .failing, times: 2))
            let found = try await recogniser(port).propose(picture)
            #expect(found.plate?.text == "AB1234")
            #expect(stub.asked == 3)
            stub.set(Mood(mode: .rateLimited, times: 1))
            #expect(try await recogniser(port).propose(picture).isStub)
        }
    }

    @Test func failuresThatStayAreUnavailability() async throws {
        try await withServer(stubRouter(stub)) { port in
            for mode in [Mood.Mode.failing, .rateLimited] {
                stub.set(Mood(mode: mode))
                await fails(.recogniserUnavailable, try recogniser(port))
            }
            #expect(stub.asked == 2 * AlprRecogniser.tries)
        }
        await fails(.recogniserUnavailable, try recogniser(1))
    }

    @Test func anAnswerThatIsTooLateIsNone() async throws {
        try await withServer(stubRouter(stub)) { port in
            stub.set(Mood(mode: .slow, seconds: 3, times: 3))
            await fails(.recogniserUnavailable, try recogniser(port, tryLimit: .milliseconds(50)))
            stub.set(.normal)
            #expect(try await recogniser(port).propose(picture).plate != nil)
        }
    }

    @Test func aBadKeyAndSpentCreditsAreSaidAtOnce() async throws {
        try await withServer(stubRouter(stub)) { port in
            await fails(.recogniserMisconfigured, try recogniser(port, key: "another"))
            stub.set(Mood(mode: .badKey))
            await fails(.recogniserMisconfigured, try recogniser(port))
            stub.set(Mood(mode: .noCredits))
            await fails(.recogniserNoCredits, try recogniser(port))
            #expect(stub.asked == 3, "not asked again")
            stub.set(.normal)
            await fails(.recogniserMisconfigured, try recogniser(port, country: ""))
        }
    }

    @Test func aPictureThatItCanNotReadIsTheValets() async throws {
        try await withServer(stubRouter(stub)) { port in
            _ = await #expect(throws: Refusal.pictureMalformed) {
                try await recogniser(port).propose(Data("no picture".utf8))
            }
        }
    }

    @Test func anOpenCircuitAsksNobody() async throws {
        try await withServer(stubRouter(stub)) { port in
            stub.set(Mood(mode: .failing))
            let breaker = CircuitBreaker(threshold: 3, pause: .seconds(3_600))
            let recogniser = try recogniser(port, breaker: breaker)
            await fails(.recogniserUnavailable, recogniser)
            stub.set(.normal)
            await fails(.recogniserUnavailable, recogniser)
            #expect(stub.asked == 3)
        }
    }

    @Test(arguments: ["", "[]", "{}", "<html>", #"{"results": 1}"#, #"{"results": [{}]}"#])
    func anAnswerOfAnotherKindIsNone(_ body: String) async throws {
        let router = Router()
        router.post("/v3/recognize_bytes") { _, _ in body }
        try await withServer(router) { port in
            await fails(.recogniserUnavailable, try recogniser(port))
        }
    }

    @Test func theBestReadVehicleIsTaken() throws {
        let text = """
            {"results": [
              {"plate": "xx 1", "confidence": 60},
              {"plate": "ab-1234", "confidence": 140, "region": "gb",
               "candidates": [{"plate": "AB1234", "confidence": 90},
                              {"plate": "A81234", "confidence": 20},
                              {"plate": "AB1Z34", "confidence": 30}],
               "vehicle": {"make": [{"name": "bmw", "confidence": 10},
                                    {"name": "land_rover", "confidence": 80}],
                           "make_model": [{"name": "land_rover_defender", "confidence": 50}],
                           "color": []}}
            ], "data_type": "alpr_results", "unknown": {"of": ["the", "future"]}}
            """
        let answer = try JSONDecoder().decode(AlprAnswer.self, from: Data(text.utf8))
        let proposal = Proposal(answer)
        #expect(proposal.plate == .init(text: "AB1234", confidence: 1))
        #expect(proposal.candidates.map(\.text) == ["AB1Z34", "A81234"])
        #expect(proposal.make?.text == "Land Rover")
        #expect(proposal.model?.text == "Defender")
        #expect(proposal.colour == nil)
        #expect(!proposal.isStub)
    }
}

/// What a valet hears while the recogniser is away.
@Suite struct RecogniserAwayTests {
    @Test(arguments: [
        (Mood.Mode.failing, "plates.recogniser_unavailable"),
        (.rateLimited, "plates.recogniser_unavailable"),
        (.badKey, "plates.recogniser_misconfigured"),
        (.noCredits, "plates.recogniser_no_credits"),
    ])
    func nothingIsKeptAndTheValetIsToldToType(_ mode: Mood.Mode, _ code: String) async throws {
        let bench = try Bench()
        try await bench.run { caller in
            bench.stub.set(Mood(mode: mode))
            let answer = try await caller.recognise(TestPicture.jpeg(), key: "once")
            let problem = try answer.refused(503, code)
            #expect(problem.detail == "Type the plate instead.")
            #expect(answer.headers[.retryAfter] != nil)
            #expect(bench.files.isEmpty)
            #expect(try await bench.made().isEmpty)
            bench.stub.set(.normal)
            let isBack = try await eventually {
                try await caller.recognise(TestPicture.jpeg(), key: "once").status == 201
            }
            #expect(isBack)
        }
    }
}
