import Contracts
import Geo
import ServiceKit

/// An engagement as location sees it. The newest version alone decides, so events may arrive twice, late or out of
/// order, and no inbox is needed.
extension Engagement {
    /// How long an engagement that is over is remembered, in seconds: longer than events can be replayed.
    static let rememberedSeconds = 14 * 86_400

    /// Everybody named in this version: the participants, and the people who have been asked.
    var named: [PersonID] { participants.map(\.person) + asked }

    /// The people who may see where a person is.
    func viewers(of person: PersonID) -> [PersonID] {
        participants.filter { $0.sees.contains(person) }.map(\.person)
    }

    /// The person's job in this version; nil if they have no part in it any more.
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

    /// Positions are shown to participants who are present, and to operators.
    func mayBeFollowed(by reader: Identity) -> Bool {
        reader.isOperator || participant(reader.person)?.isPresent == true
    }

    /// People always see themselves, and operators see everybody.
    func shows(_ person: PersonID, to reader: Identity) -> Bool {
        reader.isOperator || reader.person == person
            || participant(reader.person)?.sees.contains(person) == true
    }
}
