import Contracts
import Foundation

/// A recogniser's reading of a picture. Empty if it found nothing.
struct Proposal: Codable, Hashable, Sendable {
    static let mostCandidates = Recognition.mostCandidates
    /// The longest accepted name, in characters.
    private static let longestName = 60

    /// A name with its confidence, 0…1.
    struct Guess: Codable, Hashable, Sendable {
        var text: String
        var confidence: Double
    }

    var plate: Guess?
    var region: String?
    var make: Guess?
    var model: Guess?
    var colour: Guess?
    var bodyType: String?
    var year: String?
    var candidates: [Guess] = []
    var isStub: Bool

    init(isStub: Bool) { self.isStub = isStub }

    init(_ answer: AlprAnswer) {
        self.init(isStub: answer.stub ?? false)
        // Of several vehicles, the valet wants the one that is read best.
        guard let best = answer.results.max(by: { $0.confidence < $1.confidence }),
            let plate = Self.plate(best.plate, best.confidence)
        else { return }
        self.plate = plate
        region = best.region.flatMap { Self.name($0, 100)?.text }
        candidates = (best.candidates ?? [])
            .compactMap { guess in guess.plate.flatMap { Self.plate($0, guess.confidence) } }
            .filter { $0.text != plate.text }
            .sorted { $0.confidence > $1.confidence }
        candidates = Array(candidates.prefix(Self.mostCandidates))
        readVehicle(best.vehicle)
    }

    private mutating func readVehicle(_ vehicle: AlprAnswer.Vehicle?) {
        func best(_ guesses: [AlprAnswer.Guess]?) -> Guess? {
            let guess = guesses?.max { $0.confidence < $1.confidence }
            return guess.flatMap { guess in
                guess.name.flatMap { Self.name($0, guess.confidence) }
            }
        }
        make = best(vehicle?.make).map {
            Guess(text: Self.title($0.text), confidence: $0.confidence)
        }
        colour = best(vehicle?.color)
        bodyType = best(vehicle?.body_type)?.text
        year = best(vehicle?.year)?.text
        model = best(vehicle?.make_model).map { guess in
            // `toyota_camry`: leave out the make.
            let words = Self.title(guess.text)
            let prefix = (make?.text ?? "") + " "
            let text = words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words
            return Guess(text: text, confidence: guess.confidence)
        }
    }

    private static func share(_ percent: Double) -> Double {
        guard percent.isFinite else { return 0 }
        return min(max(percent / 100, 0), 1)
    }

    private static func plate(_ text: String, _ percent: Double) -> Guess? {
        let plate = text.uppercased().filter { $0.isLetter || $0.isNumber }
        guard (1...Vehicle.longestPlate).contains(plate.count) else { return nil }
        return Guess(text: plate, confidence: share(percent))
    }

    /// Formats enumeration values such as `silver-gray` and `land_rover`.
    private static func name(_ text: String, _ percent: Double) -> Guess? {
        let words = text.split { $0 == "_" || $0 == "-" && !text.contains { $0.isNumber } }
        let name = words.joined(separator: " ")
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isPlain, (1...longestName).contains(name.count) else { return nil }
        return Guess(text: name, confidence: share(percent))
    }

    /// `bmw` becomes BMW, `land rover` Land Rover.
    private static func title(_ text: String) -> String {
        text.split(separator: " ").map { word in
            word.count <= 3 ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
        }.joined(separator: " ")
    }
}

/// A part of a proposal that a valet confirms or corrects.
enum ProposedField: String, CaseIterable, Sendable {
    case plate, make, model, colour

    enum Outcome: String, CaseIterable, Sendable {
        case confirmed, corrected
        /// The valet added what the recogniser did not see.
        case added
    }
}

extension Proposal {
    /// The outcome for each part; spaces, hyphens and case make no difference.
    func outcomes(against vehicle: VehicleDescription) -> [ProposedField: ProposedField.Outcome] {
        func outcome(_ proposed: Guess?, _ confirmed: String) -> ProposedField.Outcome {
            guard let proposed else { return .added }
            return Self.core(proposed.text) == Self.core(confirmed) ? .confirmed : .corrected
        }
        return [
            .plate: outcome(plate, vehicle.plate), .make: outcome(make, vehicle.make),
            .model: outcome(model, vehicle.model), .colour: outcome(colour, vehicle.colour),
        ]
    }

    private static func core(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
