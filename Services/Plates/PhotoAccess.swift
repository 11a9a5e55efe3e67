import Contracts
import Foundation
import ServiceKit

/// The rules for photos of an engagement: who may take them, and who may see them.
extension Engagement {
    /// Whether the person may see the photos: participants may, also once their part is over, and operators.
    func opensPhotos(to person: Identity) -> Bool {
        person.isOperator || participant(person.person) != nil
    }

    /// As what somebody takes a photo: whose vehicle it is as a customer.
    func role(of person: Identity) -> Role {
        photos?.owner == person.person ? .customer : person.mover
    }

    /// Nil when a photo may be taken at that moment.
    func refusal(of moment: PhotoMoment, at now: Date) -> Refusal? {
        let isOpen = photos?.windows.contains { window in
            window.moment == moment && window.until.map { now < $0 } ?? true
        }
        if isOpen == true { return nil }
        return state == .open ? .momentNotPossible : .photographedTooLate
    }

    /// Nil when somebody may have a vehicle recognised for it.
    func refusal(ofRecognitionBy person: PersonID) -> Refusal? {
        guard participant(person) != nil else { return .nothingToPhotograph }
        return state == .open ? nil : .photographedTooLate
    }
}
