import Contracts

/// Who is asking, as their access token says.
public struct Identity: Sendable, Hashable {
    public let person: PersonID
    public let role: Role
    public let session: SessionID

    public init(person: PersonID, role: Role, session: SessionID) {
        self.person = person
        self.role = role
        self.session = session
    }

    public var customer: CustomerID { person.as(CustomerID.self) }
    public var valet: ValetID { person.as(ValetID.self) }
    public var operatorID: OperatorID { person.as(OperatorID.self) }
}
