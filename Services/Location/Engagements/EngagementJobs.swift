import Contracts
import Geo
import ServiceKit

/// What location makes of an engagement: the newest version says all.
///
/// It follows from the event alone, whichever came before: events may come twice, late or out of order. That is
/// what an inbox would be for elsewhere.
extension Engagement {
    /// How long one that is over is remembered: as long as an event may be replayed, and longer.
    static let rememberedSeconds = 14 * 86_400

    /// Everybody named in this version: the participants, and the people who have been asked.
    var named: [PersonID] { participants.map(\.person) + asked }

    /// The people who may see where a person is.
    func viewers(of person: PersonID) -> [PersonID] {
        participants.filter { $0.sees.contains(person) }.map(\.person)
    }

    /// What it means for one person; nil when they have nothing to do with it any more.
    func job(of person: PersonID) -> LocationStore.Job? {
        guard state == .open else { return nil }
        let peers = viewers(of: person)
        let isBusy = asked.contains(person) || participant(person)?.isBusy == true
        var job = LocationStore.Job(
            product: product, busy: isBusy, peers: peers.isEmpty ? nil : peers)
        if let way, way.mover == person, let to = way.to, let meeting = way.meeting {
            job.meeting = meeting.id
            (job.la, job.lo) = (to.latitude, to.longitude)
            (job.within, job.accuracy) = (meeting.withinMeters, meeting.accuracyMeters)
        }
        if let leaving, leaving.person == person { job.leaving = .init(leaving) }
        return job.isNothing ? nil : job
    }

    /// Where people and things are is for those who are present, and for operators.
    func mayBeFollowed(by reader: Identity) -> Bool {
        reader.isOperator || participant(reader.person)?.isPresent == true
    }

    /// Everybody sees themselves, operators everybody.
    func shows(_ person: PersonID, to reader: Identity) -> Bool {
        reader.isOperator || reader.person == person
            || participant(reader.person)?.sees.contains(person) == true
    }
}
