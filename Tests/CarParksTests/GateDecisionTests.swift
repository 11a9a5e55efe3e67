import Contracts
import Foundation
import Support
import Testing

@testable import CarParks

/// The rules of a gate, as they are written down for people. A cell is what has to be so, `-` for anything.
@Suite(.withoutDatabase) struct GateDecisionTests {
    typealias Cells = [String]

    // MARK: Whether anything else matters

    /// Direction, passage, ticket, stay: refusal.
    static let passages = """
        in | - | - | justBegun, left | alreadyInside
        in | live | bad | none, underWay | unknown
        in | live | good | none, underWay | -
        in | late | - | none, underWay | -
        out | - | - | none, left | unknown
        out | live | bad | justBegun, underWay | unknown
        out | live | good | justBegun, underWay | -
        out | late | - | justBegun, underWay | -
        """

    @Test(
        arguments: combinations([
            PassageDirection.allCases.map(\.rawValue), ["live", "late"], ["good", "bad"],
            PassageFacts.Stay.allCases.map(\.rawValue),
        ]))
    func aPassageIsRefusedWhateverIsBookedOrFree(_ cells: Cells) throws {
        let facts = PassageFacts(
            direction: try #require(PassageDirection(rawValue: cells[0])),
            isLate: cells[1] == "late", isTicketGood: cells[2] == "good",
            stay: try #require(PassageFacts.Stay(rawValue: cells[3])))
        #expect(try [facts.refusal?.rawValue ?? "-"] == Self.outcome(of: cells, in: Self.passages))
    }

    // MARK: Entrance

    /// Passage, booking, ticket, car park, valet's order, space: answer, and what is looked up for it.
    static let entries = """
        - | now | - | - | - | - | opens, booked, the booking | nothing
        late | soon, later, nothing | - | - | order | - | opens, booked, the order | order
        late | soon, later, nothing | - | - | no | - | opens, driveUp | order
        live | soon | - | closed | - | - | shut, tooEarly, the booking | nothing
        live | soon | - | open | order | - | opens, booked, the order | order
        live | soon | - | open | no | full | shut, tooEarly, the booking | order, space
        live | soon | - | open | no | free | opens, driveUp, the booking | order, space
        live | later | shown | - | - | - | shut, tooEarly, the booking | nothing
        live | later | none | closed | - | - | shut, closed | nothing
        live | later | none | open | order | - | opens, booked, the order | order
        live | later | none | open | no | full | shut, full | order, space
        live | later | none | open | no | free | opens, driveUp | order, space
        live | nothing | - | closed | - | - | shut, closed | nothing
        live | nothing | - | open | order | - | opens, booked, the order | order
        live | nothing | - | open | no | full | shut, full | order, space
        live | nothing | - | open | no | free | opens, driveUp | order, space
        """

    @Test(
        arguments: combinations([
            ["live", "late"], ["now", "soon", "later", "nothing"], ["shown", "none"],
            ["open", "closed"], ["order", "no"], ["free", "full"],
        ]))
    func anEntryIsAnsweredByWhatIsBookedOpenAndFree(_ cells: Cells) throws {
        let (booking, valets) = (BookingID.new(), OrderID.new())
        let booked: EntryFacts.Booked =
            switch cells[1] {
            case "now": .now(booking)
            case "soon": .soon(booking)
            case "later": .later(booking)
            default: .nothing
            }
        let facts = EntryFacts(
            isLate: cells[0] == "late", booked: booked, hasTicket: cells[2] == "shown",
            isClosed: cells[3] != "open")
        var lookedUp: [String] = []
        let decision = facts.decision {
            lookedUp.append("order")
            return cells[4] == "order" ? valets : nil
        } hasFreeSpace: {
            lookedUp.append("space")
            return cells[5] == "free"
        }
        if let named = decision.booking { #expect(named == booking) }
        if let order = decision.order { #expect(order == valets) }
        let outcome = [
            Self.text(decision), lookedUp.isEmpty ? "nothing" : lookedUp.joined(separator: ", "),
        ]
        #expect(try outcome == Self.outcome(of: cells, in: Self.entries))
    }

    // MARK: Exit

    /// Passage, amount due, booking, valet's order, payments before: answer.
    static let exits = """
        live | due | none | - | - | shut, paymentDue
        live | due | booking | - | - | opens, billed
        late | due | - | - | - | opens, billed
        - | no | - | - | paid | opens, paid
        - | no | booking | - | unpaid | opens, booked
        - | no | none | order | unpaid | opens, booked
        - | no | none | no | unpaid | opens, free
        """

    @Test(
        arguments: combinations([
            ["live", "late"], ["due", "no"], ["booking", "none"], ["order", "no"],
            ["paid", "unpaid"],
        ]))
    func anExitIsAnsweredByWhatIsDueAndPaid(_ cells: Cells) throws {
        let facts = ExitFacts(
            isLate: cells[0] == "late", isOwing: cells[1] == "due",
            hasBooking: cells[2] == "booking", hasOrder: cells[3] == "order",
            hasPaid: cells[4] == "paid")
        #expect(try [Self.text(facts.decision)] == Self.outcome(of: cells, in: Self.exits))
    }

    // MARK: Tables

    private static func text(_ decision: GateDecision) -> String {
        var words = [decision.open ? "opens" : "shut", decision.reason.rawValue]
        if decision.booking != nil { words.append("the booking") }
        if decision.order != nil { words.append("the order") }
        return words.joined(separator: ", ")
    }

    /// One value of each column, in every way.
    static func combinations(_ columns: [[String]]) -> [Cells] {
        columns.reduce([[]]) { rows, values in
            rows.flatMap { row in values.map { row + [$0] } }
        }
    }

    /// The last cells of the one row of a table whose first cells allow these.
    private static func outcome(of cells: Cells, in table: String) throws -> Cells {
        let rows = table.split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let matching = rows.filter { row in
            zip(row, cells).allSatisfy { allowed, cell in
                allowed == "-" || allowed.components(separatedBy: ", ").contains(cell)
            }
        }
        #expect(matching.count == 1)
        return Cells(try #require(matching.first).dropFirst(cells.count))
    }
}
