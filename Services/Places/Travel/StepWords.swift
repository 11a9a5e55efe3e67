import Contracts
import Geo
import ServiceKit
import Transit

/// The texts of a route's steps.
enum StepWords {
    /// Walks up to this length, in metres, are described without turns.
    private static let shortMeters = 100.0

    static func step(_ step: RouteStep, in language: Language) -> TravelRoute.Step {
        let key = "step.\(step.kind.rawValue)"
        let text = step.street.map {
            placeWords.text("\(key)-on", ["street": .text($0)], in: language)
        }
        return TravelRoute.Step(
            text: text ?? placeWords.text(key, in: language), at: step.position,
            distanceMeters: step.distanceMeters,
            kind: TravelRoute.Step.Kind(rawValue: step.kind.rawValue) ?? .straight)
    }

    /// A walk to a stop or to the destination: one sentence, and for longer walks the turns with the route's metres.
    static func walk(
        _ way: WayAnswer, from start: Coordinate, to stop: String?, in language: Language
    ) -> [TravelRoute.Step] {
        let text =
            stop.map { placeWords.text("step.walk", ["stop": .text($0)], in: language) }
            ?? placeWords.text("step.walk-end", in: language)
        func whole(_ meters: Double) -> TravelRoute.Step {
            .init(text: text, at: start, distanceMeters: meters, kind: .straight)
        }
        let turns = way.steps.filter { $0.kind != .depart && $0.kind != .arrive }
        guard way.distanceMeters > shortMeters, !turns.isEmpty else {
            return [whole(way.distanceMeters)]
        }
        // The next step names the stop, so the arrival there is left out.
        let shown = stop == nil ? way.steps : way.steps.filter { $0.kind != .arrive }
        return [whole(0)] + shown.map { step($0, in: language) }
    }

    /// Boarding a vehicle, or staying seated where it goes on as another trip.
    static func board(_ ride: JourneyRide, meters: Double, in language: Language)
        -> TravelRoute.Step
    {
        let stop = ride.calls[0]
        let verb = ride.isSeated ? "step.stay" : "step.board"
        let key = ride.headsign.isEmpty ? "\(verb)-any" : verb
        let text = placeWords.text(
            key,
            [
                "line": .text(ride.line.name), "headsign": .text(ride.headsign),
                "stop": .text(stop.name),
            ], in: language)
        return TravelRoute.Step(
            text: text, at: stop.at, distanceMeters: meters,
            kind: ride.isSeated ? .straight : .board)
    }

    static func alight(_ ride: JourneyRide, in language: Language) -> TravelRoute.Step {
        let stop = ride.calls[ride.calls.count - 1]
        let text = placeWords.text("step.alight", ["stop": .text(stop.name)], in: language)
        return TravelRoute.Step(text: text, at: stop.at, distanceMeters: 0, kind: .alight)
    }
}

extension JourneyRide.Line {
    /// The name that passengers use.
    var name: String { shortName.isEmpty ? longName : shortName }
}
