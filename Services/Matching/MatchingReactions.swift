import Contracts
import EventBus

/// What other services' events mean here.
func matchingReactions(_ matching: MatchingUseCases) -> Reactions {
    Reactions {
        when(DropOffRequested.self) { event, delivery in
            try await matching.open(event.match, for: event.order, delivery)
        }
        when(ReturnRequested.self) { event, delivery in
            try await matching.open(event.match, for: event.order, delivery)
        }
        when(MatchRepeated.self) { event, delivery in
            try await matching.open(event.match, for: event.order, delivery)
        }
        when(ValetWithdrawn.self) { event, delivery in
            var match = event.match
            if !match.excluded.contains(event.valet) { match.excluded.append(event.valet) }
            if try await matching.open(match, for: event.order, delivery) {
                try await matching.release(event.valet, from: event.order)
            }
        }
        when(OrderOverridden.self) { event, delivery in
            guard let match = event.match else {
                return try await matching.end(event.order, releasing: event.released)
            }
            if try await matching.open(match, for: event.order, delivery) {
                try await matching.release(event.released, from: event.order)
            }
        }
        // A valet who has been asked stays held, as if assigned, until they have answered.
        when(ValetOffered.self) { event, _ in try await matching.forget(event.order) }
        when(OfferEnded.self) { event, delivery in
            guard var match = event.match else {
                // Beside the event that ended the request, and perhaps after it.
                try await matching.forget(event.order)
                return try await matching.release(event.valet, from: event.order)
            }
            if event.outcome != .withdrawn, !match.excluded.contains(event.valet) {
                match.excluded.append(event.valet)
            }
            if try await matching.open(match, for: event.order, delivery) {
                try await matching.release(event.valet, from: event.order)
            }
        }
        // The valet stays held for as long as a lease lasts: location may not have heard yet.
        when(ValetAssigned.self) { event, _ in try await matching.forget(event.order) }
        when(OrderUnfulfilled.self) { event, _ in try await matching.forget(event.order) }
        when(ReturnUnfulfilled.self) { event, _ in try await matching.forget(event.order) }
        when(OrderCancelled.self) { event, _ in
            try await matching.end(event.order, releasing: event.valet)
        }
        when(RecallCancelled.self) { event, _ in
            try await matching.end(event.order, releasing: event.valet)
        }
        when(VehicleParked.self) { event, _ in
            try await matching.end(event.order, releasing: event.valet)
        }
        when(VehicleReturned.self) { event, _ in
            try await matching.end(event.order, releasing: event.valet)
        }
        // One replica hears it; the others look again within a second.
        when(AvailabilityChanged.self) { event, _ in
            guard event.status == .available, let area = event.serviceArea else { return }
            matching.look(in: area)
        }
    }
}
