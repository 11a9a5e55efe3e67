import Client
import Contracts
import Crypto
import Foundation
import Support
import Testing

/// Plates that are recognised, and photos of vehicles, through the gateway.
@Suite(.serialized) struct PictureTests {
    private static let picture = TestPicture.jpeg(
        comment: "plate=AB1234;confidence=93;make=tesla;model=model 3;colour=white")

    /// Returns when plates has heard whose order this is.
    private func isKnown(_ order: OrderID, of pair: Pair) async throws {
        try await insisting(past: ["plates.engagement_unknown"]) {
            try await pair.valet.client(PlateEndpoints.photos(order))
        }
    }

    /// How often valets confirmed, corrected or added a part of a proposal.
    private func confirmations(
        _ system: any LocalSystem, _ field: String, _ outcome: String
    ) async throws -> Double {
        let text = try await system.metrics(of: "plates")
        let line = text.split(separator: "\n").first { line in
            line.hasPrefix("openvalet_plates_confirmations_total{")
                && line.contains("field=\"\(field)\"") && line.contains("outcome=\"\(outcome)\"")
        }
        return line?.split(separator: " ").last.flatMap { Double($0) } ?? 0
    }

    @Test func aPlateIsRecognisedConfirmedAndCounted() async throws {
        let pair = try await Pair.meet()
        let system = pair.town.world.system
        let order = try await pair.collect()
        try await isKnown(order.id, of: pair)
        let before = try await confirmations(system, "plate", "corrected")
        let found = try await pair.valet.client(
            PlateEndpoints.recognisePlate(
                asks: RecognitionQuery(of: order.id.as(EngagementID.self)), bytes: Self.picture))
        #expect(found.plate == "AB1234")
        #expect(found.make == "Tesla")
        #expect(found.isStub)
        #expect(try await pair.valet.client.picture(found.photoURL) == TestPicture.jpeg())

        // The valet sees better.
        let parked = try await pair.valet.client(
            OrderEndpoints.park(
                order.id,
                body: ParkBody(
                    at: pair.town.garage,
                    vehicle: VehicleDescription(
                        plate: "AB 1284", make: "Tesla", model: "Model 3", colour: "white"),
                    recognitionId: found.id)))
        #expect(parked.vehicle?.plate == "AB 1284")
        let isCounted = try await eventually {
            let corrected = try await confirmations(system, "plate", "corrected")
            // One part is counted after the other, in no order.
            let confirmed = try await confirmations(system, "make", "confirmed")
            return corrected == before + 1 && confirmed >= 1
        }
        #expect(isCounted)
        try await refused("auth.role") {
            _ = try await pair.customer.client(
                PlateEndpoints.recognisePlate(asks: RecognitionQuery(), bytes: Self.picture))
        }
    }

    @Test func withoutARecogniserTheValetTypesAndTheJourneyGoesOn() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.collect()
        try await isKnown(order.id, of: pair)
        for (comment, code) in [
            ("status=503", "plates.recogniser_unavailable"),
            ("status=402", "plates.recogniser_no_credits"),
            ("status=401", "plates.recogniser_misconfigured"),
        ] {
            try await refused(code) {
                _ = try await pair.valet.client(
                    PlateEndpoints.recognisePlate(
                        asks: RecognitionQuery(of: order.id.as(EngagementID.self)),
                        bytes: TestPicture.jpeg(comment: comment)))
            }
        }
        for (data, code) in [
            (Data(), "picture.empty"), (Data("MZ".utf8), "picture.unknown_type"),
            (TestPicture.jpeg().dropLast(9), "picture.truncated"),
            (TestPicture.animatedWebP, "picture.malformed"),
            (Data(count: 9 * 1_024 * 1_024), "request.too_large"),
        ] {
            try await refused(code) {
                _ = try await pair.valet.client(
                    PlateEndpoints.recognisePlate(
                        asks: RecognitionQuery(of: order.id.as(EngagementID.self)),
                        bytes: Data(data)))
            }
        }
        #expect(try await pair.park(order.id).vehicle?.plate == "AB 1234")
        let back = try await pair.handBack(try await pair.recall(order.id))
        #expect(back.status == .waitingForPayment)
    }

    @Test func photosOfTheVehicleAreForThePartiesAndInTheRecord() async throws {
        let pair = try await Pair.meet()
        let order = try await pair.order()
        try await isKnown(order.id, of: pair)
        let place = pair.town.center
        let taken = try await pair.valet.client(
            PlateEndpoints.takePhoto(
                order.id, asks: VehiclePhotoQuery(.handOver, at: place.coordinate),
                bytes: TestPicture.jpegWithMetadata))
        _ = try await pair.customer.client(
            PlateEndpoints.takePhoto(
                order.id, asks: VehiclePhotoQuery(.handOver), bytes: TestPicture.pngWithMetadata))
        try await refused("plates.moment_not_possible") {
            _ = try await pair.customer.client(
                PlateEndpoints.takePhoto(
                    order.id, asks: VehiclePhotoQuery(.handBack), bytes: TestPicture.jpeg()))
        }
        for client in [pair.customer.client, pair.valet.client, pair.town.world.boss] {
            let photos = try await client(PlateEndpoints.photos(order.id)).items
            #expect(photos.map(\.role) == [.customer, .valet])
            #expect(photos.last?.sha256 == taken.sha256)
        }
        let shown = try await pair.customer.client.picture(taken.photoURL)
        let digest = SHA256.hash(data: shown).map { String(format: "%02x", $0) }.joined()
        #expect(digest == taken.sha256)
        for secret in TestPicture.secrets {
            #expect(shown.range(of: Data(secret.utf8)) == nil, "\(secret) is still there")
        }

        let stranger = try await pair.town.customer("Eve")
        try await refused("plates.engagement_unknown") {
            _ = try await stranger.client(PlateEndpoints.photos(order.id))
        }
        try await refused("picture.address_invalid") {
            _ = try await stranger.client.picture(
                taken.photoURL.replacingOccurrences(of: "expires=1", with: "expires=2"))
        }
        let isRecorded = try await eventually {
            try await pair.customer.client(OrderEndpoints.custody(order.id)).items.contains {
                $0.kind == .photo && $0.digest == taken.sha256
            }
        }
        #expect(isRecorded)
    }
}
