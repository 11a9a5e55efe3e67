import Contracts
import Foundation

/// People of the tests, each with a fixed identity.
public struct TestPerson: Sendable {
    public let id: PersonID
    /// The most privileged of `roles`.
    public var role: Role { roles.highest.known ?? .customer }
    public let roles: Roles
    public let firstName: String
    public let phone: String

    private init(_ number: Int, _ roles: Roles, _ firstName: String) {
        let text = "01900000-0000-7000-8000-\(String(format: "%012d", number))"
        id = PersonID(text) ?? .new()
        self.roles = roles
        self.firstName = firstName
        phone = "+8529\(String(format: "%07d", number))"
    }

    public static let alice = TestPerson(1, [.customer], "Alice")
    public static let bob = TestPerson(2, [.customer], "Bob")
    public static let victor = TestPerson(11, [.valet], "Victor")
    public static let vera = TestPerson(12, [.valet], "Vera")
    /// A customer who works as a valet besides.
    public static let boris = TestPerson(15, [.customer, .valet], "Boris")
    public static let olivia = TestPerson(21, [.operator], "Olivia")

    /// Somebody else, one for each number.
    public static func another(_ role: Role, _ number: Int) -> TestPerson {
        TestPerson(1_000 + number, [role], "Sam")
    }

    public var customer: CustomerID { id.as(CustomerID.self) }
    public var valet: ValetID { id.as(ValetID.self) }
    public var operatorID: OperatorID { id.as(OperatorID.self) }

    /// `Authorization` header's value.
    public func bearer(at date: Date) async throws -> String {
        "Bearer \(try await TestTokens.token(for: id, roles: roles, at: date))"
    }

    public func account(language: Language = .english, createdAt: Date) -> Account {
        Account(
            id: id, roles: roles, firstName: firstName, lastName: "Chan", phone: phone,
            phoneVerified: true, language: language, createdAt: createdAt)
    }
}
