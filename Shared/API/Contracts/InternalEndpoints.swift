import Foundation

/// What services ask of each other, by tokens of their own. The gateway answers none of it.
public enum InternalEndpoints {
    // MARK: Any service

    /// Publishes again what a service has stored, for whoever has lost it.
    public static let replay = Endpoint<ReplayBody, ReplayAnswer>(
        internal: .post, "/replay", answer: Success("The number of events.", status: 202))

    /// What a service holds on a person, for their export.
    public static let personalData = Endpoint<Void, JSONValue>(
        internal: .get, "/people/{id}", answer: "All of it.")

    // MARK: Products

    /// An engagement, for whoever has not heard of it yet.
    public static let engagement = Endpoint<Void, Engagement>(
        internal: .get, "/engagements/{id}", answer: "As it is now.")

    /// What binds a person to the platform.
    public static let binding = Endpoint<Void, Binding>(
        internal: .get, "/people/{id}/engagement",
        answer: "Something unfinished or unpaid, if anything is.")

    /// What is owed for a thing of a product.
    public static let bill = Endpoint<Void, Bill>(
        internal: .get, "/bills/{id}", answer: "As it is now.")

    // MARK: Accounts, areas and plates

    /// A person, for a service that has not heard of them yet.
    public static let account = Endpoint<Void, AccountChanged>(
        internal: .get, "/accounts/{id}", answer: "As its event tells of it.")

    public static let vehicle = Endpoint<Void, VehicleChanged>(
        internal: .get, "/vehicles/{id}", answer: "As its event tells of it.")

    /// The service areas around a point.
    public static let serviceAreas = Endpoint<PointQuery, [ServiceAreaChanged]>(
        internal: .get, "/service-areas", answer: "As their events tell of them.")

    public static let recognition = Endpoint<Void, RecognitionMade>(
        internal: .get, "/recognitions/{id}", answer: "As its event tells of it.")

    // MARK: Payments

    /// Charges a bill, for a product whose own step the payment is.
    public static let payBill = Endpoint<BillPayment, PaymentAnswer>(
        internal: .post, "/bills/{id}/pay", answer: "The payment.")

    /// What has paid a bill, for a product that has not heard of it yet.
    public static let billPayment = Endpoint<Void, PaymentSucceeded>(
        internal: .get, "/bills/{id}/payment", answer: "As its event tells of it.")

    /// A payment method, for a product that is told how somebody pays from now on.
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
        internal: .post, "/positions", answer: "What became of each position.")

    /// Valets near points of an area.
    public static let candidates = Endpoint<CandidateQuery, CandidateAnswer>(
        internal: .post, "/candidates", answer: "Those of each point.")

    public static let whereabouts = Endpoint<WhereaboutsQuery, WhereaboutsAnswer>(
        internal: .post, "/whereabouts", answer: "Where valets are, and what they do.")

    public static let lastPositions = Endpoint<LastPositionsQuery, LastPositionsAnswer>(
        internal: .post, "/last-positions", answer: "Where people were last.")

    // MARK: Car parks

    /// A valet parks in a car park.
    public static let takeSpace = Endpoint<SpaceBody, TakenSpace>(
        internal: .post, "/spaces", answer: "The space.")

    // MARK: What is brought along

    /// An order of the past. In a demo only.
    public static let pastOrder = Endpoint<PastOrder, Bill>(
        internal: .post, "/past-orders", answer: "Its bill.")

    /// A payment of the past. In a demo only.
    public static let pastPayment = Endpoint<PastPayment, PaymentAnswer>(
        internal: .post, "/bills/{id}/past-payment", answer: "The payment.")

    /// What of a database of the original getalift has become what here.
    public static let getaliftImport = Endpoint<GetaliftImport, GetaliftImported>(
        internal: .post, "/imports", answer: "How much of it was new.")
}

/// What is published again.
public struct ReplayBody: Codable, Sendable {
    /// Events of this time and later.
    public var since: Date

    public init(since: Date) { self.since = since }
}

public struct ReplayAnswer: Codable, Sendable {
    public var events: Int

    public init(events: Int) { self.events = events }
}
