import Contracts
import Geo

/// The region in which somebody is: a service area, or none.
struct Region: Sendable, Hashable, CustomStringConvertible {
    let area: ServiceAreaID?

    /// Outside all areas. An area's name can't be an underscore.
    static let nowhere = Region(area: nil)

    init(area: ServiceAreaID?) { self.area = area }

    init?(_ text: String) {
        if text == Self.nowhere.description {
            self = .nowhere
        } else if let area = ServiceAreaID(text) {
            self.init(area: area)
        } else {
            return nil
        }
    }

    var description: String { area?.description ?? "_" }
}

/// Names of keys in Redis, one function a key.
///
/// What one script touches carries the region as hash tag, so that it lies in one slot of a Redis
/// Cluster and regions spread over its nodes.
struct LocationKeys: Sendable {
    let region: Region

    private var tag: String { "location:{\(region)}" }

    /// Hash: the last position used, shift, jobs of a person whose home is this region.
    func person(_ id: PersonID) -> String { personPrefix + id.description }
    var personPrefix: String { "\(tag):person:" }

    /// Geo set: the valets in this cell who can be given a job.
    func free(_ cell: Cell) -> String { freePrefix + cell.description }
    var freePrefix: String { "\(tag):free:" }

    /// Set: the cells that have a `free` set.
    var cells: String { "\(tag):cells" }

    /// Sorted set: every valet in a `free` set, by the time of their last position.
    var fresh: String { "\(tag):fresh" }

    /// Stream: events of the last days, those that the bus does not have yet at its end.
    var outbox: String { "\(tag):outbox" }

    /// Text: the last entry of the outbox that the bus has.
    var outboxSent: String { "\(tag):outbox-sent" }

    /// Text: which replica empties the outbox at present.
    var outboxLock: String { "\(tag):outbox-lock" }

    /// Stream: a person's last points, the ignored ones with their mark.
    func track(_ id: PersonID) -> String { trackPrefix + id.description }
    var trackPrefix: String { "\(tag):track:" }

    /// What every script about people is given, in the order in which its first lines name them.
    var all: [String] {
        [personPrefix, freePrefix, cells, fresh, outbox, trackPrefix]
    }

    /// Text: how often a person's home has changed, and which region it is.
    static func home(_ id: PersonID) -> String { "location:home:{\(id)}" }

    /// Hash: the newest version of an engagement, and everybody whom any version names.
    static func engagement(_ id: EngagementID) -> String { "location:engagement:{\(id)}" }

    /// Hash: the service areas by name, and `revision`, which counts their changes.
    static let areas = "location:areas"
    /// Not the name of an area: those have no underscore.
    static let areasRevision = "_revision"
}
