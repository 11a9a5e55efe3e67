import Contracts

/// The caller, from their access token.
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

    /// The role in which a person moves by default: valets move as valets.
    public var mover: Role { roles.contains(.valet) ? .valet : .customer }

    public var customer: CustomerID { person.as(CustomerID.self) }
    public var valet: ValetID { person.as(ValetID.self) }
    public var operatorID: OperatorID { person.as(OperatorID.self) }
}
