import Contracts

/// The caller, as their access token says.
public struct Identity: Sendable, Hashable {
    public let person: PersonID
    public let roles: Roles
    public let session: SessionID

    public init(person: PersonID, roles: Roles, session: SessionID) {
        self.person = person
        self.roles = roles
        self.session = session
    }

    public var isOperator: Bool { roles.contains(.operator) }

    /// As what they are on the move while nobody says more: who works as a valet moves as one.
    public var mover: Role { roles.contains(.valet) ? .valet : .customer }

    public var customer: CustomerID { person.as(CustomerID.self) }
    public var valet: ValetID { person.as(ValetID.self) }
    public var operatorID: OperatorID { person.as(OperatorID.self) }
}
