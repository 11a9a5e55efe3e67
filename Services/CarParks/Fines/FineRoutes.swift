import Blobs
import Contracts
import Foundation
import Hummingbird
import ProductKit
import ServiceKit

struct FineRoutes: Sendable {
    let fines: FineUseCases

    func add(to router: Router<Context>) {
        addOperators(to: router)
        router.on(FineEndpoints.myFines) { call in
            let person = try call.person.person
            return view(
                try await fines.list(FineFilter(person: person), call.page), for: .person(person))
        }
        router.on(FineEndpoints.fine) { call in
            let reader = try call.fineReader
            return fines.view(try await fines.fine(call.fine(), for: reader), for: reader)
        }
        router.on(FineEndpoints.fineCharge) { call in
            try await fines.charge(of: call.fine(), for: call.person.person)
        }
        router.on(FineEndpoints.payFine) { call in
            guard call.body.tip == nil else {
                throw Refusal.invalid("tip", "You can't tip for this.")
            }
            let person = try call.person.person
            let (fine, payment) = try await fines.pay(
                call.fine(), call.body, by: person, once: call.idempotency)
            return FinePayment(fine: fines.view(fine, for: .person(person)), payment: payment)
        }
        router.on(FineEndpoints.appealFine) { call in
            let person = try call.person.person
            let id = try await fines.appeal(
                call.fine(), call.body, by: person, once: call.idempotency)
            return fines.view(
                try await fines.fine(id, for: .person(person)), for: .person(person))
        }
        router.on(FineEndpoints.addAppealPhoto) { call in
            let person = try call.person.person
            let fine = try await fines.add(
                call.bytes(), to: call.fine(), by: person, as: .person(person))
            return fines.view(fine, for: .person(person))
        }
        router.on(FineEndpoints.finePicture) { call in
            try await call.picture(
                at: SignedAddresses.path(fine:), by: fines.addresses, at: fines.clock.now,
                fines.pictures.picture)
        }
    }

    private func addOperators(to router: Router<Context>) {
        router.on(FineEndpoints.issueFine) { call in
            let id = try await fines.issue(
                call.body, by: call.person.person, once: call.idempotency)
            let fine = try await fines.fine(id, for: .operator)
            return try Reply(
                fines.view(fine, for: .operator), headers: [.location: "/v1/fines/\(id)"])
        }
        router.on(FineEndpoints.finesForOperators) { call in
            let asked = call.query
            let filter = FineFilter(
                status: asked.state, plate: asked.plate?.plateCharacters, carPark: asked.carParkId)
            return view(try await fines.list(filter, call.page), for: .operator)
        }
        router.on(FineEndpoints.addFinePhoto) { call in
            let fine = try await fines.add(
                call.bytes(), to: call.fine(), by: call.person.person, as: .operator)
            return fines.view(fine, for: .operator)
        }
        router.on(FineEndpoints.decideFine) { call in
            let fine = try await fines.decide(call.fine(), call.body, by: call.person.person)
            return fines.view(fine, for: .operator)
        }
    }

    private func view(_ found: Page<FineRecord>, for reader: FineReader) -> Page<Fine> {
        Page(items: found.items.map { fines.view($0, for: reader) }, next: found.next)
    }
}

extension Call {
    fileprivate func fine() throws -> FineID { try id(or: .fineUnknown) }

    fileprivate var fineReader: FineReader {
        get throws {
            let caller = try person
            return caller.isOperator ? .operator : .person(caller.person)
        }
    }
}
