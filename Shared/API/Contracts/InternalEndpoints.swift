import Foundation

/// Requests between services, with tokens of their own. The gateway does not serve them.
public enum InternalEndpoints {
    // MARK: Any service

    /// Publishes stored events again, and the present state of what the service tells whole, for a service that has
    /// lost them.
    public static let replay = Endpoint<ReplayBody, ReplayAnswer>(
        internal: .post, "/replay", answer: Success("The number of events.", status: 202))

    /// The present state of what the service tells whole, for a service whose copies are not filled yet.
    /// 404 for a kind that the service doesn't own or that the caller doesn't copy.
    public static let state = Endpoint<StateQuery, Page<ToldEvent>>(
        internal: .get, "/state", answer: "Events in the order of their things' ids.")

    /// What the service owns and has copies of, for `openvalet doctor`.
    public static let stateReport = Endpoint<Void, StateReport>(
        internal: .get, "/state/report", answer: "Counts and digests.")

    /// A service's data about a person, for their export.
    public static let personalData = Endpoint<Void, JSONValue>(
        internal: .get, "/people/{id}", answer: "All data.")

    // MARK: Products

    /// An engagement, for a service that does not know it yet.
    public static let engagement = Endpoint<Void, Engagement>(
        internal: .get, "/engagements/{id}", answer: "As it is now.")

    /// An obligation because of which a person can't delete their account.
    public static let binding = Endpoint<Void, Binding>(
        internal: .get, "/people/{id}/engagement",
        answer: "Something unfinished or unpaid, if there is any.")

    /// The bill for an item of a product.
    public static let bill = Endpoint<Void, Bill>(
        internal: .get, "/bills/{id}", answer: "As it is now.")

    // MARK: Accounts, areas and plates

    /// A person, for a service that does not know them yet.
    public static let account = Endpoint<Void, AccountChanged>(
        internal: .get, "/accounts/{id}", answer: "As in its event.")

    public static let vehicle = Endpoint<Void, VehicleChanged>(
        internal: .get, "/vehicles/{id}", answer: "As in its event.")

    /// The service areas around a point.
    public static let serviceAreas = Endpoint<PointQuery, [ServiceAreaChanged]>(
        internal: .get, "/service-areas", answer: "As in their events.")

    public static let recognition = Endpoint<Void, RecognitionMade>(
        internal: .get, "/recognitions/{id}", answer: "As in its event.")

    // MARK: Payments

    /// Charges a bill, for a product whose own step the payment is.
    public static let payBill = Endpoint<BillPayment, PaymentAnswer>(
        internal: .post, "/bills/{id}/pay", answer: "The payment.")

    /// Records a payment in cash or by terminal, for a product whose own step it is.
    public static let receiveBill = Endpoint<ReceivedBill, ReceivedPayment>(
        internal: .post, "/bills/{id}/receive", answer: "The payment.")

    /// The amount to charge for a bill before it is published; tax may come on top of its lines.
    public static let billCharge = Endpoint<Bill, BillCharge>(
        internal: .post, "/bill-charges", answer: "The charge, with the tax rates that apply.")

    /// The payment of a bill that is under way, or waits for a further step by the payer.
    public static let billAttempt = Endpoint<Void, PaymentAnswer>(
        internal: .get, "/bills/{id}/attempt", answer: "The payment.")

    /// Finishes the payment of a bill that is under way, or waited for a further step by the payer; begins none.
    public static let resumeBill = Endpoint<Void, PaymentAnswer>(
        internal: .post, "/bills/{id}/resume", answer: "The payment.")

    /// E-mails the receipt of a guest, who has no account.
    public static let mailBill = Endpoint<BillMailBody, BillMailAnswer>(
        internal: .post, "/bills/{id}/mail", answer: "Whether it will be sent.")

    /// The receipt of a guest, who has no account.
    public static let billDocument = Endpoint<Void, PaymentDocument>(
        internal: .get, "/bills/{id}/document", answer: "The receipt, if the bill is a guest's.")

    /// The payment of a bill, for a product that does not know it yet.
    public static let billPayment = Endpoint<Void, PaymentSucceeded>(
        internal: .get, "/bills/{id}/payment", answer: "As in its event.")

    /// A payment method, for a product that stores how a person pays.
    public static let paymentMethod = Endpoint<PayerQuery, PaymentMethod>(
        internal: .get, "/payment-methods/{id}", answer: "If it is theirs.")

    // MARK: Notifications

    public static let feed = Endpoint<FeedQuery, Page<FeedItem>>(
        internal: .get, "/feed", answer: "Its items after a sequence, oldest first.")

    public static let feedHead = Endpoint<FeedQuery, FeedHead>(
        internal: .get, "/feed/head", answer: "The sequence of its newest item.")

    public static let feedHeads = Endpoint<FeedHeadsBody, FeedHeads>(
        internal: .post, "/feed/heads", answer: "The sequence of each one's newest item.")

    // MARK: Location

    public static let positions = Endpoint<PositionBatch, PositionBatchAnswer>(
        internal: .post, "/positions", answer: "The outcome for each position.")

    /// Valets near points of an area.
    public static let candidates = Endpoint<CandidateQuery, CandidateAnswer>(
        internal: .post, "/candidates", answer: "The valets near each point.")

    public static let whereabouts = Endpoint<WhereaboutsQuery, WhereaboutsAnswer>(
        internal: .post, "/whereabouts", answer: "Positions and statuses of valets.")

    public static let lastPositions = Endpoint<LastPositionsQuery, LastPositionsAnswer>(
        internal: .post, "/last-positions", answer: "Last positions of people.")

    // MARK: Car parks

    /// A valet parks in a car park.
    public static let takeSpace = Endpoint<SpaceBody, TakenSpace>(
        internal: .post, "/spaces", answer: "The space.")

    // MARK: Imports

    /// A past order, in a demo only.
    public static let pastOrder = Endpoint<PastOrder, Bill>(
        internal: .post, "/past-orders", answer: "Its bill.")

    /// A past payment, in a demo only.
    public static let pastPayment = Endpoint<PastPayment, PaymentAnswer>(
        internal: .post, "/bills/{id}/past-payment", answer: "The payment.")

    /// Imports data of the original getalift.
    public static let getaliftImport = Endpoint<GetaliftImport, GetaliftImported>(
        internal: .post, "/imports", answer: "The number of new items.")
}

/// The events to publish again.
public struct ReplayBody: Codable, Sendable {
    /// Stored events of this time and later; none if it is absent.
    public var since: Date?
    /// Whether to publish the present state, too; true if it is absent.
    public var state: Bool?

    public init(since: Date?, state: Bool? = nil) { (self.since, self.state) = (since, state) }
}

/// The number of events that will be sent.
public struct ReplayAnswer: Codable, Sendable {
    public var events: Int

    public init(events: Int) { self.events = events }
}
