import Contracts
import EventBus

/// Reactions to other services' events.
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
                // Published with the event that ended the request, and may arrive after it.
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
        // The valet stays held until the lease ends, as location may not know yet.
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
        // One replica receives it; the others check again within a second.
        when(AvailabilityChanged.self) { event, _ in
            guard event.status == .available, let area = event.serviceArea else { return }
            matching.look(in: area)
        }
    }
}
