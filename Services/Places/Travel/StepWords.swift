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
}
