/// The people and trips that users and routes of an imported GetALift database have become.
public struct GetaliftImport: Codable, Sendable, Hashable {
    /// An imported user.
    public struct User: Codable, Sendable, Hashable {
        /// Integer id in the GetALift database. The user keeps it unless somebody else has it
        /// already.
        public var number: Int
        /// Username in the GetALift database.
        public var username: String
        public var person: PersonID
        public var email: String?
        public var phone: String?

        public init(
            number: Int, username: String, person: PersonID, email: String?, phone: String?
        ) {
            (self.number, self.username, self.person) = (number, username, person)
            (self.email, self.phone) = (email, phone)
        }
    }

    /// An imported route.
    public struct Route: Codable, Sendable, Hashable {
        /// Integer id in the GetALift database. The route keeps it unless another has it already.
        public var number: Int
        public var trip: TripID

        public init(number: Int, trip: TripID) { (self.number, self.trip) = (number, trip) }
    }

    public var users: [User]
    public var routes: [Route]

    public init(users: [User] = [], routes: [Route] = []) {
        (self.users, self.routes) = (users, routes)
    }
}

/// The result of an import from a GetALift database.
public struct GetaliftImported: Codable, Sendable, Hashable {
    /// Number of users who have kept both their integer id and their username.
    public var users: Int
    /// Number of routes that have kept their integer id.
    public var routes: Int

    public init(users: Int, routes: Int) { (self.users, self.routes) = (users, routes) }
}
