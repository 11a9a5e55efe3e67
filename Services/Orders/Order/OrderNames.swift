import Contracts
import Foundation

/// Generates ids, tickets and codes; tests use fixed ones.
struct OrderNames: Sendable {
    var newID: @Sendable (Date) -> OrderID
    /// `digits` is the number of digits after the hyphen.
    var newTicket: @Sendable (_ digits: Int) -> String
    var newCode: @Sendable () -> String

    /// Letters that can't be confused with another letter or a digit, spoken or written.
    static let ticketLetters = Array("ACDEFHJKMNPRTWXY")
    /// Attempts at each length before a longer ticket is tried.
    static let ticketTries = 20
    static let ticketDigits = 2...4

    static let random = OrderNames(
        newID: { OrderID.new(at: $0) },
        newTicket: { digits in
            let letter = ticketLetters.randomElement() ?? "A"
            return "\(letter)\(Int.random(in: 0...9))-\(Self.digits(digits))"
        },
        newCode: { Self.digits(4) })

    private static func digits(_ count: Int) -> String {
        (0..<count).map { _ in String(Int.random(in: 0...9)) }.joined()
    }
}
