import Contracts
import Foundation
import Support
import Testing

@testable import AlprStub
@testable import Plates

private let scripted = TestPicture.jpeg(
    comment: """
        plate=AB1234;confidence=93.1;region=gb;make=toyota;model=camry;colour=silver-gray;\
        colour_confidence=70;body_type=sedan-standard;year=2015-2019;\
        candidates=A81234:61,AB1Z34:40
        """)

@Suite struct RecognitionTests {
    @Test func theProposalIsAnsweredKeptAndAnnounced() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            let found = try await caller.recognise(scripted, of: order)
                .expect(201, Recognition.self)
            #expect(found.plate == "AB1234")
            #expect(found.confidence.map { abs($0 - 0.931) < 1e-9 } == true)
            #expect(found.region == "gb")
            #expect(found.make == "Toyota")
            #expect(found.model == "Camry")
            #expect(found.modelConfidence == 0.9)
            #expect(found.colour == "silver gray")
            #expect(found.colourConfidence == 0.7)
            #expect(found.bodyType == "sedan standard")
            #expect(found.year == "2015-2019")
            #expect(found.candidates.map(\.plate) == ["A81234", "AB1Z34"])
            #expect(found.isStub)

            let shown = try await caller.open(found.photoURL)
            #expect(shown.status == 200)
            #expect(shown.headers[.contentType] == "image/jpeg")
            #expect(shown.data == TestPicture.jpeg(), "the comment is gone, the picture is there")

            let event = try #require(try await bench.made().last)
            #expect(event.recognition == found.id)
            #expect(event.engagement == order.as(EngagementID.self))
            #expect(event.valet == TestPerson.victor.valet)
            #expect(event.plate == "AB1234")

            // A service that has not received the event gets the same by asking.
            let address = "/internal/recognitions/\(found.id)"
            try await caller.send(.get, address, as: .victor).refused(401, "auth.token_invalid")
            let told = try await caller.internally(address)
                .expect(200, RecognitionMade.self)
            #expect(told.recognition == event.recognition)
            #expect(told.plate == event.plate)
            #expect(told.valet == event.valet)
            #expect(told.engagement == event.engagement)
            try await caller.internally("/internal/recognitions/\(RecognitionID.new())")
                .refused(404, "plates.engagement_unknown")
        }
    }

    @Test func aPictureWithoutAPlateIsAnAnswer() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let found = try await caller.recognise(TestPicture.jpeg())
                .expect(201, Recognition.self)
            #expect(found.plate == nil)
            #expect(found.candidates.isEmpty)
            #expect(found.isStub)
            #expect(try await bench.made().map(\.plate) == [nil])
        }
    }

    @Test func theRecogniserSeesWhatTheCameraWroteAndNobodyElseDoes() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            for picture in [TestPicture.jpegWithMetadata, TestPicture.pngWithMetadata] {
                let found = try await caller.recognise(picture).expect(201, Recognition.self)
                #expect(found.plate == "AB1234", "of the comment, which is metadata")
                let shown = try await caller.open(found.photoURL).data
                for secret in TestPicture.secrets {
                    #expect(shown.range(of: Data(secret.utf8)) == nil)
                }
            }
            let webp = try await caller.recognise(TestPicture.webpWithMetadata)
                .expect(201, Recognition.self)
            #expect(try await caller.open(webp.photoURL).headers[.contentType] == "image/webp")
        }
    }

    @Test func onlyTheOrdersValetMayAskForIt() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        let ended = try await bench.order(.finished).id
        try await bench.run { caller in
            try await caller.recognise(scripted, of: order, as: nil)
                .refused(401, "auth.token_missing")
            try await caller.recognise(scripted, of: order, as: .alice).refused(403, "auth.role")
            try await caller.recognise(scripted, of: order, as: .olivia).refused(403, "auth.role")
            try await caller.recognise(scripted, of: order, as: .vera)
                .refused(404, "plates.engagement_unknown")
            try await caller.recognise(scripted, of: .new())
                .refused(404, "plates.engagement_unknown")
            try await caller.recognise(scripted, of: ended).refused(409, "plates.order_ended")
            try await caller.send(
                .post, "/v1/plates/recognitions?orderId=K7-42", scripted, as: .victor
            ).refused(422, "request.invalid", field: "orderId")
        }
        #expect(bench.stub.asked == 0)
        #expect(try await bench.made().isEmpty)
    }

    @Test(arguments: [
        (Data(), "picture.empty"), (Data("GIF89a and more".utf8), "picture.unknown_type"),
        (TestPicture.jpeg().dropLast(20), "picture.truncated"),
        (TestPicture.animatedWebP, "picture.malformed"),
        (Data([0xFF, 0xD8, 0xFF, 0xD9]), "picture.malformed"),
    ])
    func whatIsNoPictureIsRefusedAndNothingIsKept(_ data: Data, _ code: String) async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            try await caller.recognise(Data(data)).refused(422, code)
            try await caller.photograph(Data(data), of: order).refused(422, code)
            #expect(bench.files.isEmpty)
        }
        #expect(bench.stub.asked == 0)
        #expect(try await bench.made().isEmpty)
        #expect(try await bench.taken().isEmpty)
    }

    @Test func aPictureOfHugeDimensionsIsRefused() async throws {
        var bomb = TestPicture.jpeg()
        let frame = try #require(bomb.range(of: Data([0xFF, 0xC0, 0x00, 0x11, 0x08])))
        bomb.replaceSubrange(
            frame.upperBound..<frame.upperBound + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let bench = try Bench()
        try await bench.run { [bomb] caller in
            try await caller.recognise(bomb).refused(422, "picture.too_large_dimensions")
        }
    }

    @Test func morethanEightMegabytesAreRefused() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        let large = TestPicture.jpeg() + Data(count: BodyLimit.photo)
        try await bench.run { caller in
            for key in [nil, "once"] {
                try await caller.recognise(large, key: key).refused(413, "request.too_large")
                try await caller.photograph(large, of: order, key: key)
                    .refused(413, "request.too_large")
            }
        }
    }

    @Test func aRepeatWithTheSameKeyIsTheSameRecognition() async throws {
        let bench = try Bench()
        try await bench.run { caller in
            let first = try await caller.recognise(scripted, key: "once")
                .expect(201, Recognition.self)
            let second = try await caller.recognise(scripted, key: "once")
                .expect(201, Recognition.self)
            #expect(first == second)
            try await caller.recognise(TestPicture.jpeg(), key: "once")
                .refused(422, "idempotency.key_reused")
            #expect(bench.files.count == 1)
        }
        #expect(bench.stub.asked == 1, "asked once, and paid once")
        #expect(try await bench.made().count == 1)
    }

    @Test func anOrdersVehicleIsRecognisedSoOftenAndNoMore() async throws {
        let bench = try Bench()
        let order = try await bench.order().id
        try await bench.run { caller in
            for _ in 0..<PlateUseCases.mostRecognitions {
                #expect(try await caller.recognise(scripted, of: order).status == 201)
            }
            try await caller.recognise(scripted, of: order)
                .refused(409, "plates.too_many_recognitions")
        }
        #expect(bench.stub.asked == PlateUseCases.mostRecognitions)
    }
}

@Suite struct ConfirmationTests {
    private func confirmed(
        _ bench: Bench, _ id: RecognitionID
    ) async throws -> VehicleDescription? {
        try await bench.database.read { try $0.recognitions.find(id)?.confirmed }
    }

    @Test func whatTheValetConfirmedIsKeptBesideTheProposal() async throws {
        let bench = try Bench()
        let order = try await bench.order()
        try await bench.run { caller in
            let found = try await caller.recognise(scripted, of: order.id)
                .expect(201, Recognition.self)
            var parked = order
            (parked.status, parked.version, parked.recognition) = (.known(.parked), 4, found.id)
            let event = VehicleParked(
                order: parked, valet: TestPerson.victor.valet, recognition: found.id)
            let id = EventID.new()
            try await bench.hear(event, id: id)
            try await bench.hear(event, id: id)
            let described = VehicleDescription(
                plate: "AB 1234", make: "Toyota", model: "Camry", colour: "red")
            #expect(try await confirmed(bench, found.id) == described)
        }
    }

    @Test func anothersRecognitionIsNotConfirmed() async throws {
        let bench = try Bench()
        let (order, other) = (try await bench.order(), try await bench.order())
        try await bench.run { caller in
            let found = try await caller.recognise(scripted, of: other.id)
                .expect(201, Recognition.self)
            var parked = order
            for id in [found.id, .new()] {
                (parked.status, parked.version, parked.recognition) = (
                    .known(.parked), parked.version + 1, id
                )
                try await bench.hear(OrderOverdue(order: parked, limitSeconds: 60))
            }
            parked = other
            (parked.status, parked.version, parked.recognition) = (.known(.parked), 4, found.id)
            parked.dropOffValet = TestPerson.vera.valet
            try await bench.hear(OrderOverdue(order: parked, limitSeconds: 60))
            #expect(try await confirmed(bench, found.id) == nil)
        }
    }

    @Test func outcomesAreToldByFieldWithoutRegardToSpelling() {
        var proposal = Proposal(isStub: true)
        proposal.plate = .init(text: "AB1234", confidence: 0.9)
        proposal.make = .init(text: "Land Rover", confidence: 0.9)
        proposal.colour = .init(text: "silver gray", confidence: 0.9)
        let vehicle = VehicleDescription(
            plate: "ab 1234", make: "land-rover", model: "Defender", colour: "red")
        #expect(
            proposal.outcomes(against: vehicle) == [
                .plate: .confirmed, .make: .confirmed, .model: .added, .colour: .corrected,
            ])
    }
}
