import Foundation
import Pictures

/// The answer of the cloud API, `recognize_bytes` version 3.
struct StubAnswer: Encodable {
    struct Guess: Encodable {
        var name: String?
        var plate: String?
        var confidence: Double
        var matches_template: Int?
    }

    struct Vehicle: Encodable {
        var color: [Guess]
        var make: [Guess]
        var make_model: [Guess]
        var body_type: [Guess]
        var year: [Guess]
        var orientation: [Guess] = []
    }

    struct Result: Encodable {
        var plate: String
        var confidence: Double
        var region: String
        var region_confidence = 0.0
        var matches_template = 0
        var plate_index = 0
        var processing_time_ms = 0.0
        var requested_topn: Int
        var coordinates: [[String: Int]] = []
        var candidates: [Guess]
        var vehicle: Vehicle?
    }

    struct Times: Encodable {
        var total = 0.0
        var plates = 0.0
        var vehicles = 0.0
    }

    /// Marks every answer of the stub.
    let stub = true
    let uuid = UUID().uuidString.lowercased()
    let data_type = "alpr_results"
    let version = 2
    let epoch_time = Int(Date().timeIntervalSince1970 * 1_000)
    let processing_time = Times()
    var img_width: Int
    var img_height: Int
    let credit_cost = 0
    let credits_monthly_used = 0
    let credits_monthly_total = 0
    let error = false
    let regions_of_interest: [[String: Int]] = []
    var results: [Result]

    init(_ picture: Picture, _ script: Script, topn: Int, withVehicle: Bool) {
        img_width = picture.width
        img_height = picture.height
        guard let plate = script["plate"] else {
            results = []
            return
        }
        let confidence = script.number("confidence") ?? Script.usualConfidence
        // The best reading is the first candidate, as in the real API.
        let others = script.candidates.filter { $0.plate != plate }
        let candidates = [(plate: plate, confidence: confidence)] + others
        results = [
            Result(
                plate: plate, confidence: confidence, region: script["region"] ?? "",
                requested_topn: topn,
                candidates: candidates.prefix(topn).map {
                    Guess(plate: $0.plate, confidence: $0.confidence, matches_template: 0)
                },
                vehicle: withVehicle ? Vehicle(script) : nil)
        ]
    }
}

extension StubAnswer.Vehicle {
    init(_ script: Script) {
        func guess(_ name: String?, _ key: String) -> [StubAnswer.Guess] {
            let confidence = script.number("\(key)_confidence") ?? Script.usualConfidence
            return name.map { [StubAnswer.Guess(name: $0, confidence: confidence)] } ?? []
        }
        let make = script["make"]
        let model = script["model"]
        self.init(
            color: guess(script["colour"] ?? script["color"], "colour"),
            make: guess(make, "make"),
            make_model: guess(model.map { "\(make.map { "\($0)_" } ?? "")\($0)" }, "model"),
            body_type: guess(script["body_type"], "body_type"), year: guess(script["year"], "year"))
    }
}
