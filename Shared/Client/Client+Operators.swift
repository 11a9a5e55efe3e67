import Contracts
import Foundation

// What only operators may do.
extension OpenValetClient {
    @discardableResult
    public func addValet(
        _ body: NewValetBody, key: RequestKey = .new()
    ) async throws -> ValetRecord {
        try await value(AccountEndpoints.addValet(body: body, key: key))
    }

    public func valets(after: String? = nil, limit: Int? = nil) async throws -> Page<ValetRecord> {
        try await value(AccountEndpoints.valets(asks: PageQuery(after: after, limit: limit)))
    }

    /// Somebody who has an account works as a valet besides.
    @discardableResult
    public func grantValet(_ person: PersonID) async throws -> ValetRecord {
        try await value(AccountEndpoints.grantValet(person))
    }

    @discardableResult
    public func changeValet(_ id: ValetID, _ change: ValetChange) async throws -> ValetRecord {
        try await value(AccountEndpoints.changeValet(id, body: change))
    }

    /// For who has lost their phone and their recovery codes.
    public func removeSecondFactors(_ person: PersonID) async throws {
        try await done(AccountEndpoints.removeSecondFactors(person))
    }

    /// Of people, newest first: those with a status, or all.
    public func reports(
        status: ReportStatus? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<ReportRecord> {
        try await value(
            AccountEndpoints.reports(
                asks: ReportsQuery().with(\.status, status).page(after: after, limit: limit)))
    }

    @discardableResult
    public func closeReport(
        _ id: ReportID, _ decision: ReportDecision, key: RequestKey = .new()
    ) async throws -> ReportRecord {
        try await value(AccountEndpoints.closeReport(id, body: decision, key: key))
    }

    /// Every order, newest first.
    public func allOrders(
        status: OrderStatus? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<OrderView> {
        try await value(
            OrderEndpoints.allOrders(
                asks: AllOrdersQuery().with(\.status, status).page(after: after, limit: limit)))
    }

    /// Sets the state by hand, always with a written reason.
    @discardableResult
    public func override(
        _ id: OrderID, _ body: OverrideBody, key: RequestKey = .new()
    ) async throws -> OrderView {
        try await value(OrderEndpoints.overrideOrder(id, body: body, key: key))
    }

    /// Whether each line of an order's custody record is as it was written.
    public func verifyCustody(_ id: OrderID) async throws -> CustodyVerification {
        try await value(OrderEndpoints.verifyCustody(id))
    }

    /// Orders that stay in one state for too long.
    public func alerts(
        status: AlertStatus? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<Alert> {
        try await value(
            OrderEndpoints.alerts(
                asks: AlertsQuery().with(\.status, status).page(after: after, limit: limit)))
    }

    @discardableResult
    public func acknowledgeAlert(
        _ id: AlertID, key: RequestKey = .new()
    ) async throws -> Alert {
        try await value(OrderEndpoints.acknowledgeAlert(id, key: key))
    }

    public func serviceArea(_ id: ServiceAreaID) async throws -> ServiceAreaFeature {
        try await value(AreaEndpoints.serviceArea(id))
    }

    @discardableResult
    public func putServiceArea(
        _ id: ServiceAreaID, _ feature: ServiceAreaFeature
    ) async throws -> ServiceAreaFeature {
        try await value(AreaEndpoints.putServiceArea(id, body: feature))
    }

    /// Makes a new version of the tariff; orders keep the one that they were placed under.
    @discardableResult
    public func putTariff(
        _ id: ServiceAreaID, _ tariff: Tariff
    ) async throws -> ServiceAreaFeature {
        try await value(AreaEndpoints.putTariff(id, body: tariff))
    }

    /// The whole remaining amount when `body.amount` is absent.
    @discardableResult
    public func refund(
        _ payment: PaymentID, _ body: RefundBody, key: RequestKey = .new()
    ) async throws -> Refund {
        try await value(PaymentEndpoints.refund(payment, body: InCurrency(body), key: key))
    }

    /// What each account of the ledger holds; the sum is zero.
    public func trialBalance() async throws -> TrialBalance {
        try await value(PaymentEndpoints.trialBalance())
    }

    /// Entries of the ledger, newest first; of one order, or of all.
    public func ledgerEntries(
        of order: OrderID? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<LedgerRecord> {
        try await value(
            PaymentEndpoints.ledgerEntries(
                asks: LedgerQuery().with(\.billId, order?.as(BillID.self))
                    .page(after: after, limit: limit)))
    }

    /// Of the orders placed in a span of 31 days at most; a day up to now unless said otherwise.
    public func orderStatistics(
        from: Date? = nil, to: Date? = nil
    ) async throws -> OrderStatistics {
        try await value(OrderEndpoints.orderStatistics(asks: SpanQuery(from: from, to: to)))
    }

    /// What was paid and given back in a span of 31 days at most; a day up to now unless said
    /// otherwise.
    public func revenueStatistics(
        from: Date? = nil, to: Date? = nil
    ) async throws -> RevenueStatistics {
        try await value(PaymentEndpoints.revenueStatistics(asks: SpanQuery(from: from, to: to)))
    }

    /// Holds a UTC day of the ledger (`2026-11-21`) against the payment provider's list.
    @discardableResult
    public func reconcile(
        day: String, key: RequestKey = .new()
    ) async throws -> Reconciliation {
        try await value(
            PaymentEndpoints.reconcile(body: ReconciliationBody(day: day), key: key))
    }

    public func reconciliations(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<Reconciliation> {
        try await value(
            PaymentEndpoints.reconciliations(asks: PageQuery(after: after, limit: limit)))
    }

    /// What operators did, newest first.
    public func audit(
        by operatorID: OperatorID? = nil, action: String? = nil, subject: String? = nil,
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<AuditEntry> {
        try await value(
            NotificationEndpoints.audit(
                asks: AuditQuery().with(\.operator, operatorID).with(\.action, action)
                    .with(\.subject, subject).page(after: after, limit: limit)))
    }

    /// Text messages and mails that the `dev` provider kept.
    public func messages(
        to phone: String? = nil, email: String? = nil, after: String? = nil, limit: Int? = nil
    ) async throws -> Page<TextMessage> {
        try await value(
            NotificationEndpoints.messages(
                asks: MessagesQuery().with(\.phone, phone).with(\.email, email)
                    .page(after: after, limit: limit)))
    }

    public func deadLetters(
        after: String? = nil, limit: Int? = nil
    ) async throws -> Page<DeadLetter> {
        try await value(
            NotificationEndpoints.deadLetters(asks: PageQuery(after: after, limit: limit)))
    }

    /// Publishes the original record once more.
    @discardableResult
    public func retryDeadLetter(
        _ id: DeadLetterID, key: RequestKey = .new()
    ) async throws -> DeadLetter {
        try await value(NotificationEndpoints.retryDeadLetter(id, key: key))
    }
}
