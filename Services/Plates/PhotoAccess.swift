import Contracts
import Foundation
import ServiceKit

/// The rules on who may take photos of an engagement, and who may see them.
extension Engagement {
    /// Operators and participants may see the photos, even after the participant's part is over.
    func opensPhotos(to person: Identity) -> Bool {
        person.isOperator || participant(person.person) != nil
    }

    /// The role in which a person takes a photo: the vehicle's owner is the customer.
    func role(of person: Identity) -> Role {
        photos?.owner == person.person ? .customer : person.mover
    }

    /// Nil if a photo may be taken at that moment.
    func refusal(of moment: PhotoMoment, at now: Date) -> Refusal? {
        let isOpen = photos?.windows.contains { window in
            window.moment == moment && window.until.map { now < $0 } ?? true
        }
        if isOpen == true { return nil }
        return state == .open ? .momentNotPossible : .photographedTooLate
    }

    /// Nil if the person may have a vehicle recognised for the engagement.
    func refusal(ofRecognitionBy person: PersonID) -> Refusal? {
        guard participant(person) != nil else { return .nothingToPhotograph }
        return state == .open ? nil : .photographedTooLate
    }
}
