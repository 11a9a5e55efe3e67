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
    /// Returns for each point `used`, a mark, or `moved` if the person's home is now elsewhere. Returns for each person
    /// who has a used point or has moved the state, if it has to be installed in another region. For each engagement in
    /// which the person is seen, it also returns whether they work for it and who may see them.
    static let positions = RedisScript(PackageResources.person_lua, PackageResources.positions_lua)

    /// Installs the state of a moved person here; does nothing if that is done already.
    static let settle = RedisScript(PackageResources.person_lua, PackageResources.settle_lua)

    /// Changes a person's shift, jobs or account. Returns the number of events, the outcome, the status, and the state
    /// if it has to be installed elsewhere first.
    static let change = RedisScript(PackageResources.person_lua, PackageResources.change_lua)

    /// Removes a person from this region for good, and remembers that for some time.
    static let erase = RedisScript(PackageResources.person_lua, PackageResources.erase_lua)

    /// Returns every free valet in the given cells and near one of the centres.
    ///
    /// Valets who have been silent for too long are removed first, a limited number per call. Those that remain are
    /// left out of the answer.
    static let search = RedisScript(PackageResources.person_lua, PackageResources.search_lua)

    /// Stores a person's home region, unless a later move has stored another.
    static let nameHome = RedisScript(PackageResources.nameHome_lua)

    /// Makes a moved state that is installed elsewhere expire, unless the person is back.
    static let forget = RedisScript(PackageResources.forget_lua)

    /// Stores the newest version of an engagement, and everybody named in any version.
    static let engagement = RedisScript(PackageResources.engagement_lua)
}
