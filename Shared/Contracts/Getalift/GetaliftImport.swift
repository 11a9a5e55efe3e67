/// What of a database of the original has become what here.
public struct GetaliftImport: Codable, Sendable, Hashable {
    public struct User: Codable, Sendable, Hashable {
        /// The original's, which is kept where it is free.
        public var number: Int
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

    public struct Route: Codable, Sendable, Hashable {
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

/// How many of them have their old integer, and their name.
public struct GetaliftImported: Codable, Sendable, Hashable {
    public var users: Int
    public var routes: Int

    public init(users: Int, routes: Int) { (self.users, self.routes) = (users, routes) }
}
