import Contracts
import EventBus
import Foundation
import ServiceKit
import Store

/// How a person received a payment, or handed out a refund, in cash or by terminal.
struct HandReceipt: Codable, Sendable, Hashable {
    let by: PersonID
    /// Nil for a terminal.
    let drawer: DrawerID?
    let note: String?
    let at: Date
}

/// A drawer as it is stored. What should be in it is the balance of its account in the ledger.
struct Drawer: Document {
    let id: DrawerID
    let keeper: PersonID
    let name: String
    let openedAt: Date
    let float: [Money]
    private(set) var closed: Count?
    /// Increases with each movement of cash, so that two at once can't both count on the same cash.
    var version = Version()

    /// The count at the end.
    struct Count: Codable, Sendable {
        let at: Date
        let counted, expected: [Money]
    }

    init(_ id: DrawerID, of keeper: PersonID, name: String, float: [Money], at now: Date) {
        (self.id, self.keeper, self.name) = (id, keeper, name)
        (self.float, openedAt) = (float, now)
    }

    var columns: KeyValuePairs<String, (any SQLConvertible)?> {
        ["keeper": keeper, "is_open": closed == nil]
    }

    mutating func close(_ counted: [Money], expected: [Money], at now: Date) {
        closed = Count(at: now, counted: counted, expected: expected)
    }

    func view(_ balance: [Money]) -> CashDrawer {
        var view = CashDrawer(
            id: id, keeper: keeper, name: name, openedAt: openedAt, float: float,
            expected: closed?.expected ?? balance)
        guard let closed else { return view }
        (view.closedAt, view.counted) = (closed.at, closed.counted)
        view.differences = closed.differences
        return view
    }
}

extension Drawer.Count {
    /// Counted less expected, for each currency of either.
    fileprivate var differences: [Money] {
        let sums = (counted + expected.map(\.negated)).reduce(into: [String: Int]()) {
            $0[$1.currency, default: 0] += $1.amount
        }
        return sums.sorted { $0.key < $1.key }.map { Money(amount: $0.value, currency: $0.key) }
    }
}

extension Transaction {
    var drawers: DrawerStore { DrawerStore(transaction: self) }
}

/// Drawers, and refunds that nobody has handed out yet.
struct DrawerStore {
    static let migration = Migration.addition(
        "cash-1",
        """
        CREATE TABLE drawers (
            id TEXT NOT NULL PRIMARY KEY,
            keeper TEXT NOT NULL,
            is_open BIGINT NOT NULL,
            version BIGINT NOT NULL,
            body TEXT NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX drawers_one_open ON drawers (keeper) WHERE is_open = 1",
        "CREATE INDEX drawers_of_keeper ON drawers (keeper, id)",
        "CREATE TABLE cash_refunds (id TEXT NOT NULL PRIMARY KEY)")

    static let table = DocumentTable<Drawer>("drawers")

    let transaction: Transaction

    func find(_ id: DrawerID) throws -> Drawer? {
        try Self.table.value(of: id, in: transaction)
    }

    func open(of keeper: PersonID) throws -> Drawer? {
        try transaction.row("SELECT body FROM drawers WHERE keeper = ? AND is_open = 1", keeper)?
            .json()
    }

    /// The open drawer for a movement of cash; the person's own one if none is named. A valet uses no other's.
    func use(_ id: DrawerID?, by person: PersonID, isValet: Bool) throws -> Drawer {
        guard let id else {
            guard let own = try open(of: person) else { throw Refusal.drawerRequired }
            return own
        }
        guard let drawer = try find(id), !isValet || drawer.keeper == person else {
            throw Refusal.drawerUnknown
        }
        guard drawer.closed == nil else { throw Refusal.drawerClosed }
        return drawer
    }

    /// Stores a movement of cash: of two at once, one is tried again.
    func update(_ drawer: inout Drawer) throws {
        drawer.version.advance()
        try Self.table.update(&drawer, in: transaction)
    }

    func balance(of drawer: DrawerID) throws -> [Money] {
        try transaction.ledger.balance(of: .cash(drawer.description))
    }

    func view(_ drawer: Drawer) throws -> CashDrawer {
        try view(drawer, transaction.books.names(of: [drawer.keeper]))
    }

    private func view(_ drawer: Drawer, _ names: [PersonID: String]) throws -> CashDrawer {
        var view = try drawer.view(drawer.closed == nil ? balance(of: drawer.id) : [])
        view.keeperName = names[drawer.keeper]
        return view
    }

    func page(_ conditions: Conditions, _ page: PageRequest) throws -> Page<CashDrawer> {
        let found: Page<Drawer> = try transaction.page(page, of: "drawers", where: conditions)
        let names = try transaction.books.names(of: Set(found.items.map(\.keeper)))
        return Page(items: try found.items.map { try view($0, names) }, next: found.next)
    }

    /// Takes cash out of a drawer, unless there is too little.
    func takeOut(_ amount: Money, of drawer: inout Drawer) throws {
        let there =
            try balance(of: drawer.id).first { $0.currency == amount.currency }
            ?? .zero(amount.currency)
        guard amount.amount <= there.amount else {
            throw Refusal.drawerTooLittle.because("There is: \(there.text(in: .english)).")
        }
        try update(&drawer)
    }
}
