import Redis

/// The scripts that change what Redis stores about people; each runs completely or not at all.
///
/// A person's state is one hash in the region of their last used point, their *home*. If a point lies in another
/// region, the script that uses it removes the person from every list of the old home and marks the hash as moved;
/// `settle` then installs the same state in the new home. In between the person is in no list, but never in two. The
/// first call that finds a moved hash finishes the move, so that the next point repairs a crash halfway. `epoch`
/// counts a person's moves; a state with a lower epoch never replaces one with a higher epoch.
///
/// A deleted account is marked in every region, so that nothing is stored about the person again.
enum LocationScripts {
    /// For each point: `used`, a mark, or `moved` when the person's home is elsewhere by now.
    /// For each person who has a used point or has moved: the state, if it has to be settled in
    /// another region; and of each engagement in which they are seen, whether they work for it, and who may
    /// see them.
    static let positions = RedisScript(PackageResources.person_lua, PackageResources.positions_lua)

    /// Continues a moved person's life here; does nothing when that has been done.
    static let settle = RedisScript(PackageResources.person_lua, PackageResources.settle_lua)

    /// Changes somebody's shift, jobs or account. Answers how many events it made, what came of
    /// it, the status, and the state when it has to be settled elsewhere first.
    static let change = RedisScript(PackageResources.person_lua, PackageResources.change_lua)

    /// Takes somebody out of this region for good, and remembers that for so many seconds.
    static let erase = RedisScript(PackageResources.person_lua, PackageResources.erase_lua)

    /// Every valet who can be given a job in the named cells, near one of the centres.
    ///
    /// Takes those out first who have been silent for too long, a bounded number at a time; whoever
    /// is left over of them is not answered either.
    static let search = RedisScript(PackageResources.person_lua, PackageResources.search_lua)

    /// Names the region that is somebody's home, unless a later move has named another.
    static let nameHome = RedisScript(PackageResources.nameHome_lua)

    /// Lets a moved state that is settled elsewhere be forgotten, unless its owner is back.
    static let forget = RedisScript(PackageResources.forget_lua)

    /// Keeps the newest version of an engagement, and everybody whom any version names.
    static let engagement = RedisScript(PackageResources.engagement_lua)
}
