import Contracts
import Geo

/// The region in which a person is: a service area, or none.
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

/// Names of keys in Redis, one function per key.
///
/// All keys that one script uses have the region as their hash tag. So they are in one slot of a Redis Cluster, and the
/// regions are spread over its nodes.
struct LocationKeys: Sendable {
    /// The version of the form of all these keys, see `RedisFormat`.
    static let format = 1

    let region: Region

    private var tag: String { "location:{\(region)}" }

    /// Hash: the last used position, shift and jobs of a person whose home is this region.
    func person(_ id: PersonID) -> String { personPrefix + id.description }
    var personPrefix: String { "\(tag):person:" }

    /// Geo set: the valets in this cell who are free for a job.
    func free(_ cell: Cell) -> String { freePrefix + cell.description }
    var freePrefix: String { "\(tag):free:" }

    /// Set: the cells that have a `free` set.
    var cells: String { "\(tag):cells" }

    /// Sorted set: every valet in a `free` set, by the time of their last position.
    var fresh: String { "\(tag):fresh" }

    /// Stream: the events of the last days. Unsent ones are at its end.
    var outbox: String { "\(tag):outbox" }

    /// Text: the last sent entry of the outbox.
    var outboxSent: String { "\(tag):outbox-sent" }

    /// Text: the replica that currently empties the outbox.
    var outboxLock: String { "\(tag):outbox-lock" }

    /// Stream: a person's latest points, with marks on the ignored ones.
    func track(_ id: PersonID) -> String { trackPrefix + id.description }
    var trackPrefix: String { "\(tag):track:" }

    /// The keys for every script about people, in the order in which its first lines name them.
    var all: [String] {
        [personPrefix, freePrefix, cells, fresh, outbox, trackPrefix]
    }

    /// Text: the number of changes of a person's home, and its region.
    static func home(_ id: PersonID) -> String { "location:home:{\(id)}" }

    /// Hash: the newest version of an engagement, and everybody named in any version.
    static func engagement(_ id: EngagementID) -> String { "location:engagement:{\(id)}" }

    /// Text: `whole` once the copies of the kind are filled. The marks of each kind are spread over the slots, so that
    /// every node of a Redis Cluster has some and none is emptied unnoticed.
    static func mark(_ number: Int, _ kind: StateKind) -> String {
        "location:mark:{\(number)}:\(kind)"
    }

    /// Every `person` and every `engagement`, for `RedisPool.keys(matching:)`.
    static let people = "location:{*}:person:*"
    static let engagements = "location:engagement:*"

    /// Hash: the service areas by name, and `revision`, which counts their changes.
    static let areas = "location:areas"
    /// Can't be the name of an area, as those have no underscore.
    static let areasRevision = "_revision"
}
