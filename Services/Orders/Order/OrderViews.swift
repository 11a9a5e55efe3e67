import Contracts
import Foundation
import ServiceKit

extension Order {
    /// The order as published to all services.
    var snapshot: OrderSnapshot {
        var snapshot = OrderSnapshot(
            id: id, ticket: ticket, status: status, version: version.number,
            serviceArea: serviceArea,
            customer: customer, dropOff: dropOff, extras: extras, createdAt: createdAt)
        snapshot.dropOffValet = dropOffValet
        snapshot.returnValet = returnValet
        snapshot.vehicle = vehicle
        snapshot.parked = parkedPlace
        snapshot.returnTo = returnTo
        snapshot.etaSeconds = etaSeconds
        snapshot.charge = charge
        snapshot.reason = reason
        snapshot.assignedAt = assignedAt
        snapshot.collectedAt = collectedAt
        snapshot.parkedAt = parkedAt
        snapshot.recalledAt = recalledAt
        snapshot.retrievedAt = retrievedAt
        snapshot.returnedAt = returnedAt
        snapshot.endedAt = endedAt
        snapshot.scheduledFor = schedule?.wantedAt
        snapshot.tasks = tasks.isEmpty ? nil : tasks
        snapshot.offeredTo = offer?.valet
        snapshot.recognition = recognition
        return snapshot
    }

    /// The reason why the order ended, or why no valet brings the vehicle back. Other reasons of valets and
    /// operators are not for the customer.
    private var reasonForCustomer: String? {
        let isTheEnd = status == .cancelled || status == .unfulfilled
        return reason.flatMap { isTheEnd || Self.ownReasons.contains($0) ? $0 : nil }
    }

    /// Everyone whose name the order's view shows.
    var people: [PersonID] {
        [customer.as(PersonID.self)]
            + [dropOffValet, returnValet].compactMap { $0?.as(PersonID.self) }
    }

    /// True for a valet who doesn't have the job, no longer has it, or is suspended.
    func isLegOver(for reader: Identity, suspended: Set<PersonID>) -> Bool {
        !reader.isOperator && !isCustomer(reader)
            && (activeValet != reader.valet || suspended.contains(reader.person))
    }

    private func isCustomer(_ reader: Identity) -> Bool { customer == reader.customer }

    /// The order as this reader may see it; only the customer sees the code.
    ///
    /// A valet sees phone numbers and addresses only while they have the job and aren't suspended.
    func view(for reader: Identity, _ parties: Parties) -> OrderView {
        let isLegOver = isLegOver(for: reader, suspended: parties.suspended)
        let parties = isLegOver ? parties.withoutPhones : parties
        var view = OrderView(
            id: id, ticket: ticket, status: status, serviceArea: serviceArea,
            customer: parties[customer.as(PersonID.self)], dropOff: dropOff, extras: extras,
            createdAt: createdAt, version: version.number)
        if isLegOver { view.dropOff.address = nil }
        view.dropOffValet = dropOffValet.map { parties[$0.as(PersonID.self)] }
        view.returnValet = returnValet.map { parties[$0.as(PersonID.self)] }
        view.vehicle = vehicle
        view.parked = parkedPlace
        view.returnTo = isLegOver ? nil : returnTo
        view.etaSeconds = etaSeconds
        view.handoverCode = isCustomer(reader) ? visibleCode : nil
        view.charge = charge
        view.reason = isCustomer(reader) && !reader.isOperator ? reasonForCustomer : reason
        view.assignedAt = assignedAt
        view.collectedAt = collectedAt
        view.parkedAt = parkedAt
        view.recalledAt = recalledAt
        view.retrievedAt = retrievedAt
        view.returnedAt = returnedAt
        view.endedAt = endedAt
        view.scheduledFor = schedule?.wantedAt
        view.tasks = tasks
        return view
    }
}

/// Signs URLs of profile pictures that stay valid while an order is shown.
struct PhotoAddresses: Sendable {
    let addresses: SignedAddresses
    let clock: ServiceClock

    init(_ environment: ServiceEnvironment) {
        addresses = environment.signedAddresses
        clock = environment.clock
    }

    func address(of photo: PictureID) -> String {
        addresses.sign(SignedAddresses.path(person: photo), at: clock.now)
    }
}

/// Names, phone numbers and ratings of the people in some orders.
struct Parties: Sendable {
    private var known: [PersonID: Party]
    /// People who are suspended as valets.
    let suspended: Set<PersonID>

    init(_ parties: [Party], suspended: Set<PersonID> = []) {
        self.suspended = suspended
        known = Dictionary(parties.map { ($0.id, $0) }) { first, _ in first }
    }

    var withoutPhones: Parties {
        var others = self
        others.known = known.mapValues { party in
            var party = party
            party.phone = ""
            return party
        }
        return others
    }

    /// Without a name until the event of accounts arrives.
    subscript(_ id: PersonID) -> Party {
        known[id] ?? Party(id: id, firstName: "", lastName: "", phone: "")
    }
}
