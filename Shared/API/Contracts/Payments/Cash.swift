import Foundation

public enum DrawerKind {}
public typealias DrawerID = Identifier<DrawerKind>

/// A drawer or pouch with cash, which one person keeps from its opening until it is counted.
public struct CashDrawer: Codable, Sendable, Hashable {
    public var id: DrawerID
    /// The operator or valet who keeps it.
    public var keeper: PersonID
    /// Name of the keeper; null if it isn't known.
    @Nullable public var keeperName: String?
    public var name: String
    public var openedAt: Date
    /// When it was counted and closed; null while it is open.
    @Nullable public var closedAt: Date?
    /// Change with which it was opened, by currency.
    public var float: [Money]
    /// Cash that should be in it, by currency: now, or when it was closed.
    public var expected: [Money]
    /// Cash counted when it was closed, by currency; null while it is open.
    @Nullable public var counted: [Money]?
    /// Counted less expected, by currency; null while it is open.
    @Nullable public var differences: [Money]?

    public init(
        id: DrawerID, keeper: PersonID, name: String, openedAt: Date, float: [Money],
        expected: [Money]
    ) {
        (self.id, self.keeper, self.name) = (id, keeper, name)
        (self.openedAt, self.float, self.expected) = (openedAt, float, expected)
        (keeperName, closedAt, counted, differences) = (nil, nil, nil, nil)
    }
}

/// A drawer to open.
public struct OpenDrawerBody: Codable, Sendable {
    public var name: String
    /// The valet or operator who keeps it. Defaults to the caller; only operators may name others.
    public var keeper: PersonID?
    /// Change that is in it, by currency. Defaults to none.
    public var float: [Money]?

    public init(name: String, keeper: PersonID? = nil, float: [Money]? = nil) {
        (self.name, self.keeper, self.float) = (name, keeper, float)
    }
}

/// The cash counted in a drawer.
public struct CloseDrawerBody: Codable, Sendable {
    /// By currency. A currency that is missing counts as nothing.
    public var counted: [Money]
    /// Why it differs, without names of people.
    public var note: String?

    public init(counted: [Money], note: String? = nil) {
        (self.counted, self.note) = (counted, note)
    }
}

/// Cash that is taken out of a drawer.
public struct DepositBody: Codable, Sendable {
    public var amount: Money
    /// The drawer into which it goes. Defaults to the safe or the bank.
    public var drawerId: DrawerID?
    public var note: String?

    public init(amount: Money, drawerId: DrawerID? = nil, note: String? = nil) {
        (self.amount, self.drawerId, self.note) = (amount, drawerId, note)
    }
}

/// A payment that was made to a person, in cash or by a card terminal.
public struct ReceiveBody: Codable, Sendable {
    /// `cash` or `terminal`.
    public var means: PaymentMeans
    /// Amount handed over, in minor units of the bill's currency. Defaults to the amount due. A
    /// terminal takes exactly what is due.
    public var given: Int?
    /// The drawer into which the cash goes. Defaults to the open one of the person who receives it.
    public var drawerId: DrawerID?
    /// For the audit log, without names of people.
    public var note: String?

    public init(
        _ means: PaymentMeans, given: Int? = nil, drawerId: DrawerID? = nil, note: String? = nil
    ) {
        (self.means, self.given, self.drawerId, self.note) = (means, given, drawerId, note)
    }
}

/// A payment that a product's operator received, with that operator.
public struct ReceivedBill: Codable, Sendable {
    public var by: PersonID
    public var body: ReceiveBody

    public init(by person: PersonID, _ body: ReceiveBody) { (by, self.body) = (person, body) }
}

/// A payment in cash or by terminal, and the change to give back.
public struct ReceivedPayment: Codable, Sendable, Hashable {
    public var payment: Payment
    /// Cash to give back to the person who paid; zero for none.
    public var change: Money

    public init(payment: Payment, change: Money) {
        (self.payment, self.change) = (payment, change)
    }
}

/// How a refund is handed out.
public struct HandOutBody: Codable, Sendable {
    /// `cash` or `terminal`.
    public var means: PaymentMeans
    /// The drawer from which the cash comes. Defaults to the caller's open one.
    public var drawerId: DrawerID?

    public init(_ means: PaymentMeans, drawerId: DrawerID? = nil) {
        (self.means, self.drawerId) = (means, drawerId)
    }
}

/// Filters drawers.
public struct DrawersQuery: PagedQuery {
    public enum State: String, QueryChoice { case open, closed }

    public var after: String?
    public var limit: Int?
    public var state: State?
    public var keeper: PersonID?

    public init() {}

    public static let fields: [String: QueryField] = [
        "state": "`open` returns drawers that are in use, `closed` those that have been counted.",
        "keeper": "Return only drawers of this person.",
    ]
}

/// Cash and card terminals: drawers, payments that people receive, and refunds that they hand out.
public enum CashEndpoints {
    public static let openDrawer = Endpoint<OpenDrawerBody, CashDrawer>(
        .post, "/v1/admin/drawers", id: "openDrawer", "Open a cash drawer",
        "For the operator, or as the pouch of a valet. A person has one open drawer at most.",
        by: [.operator], with: [.idempotencyKey], answer: Success("The drawer.", status: 201),
        refuses: [.drawerAlreadyOpen])
    public static let drawers = Endpoint<DrawersQuery, Page<CashDrawer>>(
        .get, "/v1/admin/drawers", id: "drawers", "Cash drawers", by: [.operator],
        answer: "Newest first.")
    public static let openPouch = Endpoint<OpenDrawerBody, CashDrawer>(
        .post, "/v1/me/drawers", id: "openPouch", "Open my cash drawer",
        "For cash that a valet takes at the hand-over. A person has one open drawer at most.",
        by: [.valet, .operator], with: [.idempotencyKey],
        answer: Success("The drawer.", status: 201), refuses: [.drawerAlreadyOpen])
    public static let myDrawers = Endpoint<PageQuery, Page<CashDrawer>>(
        .get, "/v1/me/drawers", id: "myDrawers", "My cash drawers", by: [.valet, .operator],
        answer: "Newest first.")
    public static let closeDrawer = Endpoint<CloseDrawerBody, CashDrawer>(
        .post, "/v1/drawers/{id}/close", id: "closeDrawer", "Count and close a cash drawer",
        """
        The difference between what was counted and what should be there is entered in the ledger, and the cash goes \
        to the safe. Valets close their own.
        """, by: [.valet, .operator], with: [.idempotencyKey], answer: "The closed drawer.",
        refuses: [.drawerUnknown, .drawerClosed])
    public static let deposit = Endpoint<DepositBody, CashDrawer>(
        .post, "/v1/drawers/{id}/deposits", id: "deposit", "Take cash out of a drawer",
        "To the safe or the bank, or into another open drawer. Valets use their own.",
        by: [.valet, .operator], with: [.idempotencyKey],
        answer: Success("The drawer with the rest.", status: 201),
        refuses: [.drawerUnknown, .drawerClosed, .drawerTooLittle])
    public static let receiveBill = Endpoint<InCurrency<ReceiveBody>, ReceivedPayment>(
        .post, "/v1/admin/bills/{id}/receive", id: "receiveBill",
        "Record a payment in cash or by card terminal",
        "Refused if the bill has been paid. A card payment that waits for the payer is cancelled.",
        by: [.operator], with: [.idempotencyKey],
        answer: Success("The payment, and the change to give back.", status: 201),
        refuses: Refusal.receiving + [.paymentCurrencyMismatch])
    public static let orderBill = Endpoint<Void, BillView>(
        .get, "/v1/orders/{id}/bill", id: "orderBill", "The bill of an order, for its valets",
        "For the valets who served the order and may take cash for it. It never shows the payment.",
        by: [.valet], answer: "The bill.", refuses: [.billUnknown])
    public static let receiveOrder = Endpoint<InCurrency<ReceiveBody>, ReceivedPayment>(
        .post, "/v1/orders/{id}/receive", id: "receiveOrder",
        "Record that the customer has paid at the hand-over",
        "For the valets who served the order. Cash goes into the valet's own drawer.",
        by: [.valet], with: [.idempotencyKey],
        answer: Success("The payment, and the change to give back.", status: 201),
        refuses: Refusal.receiving + [.paymentCurrencyMismatch])
    public static let cashRefunds = Endpoint<PageQuery, Page<Refund>>(
        .get, "/v1/admin/cash-refunds", id: "cashRefunds", "Refunds to hand out",
        "Refunds of payments in cash or by terminal that nobody has handed out yet.",
        by: [.operator], answer: "Newest first.")
    public static let handOut = Endpoint<HandOutBody, Refund>(
        .post, "/v1/admin/cash-refunds/{id}/hand-out", id: "handOut", "Hand out a refund",
        by: [.operator], with: [.idempotencyKey], answer: "The refund.",
        refuses: [
            .refundUnknown, .drawerUnknown, .drawerClosed, .drawerRequired, .drawerTooLittle,
        ])

    public static let all: [AnyEndpoint] = [
        openDrawer.untyped, drawers.untyped, openPouch.untyped, myDrawers.untyped,
        closeDrawer.untyped, deposit.untyped, receiveBill.untyped, receiveOrder.untyped,
        cashRefunds.untyped, handOut.untyped, orderBill.untyped,
    ]
}
