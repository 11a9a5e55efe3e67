import Contracts
import ServiceKit

/// What steps say to people.
enum StepWords {
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    static func step(_ step: RouteStep, in language: Language) -> TravelRoute.Step {
        let key = "step.\(step.kind.rawValue)"
        let text = step.street.map { words.text("\(key)-on", ["street": .text($0)], in: language) }
        return TravelRoute.Step(
            text: text ?? words.text(key, in: language), distanceMeters: step.distanceMeters,
            kind: TravelRoute.Step.Kind(rawValue: step.kind.rawValue) ?? .straight)
    }

    /// To a stop, or to where somebody wants to be.
    static func walk(
        to stop: String?, meters: Double, in language: Language
    ) -> TravelRoute.Step {
        let text =
            stop.map { words.text("step.walk", ["stop": .text($0)], in: language) }
            ?? words.text("step.walk-end", in: language)
        return TravelRoute.Step(text: text, distanceMeters: meters, kind: .straight)
    }

    static func board(
        _ line: String, to headsign: String, at stop: String, meters: Double,
        in language: Language
    ) -> TravelRoute.Step {
        let key = headsign.isEmpty ? "step.board-any" : "step.board"
        let text = words.text(
            key, ["line": .text(line), "headsign": .text(headsign), "stop": .text(stop)],
            in: language)
        return TravelRoute.Step(text: text, distanceMeters: meters, kind: .board)
    }

    static func alight(at stop: String, in language: Language) -> TravelRoute.Step {
        let text = words.text("step.alight", ["stop": .text(stop)], in: language)
        return TravelRoute.Step(text: text, distanceMeters: 0, kind: .alight)
    }
}
