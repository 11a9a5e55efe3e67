import Contracts
import ServiceKit

/// A product's calls to payments: to charge or hold its bills, and to check a payment method.
public struct Cashier: Sendable {
    /// Longest time to wait for a payment: a card network may take this long.
    public static let patience: Duration = .seconds(30)

    /// The result of asking for a bill's payment.
    public enum Outcome: Sendable {
        /// Paid or held, or waiting for a step of the payer.
        case payment(Payment)
        /// An earlier request has paid or held the bill.
        case settledBefore
        /// Nothing is due: the bill was withdrawn or replaced.
        case notDue
    }

    private let payments: Peer

    public init(_ payments: Peer) { self.payments = payments }

    /// Charges a bill, or holds its amount if its terms say so. Safe to repeat. With `isOffSession`, the payer is not
    /// there: if their bank asks for a confirmation, payments notifies them, and the payment waits.
    ///
    /// - Throws: A refusal by payments, for example of a declined card; `unavailable` if payments gives no answer.
    public func pay(
        _ bill: BillID, by payer: PersonID, method: PaymentMethodID?, token: String? = nil,
        isOffSession: Bool = false
    ) async throws -> Outcome {
        let payment = BillPayment(
            payer: payer, paymentMethodId: method, token: token,
            isOffSession: isOffSession ? true : nil)
        do {
            return .payment(
                try await answer(to: InternalEndpoints.payBill(bill, body: payment)).payment)
        } catch let refusal as Refusal {
            switch refusal.code {
            case "payment.already_paid", "payment.already_held": return .settledBefore
            case "payment.not_due": return .notDue
            default: throw refusal
            }
        }
    }

    /// Records that a person has received the payment of a bill in cash or by terminal. A repeat with the same key gets
    /// the same answer.
    ///
    /// - Throws: A refusal by payments, for example if the bill was paid meanwhile; `unavailable` if payments gives no
    ///   answer.
    public func receive(
        _ bill: BillID, _ body: ReceiveBody, by person: PersonID, once key: RequestKey?
    ) async throws -> ReceivedPayment {
        try await answer(
            to: InternalEndpoints.receiveBill(bill, body: ReceivedBill(by: person, body), key: key))
    }

    /// The amount that the payer of a bill is charged, with tax on top of its lines if prices don't include it. The
    /// bill need not be published.
    ///
    /// - Throws: `unavailable` if payments gives no answer.
    public func charge(of bill: Bill) async throws -> BillCharge {
        do {
            return try await payments(InternalEndpoints.billCharge(body: bill))
        } catch Peer.Failure.refused(let problem) where problem.status == 404 {
            // Payments of 1.0.0, which runs beside this release during an upgrade, knows no tax on top of prices.
            return BillCharge(bill.total, tax: nil)
        } catch is Peer.Failure {
            throw Refusal.unavailable("We couldn't work out the price. Please try again.")
        }
    }

    /// The payment of a bill that is under way, or waits for the payer's further step; nil for none.
    ///
    /// - Throws: `unavailable` if payments gives no answer.
    public func attempt(of bill: BillID) async throws -> Payment? {
        do {
            return try await payments(InternalEndpoints.billAttempt(bill)).payment
        } catch Peer.Failure.refused(let problem) where problem.status == 404 {
            return nil
        } catch is Peer.Failure {
            throw Self.unconfirmed
        }
    }

    /// Finishes the payment of a bill that is under way, or waited for the payer's further step; nil for none. No other
    /// is begun.
    ///
    /// - Throws: A refusal by payments, for example of a declined card; `unavailable` if payments gives no answer.
    public func resume(_ bill: BillID) async throws -> Payment? {
        do {
            return try await answer(to: InternalEndpoints.resumeBill(bill)).payment
        } catch let refusal as Refusal where refusal.status == 404 {
            return nil
        }
    }

    /// Sends the receipt of a guest's bill to an address.
    ///
    /// - Throws: A refusal by payments, for example after too many mails; `unavailable` if payments gives no answer.
    public func mail(_ bill: BillID, to address: String, in language: Language) async throws {
        _ = try await answer(
            to: InternalEndpoints.mailBill(bill, body: BillMailBody(email: address, in: language)),
            or: .unavailable("We couldn't send the receipt. Please try again."))
    }

    /// The receipt of a guest's bill.
    ///
    /// - Throws: `document.unknown` if the bill is unpaid, or of somebody with an account; `unavailable` if payments
    ///   gives no answer.
    public func receipt(of bill: BillID) async throws -> PaymentDocument {
        try await answer(
            to: InternalEndpoints.billDocument(bill),
            or: .unavailable("We couldn't load the receipt. Please try again."))
    }

    /// The payment that has paid a bill.
    ///
    /// - Throws: `unavailable` if payments gives no answer.
    public func payment(of bill: BillID) async throws -> Payment {
        do {
            return try await payments(InternalEndpoints.billPayment(bill)).payment
        } catch is Peer.Failure {
            throw Self.unconfirmed
        }
    }

    /// - Throws: A refusal about the field `paymentMethodId` unless the method is the person's; `unavailable` if
    ///   payments gives no answer.
    public func require(_ method: PaymentMethodID, of person: PersonID) async throws {
        do {
            _ = try await payments(
                InternalEndpoints.paymentMethod(method, asks: PayerQuery(person)))
        } catch Peer.Failure.refused(let problem) {
            throw Refusal(problem).about("paymentMethodId")
        } catch is Peer.Failure {
            throw Refusal.unavailable("We couldn't check your payment method. Please try again.")
        }
    }

    /// - Throws: A refusal by payments, unchanged; `unanswered` if payments gives no answer.
    private func answer<Answer: Decodable>(
        to call: EndpointCall<Answer>, or unanswered: Refusal = Self.unconfirmed
    ) async throws -> Answer {
        do {
            return try await payments(call)
        } catch Peer.Failure.refused(let problem) {
            throw Refusal(problem)
        } catch is Peer.Failure {
            throw unanswered
        }
    }

    private static var unconfirmed: Refusal {
        .unavailable(
            "We couldn't confirm the payment. Please try again; you won't be charged twice.")
    }
}
