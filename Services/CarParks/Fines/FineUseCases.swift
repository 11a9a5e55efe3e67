import Blobs
import Contracts
import EventBus
import Foundation
import ProductKit
import ServiceKit
import Store

/// The use cases of fines, for operators and vehicles' owners. Each function is one transaction, except those that take
/// a payment or store a picture.
struct FineUseCases: Sendable {
    static let longestReason = 500
    static let longestAppeal = 2_000
    static let longestDecision = 1_000
    static let mostPhotos = 6

    let database: Database
    let clock: ServiceClock
    let bookings: BookingUseCases
    let pictures: ListedPictures
    let addresses: SignedAddresses

    func view(_ fine: FineRecord, for reader: FineReader) -> Fine {
        let now = clock.now
        return fine.view(for: reader) {
            addresses.sign(SignedAddresses.path(fine: $0), at: now)
        }
    }

    func fine(_ id: FineID, for reader: FineReader) async throws -> FineRecord {
        try await database.read { try $0.fines.require(id, for: reader) }
    }

    func list(_ filter: FineFilter, _ page: PageRequest) async throws -> Page<FineRecord> {
        try await database.read { try $0.fines.list(filter, page) }
    }

    // MARK: Operators

    func issue(
        _ body: FineBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> FineID {
        let plate = try Check.plate(body.plate, "plate")
        let reason = try Check.text(body.reason, "reason", 1...Self.longestReason)
        let amount = try Check.int(body.amount, "amount", in: 1...Money.largestAmount)
        let now = clock.now
        return try await database.write(once: key) { transaction in
            let carPark = try transaction.carParks.require(body.carParkId)
            _ = try Check.price(amount, "amount", in: carPark.body.currency)
            let fine = FineRecord(
                .new(at: now), reference: try transaction.fines.newReference(), plate: plate,
                in: carPark, amount: amount, reason: reason, at: now)
            try transaction.record("carparks.issue-fine", fine.id, by: person, at: now)
            try fineTable.insert(fine, in: transaction)
            try FineNotices.announce(fine, .issued, at: now, in: transaction)
            return fine.id
        }
    }

    /// Upholds an appealed fine, or cancels it and refunds the payment.
    func decide(
        _ id: FineID, _ body: FineDecisionBody, by person: PersonID
    ) async throws -> FineRecord {
        let text = try Check.text(body.text, "text", 1...Self.longestDecision)
        let now = clock.now
        return try await database.write { transaction in
            var fine = try transaction.fines.require(id, for: .operator)
            // A repeat gets the same answer.
            if let made = fine.decision, (made.outcome, made.text) == (body.outcome, text) {
                return fine
            }
            let wasPaid = fine.status == .paid
            var refund: Money?
            try fine.decide(body.outcome, text, at: now)
            try transaction.record(
                body.outcome == .upheld ? "carparks.uphold-fine" : "carparks.cancel-fine", id,
                by: person, at: now)
            if body.outcome == .cancelled, let bill = fine.bill {
                if wasPaid {
                    let back = fine.giveBack()
                    if back.amount > 0 {
                        refund = Money(
                            amount: back.amount + back.tax, currency: fine.amount.currency)
                        try transaction.bills.giveBack(
                            back.amount, of: bill, "cancelled", isAnnounced: true, at: now)
                    }
                } else {
                    try transaction.bills.withdrawOpen(bill, at: now)
                }
            }
            try fineTable.update(&fine, in: transaction)
            try FineNotices.announce(
                fine, body.outcome.step, moved: refund, at: now, in: transaction)
            return fine
        }
    }

    // MARK: Owners of vehicles

    func charge(of id: FineID, for person: PersonID) async throws -> BillCharge {
        let fine = try await fine(id, for: .person(person))
        var charge = try await bookings.cashier.charge(
            of: fine.bill(.new(at: clock.now), to: person))
        if fine.isPayable {
            charge.payment = try await bookings.waitingPayment(of: fine.bill, by: person)
        }
        return charge
    }

    /// Pays by a bill of the caller's. For a fine that they have already paid, returns that payment.
    func pay(
        _ id: FineID, _ body: PayBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> (FineRecord, Payment) {
        let now = clock.now
        let payment = try await bookings.pay(once: key) {
            let bill = try await database.write { transaction in
                try transaction.requireStanding(of: person)
                return try transaction.fines.charge(id, to: person, at: now)
            }
            let payment = try await bookings.pay(bill, body, by: person) {
                throw try await self.fine(id, for: .person(person)).notPossible
            }
            if payment.status == .succeeded { try await bookings.settle(payment) }
            return payment
        }
        let fine = try await fine(id, for: .person(person))
        guard let payment else { throw fine.notPossible }
        return (fine, payment)
    }

    func appeal(
        _ id: FineID, _ body: AppealBody, by person: PersonID, once key: IdempotencyKey?
    ) async throws -> FineID {
        let text = try Check.text(body.text, "text", 1...Self.longestAppeal)
        let now = clock.now
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person)
            var fine = try transaction.fines.require(id, for: .person(person))
            try fine.appeal(text, by: person, at: now)
            if let bill = fine.bill { try transaction.bills.withdrawOpen(bill, at: now) }
            try fineTable.update(&fine, in: transaction)
            try FineNotices.announce(fine, .appealed, at: now, in: transaction)
            return id
        }
    }

    // MARK: Pictures

    /// Stores a picture: with the fine for an operator, with the appeal for anybody else.
    func add(_ data: Data, to id: FineID, by person: PersonID, as reader: FineReader)
        async throws -> FineRecord
    {
        let now = clock.now
        return try await pictures.add(data, at: now) { transaction, photo in
            var fine = try transaction.fines.require(id, for: reader)
            try fine.add(photo, by: person, as: reader)
        } store: { transaction, photo, _ in
            var fine = try transaction.fines.require(id, for: reader)
            try fine.add(photo, by: person, as: reader)
            if case .operator = reader {
                try transaction.record("carparks.add-fine-picture", id, by: person, at: now)
            } else {
                try transaction.requireStanding(of: person)
            }
            try fineTable.update(&fine, in: transaction)
            try transaction.fines.keep(photo, of: id)
            return fine
        }
    }
}

extension FineRecord {
    fileprivate mutating func add(
        _ photo: PictureID, by person: PersonID, as reader: FineReader
    ) throws {
        let known: Int
        switch reader {
        case .operator:
            known = photos.count
            guard !isOver else { throw notPossible }
            add(photo)
        case .person:
            known = appeal?.photos.count ?? 0
            try add(photo, toAppealOf: person)
        }
        guard known < FineUseCases.mostPhotos else {
            throw Refusal.tooManyFinePhotos.because("The limit is \(FineUseCases.mostPhotos).")
        }
    }
}

extension FineStore {
    fileprivate func newReference() throws -> String {
        for _ in 0..<BookingReference.tries {
            let reference = BookingReference.random()
            if try !has(reference) { return reference }
        }
        throw StoreError(.other, "no reference is free")
    }

    /// The person's bill for the fine. An open bill of another person is withdrawn; nothing is paid on it.
    fileprivate func charge(_ id: FineID, to person: PersonID, at now: Date) throws -> BillID {
        var fine = try require(id, for: .person(person))
        if let bill = fine.bill, fine.payer == person, fine.status == .paid { return bill }
        guard fine.isPayable else { throw fine.notPossible }
        if let bill = fine.bill {
            if fine.payer == person, try transaction.isOpen(bill) { return bill }
            try transaction.bills.withdrawOpen(bill, at: now)
        }
        let bill = BillID.new(at: now)
        try fine.charge(bill, to: person)
        try transaction.bills.publish(fine.bill(bill, to: person), fine: id, at: now)
        try fineTable.update(&fine, in: transaction)
        return bill
    }

    /// Settles the paid bill of a fine. A payment that is no longer needed is refunded.
    func settle(_ payment: Payment, of id: FineID, returns: [Bill.Return]?, at now: Date) throws {
        guard var fine = try find(id) else { return }
        guard fine.bill == payment.bill, fine.isPayable else {
            if fine.bill == payment.bill, fine.paidAt != nil { return }
            guard returns == nil else { return }
            return try transaction.bills.giveBack(
                payment.forBill.amount, of: payment.bill, "not needed any more", at: now)
        }
        try fine.pay(payment, at: now)
        if !payment.isByCard { fine.keepGuest(LookupClaims.nobody, of: payment.bill) }
        try fineTable.update(&fine, in: transaction)
        try FineNotices.announce(fine, .paid, moved: payment.amount, at: now, in: transaction)
    }

    /// Removes a deleted account from fines. Open ones remain, for the vehicle's other owners to pay.
    func forget(of person: PersonID, at now: Date) throws {
        while var fine = try nextToForget(of: person) {
            let open = fine.isOver ? nil : fine.bill
            let isPayer = fine.payer == person
            for photo in fine.forget(person) {
                try finePictures.remove(photo, at: now, in: transaction)
            }
            if isPayer, let open { try transaction.bills.withdrawOpen(open, at: now) }
            try fineTable.update(&fine, in: transaction)
        }
    }
}
