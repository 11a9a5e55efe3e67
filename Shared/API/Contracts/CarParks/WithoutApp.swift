import Foundation

/// Details by which a driver without the app finds a stay or a fine: the plate and the approximate
/// time of entry, or the code of the stay or fine.
public struct ParkingLookupBody: Codable, Sendable {
    /// Required with a plate and a time.
    public var carParkId: CarParkID?
    public var plate: String?
    /// Time of the entry. It may be ten minutes off.
    public var enteredAt: Date?
    /// Code of the stay that the entrance shows or prints, or the reference of a fine.
    public var code: String?

    public init(
        carParkId: CarParkID? = nil, plate: String? = nil, enteredAt: Date? = nil,
        code: String? = nil
    ) {
        (self.carParkId, self.plate) = (carParkId, plate)
        (self.enteredAt, self.code) = (enteredAt, code)
    }
}

/// The amount due for a stay or a fine.
public struct ParkingLookup: Codable, Sendable, Hashable {
    /// A part of the price.
    public struct Line: Codable, Sendable, Hashable {
        /// For example `driveUp`, `fine`, or `earlier` for an earlier stay that was not paid.
        public var kind: String
        public var text: String
        public var amount: Money
        /// Number of units; absent for a single price.
        public var quantity: Int?
        /// The unit of `quantity`, for example `hours`.
        public var unit: String?
        /// The price of a unit.
        public var unitPrice: Money?

        public init(kind: String, text: String, amount: Money) {
            (self.kind, self.text, self.amount) = (kind, text, amount)
        }
    }

    /// Shows `POST /v1/parking/pay` that the caller has found the stay or fine.
    public var token: String
    /// Name of the car park.
    public var carPark: String
    /// IANA name of the car park's time zone.
    public var timeZone: String
    /// True for a fine; absent for a stay.
    public var isFine: Bool?
    /// When the vehicle drove in, or the fine was issued.
    public var enteredAt: Date
    public var lines: [Line]
    /// Tax on top of the lines; absent if their prices include it.
    public var tax: Money?
    /// The sum of the lines and the tax.
    public var due: Money
    /// Until then it can be paid at this price.
    public var expiresAt: Date
    /// How long the driver may take to leave after paying, in seconds; null if the vehicle has
    /// left, and for a fine.
    @Nullable public var secondsToLeave: Int?

    public init(
        token: String, carPark: String, timeZone: String, enteredAt: Date, lines: [Line],
        tax: Money? = nil, due: Money, expiresAt: Date, secondsToLeave: Int?
    ) {
        (self.token, self.carPark, self.timeZone) = (token, carPark, timeZone)
        (self.enteredAt, self.lines, self.tax, self.due) = (enteredAt, lines, tax, due)
        (self.expiresAt, self.secondsToLeave) = (expiresAt, secondsToLeave)
    }
}

/// A payment for a stay or fine that was looked up.
public struct ParkingPayBody: Codable, Sendable {
    /// The token of `POST /v1/parking/lookup`.
    public var lookup: String
    /// Token of the payment provider: letters, digits, `_` and `-`.
    public var token: String
    /// Address for the receipt; absent to send none. For the stay of a driver with an account, none
    /// is sent.
    public var email: String?

    public init(lookup: String, token: String, email: String? = nil) {
        (self.lookup, self.token, self.email) = (lookup, token, email)
    }
}

/// Identifies a payment without an account, to get its receipt.
public struct ParkingReceiptBody: Codable, Sendable {
    /// The token of `POST /v1/parking/lookup` that was used to pay.
    public var lookup: String
    /// The `bill` that `POST /v1/parking/pay` returned.
    public var bill: BillID

    public init(lookup: String, bill: BillID) { (self.lookup, self.bill) = (lookup, bill) }
}

/// A payment for a stay or fine, with the details to show with it.
public struct ParkingPayment: Codable, Sendable, Hashable {
    public var status: Open<PaymentStatus>
    /// Secret for the payer's further step, with `requiresAction`; otherwise null. After that step,
    /// the same request finishes the payment.
    @Nullable public var clientSecret: String?
    public var bill: BillID
    public var reference: String
    /// Name of the car park.
    public var carPark: String
    /// IANA name of the car park's time zone.
    public var timeZone: String
    /// When the vehicle drove in, or the fine was issued.
    public var enteredAt: Date
    public var amount: Money
    @Nullable public var brand: String?
    @Nullable public var last4: String?
    /// Null until it is paid.
    @Nullable public var paidAt: Date?
    /// The exit opens for the plate until then; null until it is paid, if the vehicle has left, and
    /// for a fine.
    @Nullable public var leaveBy: Date?

    public init(
        _ payment: Payment, reference: String, carPark: String, timeZone: String, enteredAt: Date
    ) {
        (status, clientSecret, bill) = (payment.status, payment.clientSecret, payment.bill)
        (amount, brand, last4) = (payment.amount, payment.brand, payment.last4)
        (self.reference, self.carPark, self.timeZone) = (reference, carPark, timeZone)
        self.enteredAt = enteredAt
        (paidAt, leaveBy) = (nil, nil)
    }
}

/// The amount due for a stay, with its lines.
public struct ParkingDue: Codable, Sendable, Hashable {
    public var lines: [ParkingLookup.Line]
    /// Tax on top of the lines; absent if their prices include it.
    public var tax: Money?
    /// The sum of the lines and the tax; null if nothing is due.
    @Nullable public var due: Money?
    /// How long the exit opens for the plate after the payment or the end of the stay, in seconds.
    public var secondsToLeave: Int
    /// The driver's payment that waits for their confirmation, whose amount may be less than `due`. Absent if there is
    /// none, and for operators.
    public var payment: Payment?

    public init(
        lines: [ParkingLookup.Line], tax: Money? = nil, due: Money?, secondsToLeave: Int
    ) {
        (self.lines, self.tax, self.secondsToLeave) = (lines, tax, secondsToLeave)
        self.due = due
    }
}

/// A payment of a driver who has lost their ticket.
public struct LostTicketBody: Codable, Sendable {
    public var plate: String
    /// `cash` or `terminal`.
    public var means: PaymentMeans
    /// Amount handed over, in minor units. Defaults to the amount due.
    public var given: Int?
    /// The drawer into which the cash goes. Defaults to the operator's open drawer.
    public var drawerId: DrawerID?
    /// For the audit log, without names of people.
    public var note: String?

    public init(
        plate: String, _ means: PaymentMeans, given: Int? = nil, drawerId: DrawerID? = nil,
        note: String? = nil
    ) {
        (self.plate, self.means, self.given) = (plate, means, given)
        (self.drawerId, self.note) = (drawerId, note)
    }
}

extension ParkingLookup.Line: SchemaNamed {
    public static var schemaName: String { "ParkingLookupLine" }
}

/// Where the web apps are.
public struct PayCodeQuery: Query {
    public var origin: String

    public init(origin: String) { self.origin = origin }

    public static let fields: [String: QueryField] = [
        "origin": .atMost(200, "Origin of the web apps, for example `https://valet.example.org`.")
    ]
}

/// The QR code with which drivers find the page for paying.
public struct PayCode: Codable, Sendable, Hashable {
    public var url: String
    public var qrCode: QRPicture

    public init(url: String, qrCode: QRPicture) { (self.url, self.qrCode) = (url, qrCode) }
}

/// Opens a gate once.
public struct GateOpenBody: Codable, Sendable {
    /// For the audit log, without names of people.
    public var reason: String
    /// The stay of the vehicle at the gate, whatever plate is read. At an exit it ends.
    public var sessionId: ParkingSessionID?
    /// Plate of the vehicle at the gate, if it can't be read.
    public var plate: String?

    public init(reason: String, sessionId: ParkingSessionID? = nil, plate: String? = nil) {
        (self.reason, self.sessionId, self.plate) = (reason, sessionId, plate)
    }
}

/// A gate that opens once.
public struct GateOpening: Codable, Sendable, Hashable {
    public var gateId: GateID
    /// It opens for the next vehicle until then.
    public var expiresAt: Date

    public init(gateId: GateID, expiresAt: Date) {
        (self.gateId, self.expiresAt) = (gateId, expiresAt)
    }
}

/// Parking without an account: drivers pay by plate or code, and operators let vehicles out.
public enum WithoutAppEndpoints {
    public static let lookUpParking = Endpoint<ParkingLookupBody, ParkingLookup>(
        .post, "/v1/parking/lookup", id: "lookUpParking",
        "Look up the amount due for a stay or fine",
        """
        For drivers without an account, by car park, plate and time of entry, by the stay's code, or by \
        the reference of a fine. The plate alone finds nothing.
        """, by: .anybody, rate: .strict, answer: "The amount due.",
        refuses: [.parkingNothingFound, .tooManyLookups])
    public static let payForParking = Endpoint<ParkingPayBody, ParkingPayment>(
        .post, "/v1/parking/pay", id: "payForParking", "Pay for a stay or fine without an account",
        """
        After payment for a stay, the exit opens for the plate. With `requiresAction`, the payer takes a further \
        step, and the same request finishes the payment. A repeated request never charges twice.
        """, by: .anybody, rate: .strict, answer: "The payment.",
        refuses: Refusal.paying + [.parkingLookupExpired, .parkingPaymentReturned])
    public static let parkingReceipt = Endpoint<ParkingReceiptBody, PaymentDocument>(
        .post, "/v1/parking/receipt", id: "parkingReceipt",
        "The receipt of a payment without an account",
        "For the guest who paid. Drivers with an account find their receipt in the app.",
        by: .anybody, answer: "The receipt.", refuses: [.documentUnknown])
    public static let openGate = Endpoint<GateOpenBody, GateOpening>(
        .post, "/v1/admin/gates/{id}/open", id: "openGate", "Open a gate once",
        """
        For the next vehicle within two minutes. At an exit its stay ends: what is due is billed if the driver is \
        known, and otherwise stays open for the plate.
        """, by: [.operator], answer: "The gate opens once.",
        refuses: [.gateUnknown, .parkingSessionUnknown])
    public static let receiveForStay = Endpoint<ReceiveBody, ReceivedPayment>(
        .post, "/v1/admin/parking-sessions/{id}/receive", id: "receiveForStay",
        "Record a payment for a stay in cash or by card terminal",
        "The exit then opens for the plate, as after a payment in the app.", by: [.operator],
        with: [.idempotencyKey],
        answer: Success("The payment, and the change to give back.", status: 201),
        refuses: Refusal.receiving + [
            .parkingSessionUnknown, .nothingDueForParking, .carParkUnknown, .parkingPaymentReturned,
        ])
    public static let parkingDue = Endpoint<Void, ParkingDue>(
        .get, "/v1/admin/parking-sessions/{id}/due", id: "parkingDue", "Amount due for a stay",
        "Includes overstays, earlier stays of the plate and tax.", by: [.operator],
        answer: "The amount due.", refuses: [.parkingSessionUnknown, .carParkUnknown])
    public static let lostTicketPrice = Endpoint<Void, ParkingDue>(
        .get, "/v1/admin/car-parks/{id}/lost-tickets", id: "lostTicketPrice",
        "The price of a lost ticket", "Includes tax.", by: [.operator], answer: "The amount due.",
        refuses: [.carParkUnknown, .lostTicketWithoutPrice])
    public static let receiveForLostTicket = Endpoint<LostTicketBody, ReceivedPayment>(
        .post, "/v1/admin/car-parks/{id}/lost-tickets", id: "receiveForLostTicket",
        "Record the payment of a driver who has lost their ticket",
        """
        Charges the tariff's price for a lost ticket instead of the price of the stay, and ends the stay. The exit \
        then opens for the plate for a while, even if its entry isn't known.
        """, by: [.operator], with: [.idempotencyKey],
        answer: Success("The payment, and the change to give back.", status: 201),
        refuses: Refusal.receiving + [
            .carParkUnknown, .lostTicketWithoutPrice, .nothingDueForParking,
            .parkingPaymentReturned,
        ])

    public static let receiveForFine = Endpoint<ReceiveBody, ReceivedPayment>(
        .post, "/v1/admin/fines/{id}/receive", id: "receiveForFine",
        "Record a payment of a fine in cash or by card terminal", by: [.operator],
        with: [.idempotencyKey],
        answer: Success("The payment, and the change to give back.", status: 201),
        refuses: Refusal.receiving + [.fineUnknown, .fineNotPossible])
    public static let payCode = Endpoint<PayCodeQuery, PayCode>(
        .get, "/v1/admin/car-parks/{id}/pay-code", id: "payCode", "The QR code for paying",
        "Leads to the page on which drivers pay without the app; for the exits of a car park.",
        by: [.operator], answer: "The address and its code.", refuses: [.carParkUnknown])
    public static let finePayCode = Endpoint<PayCodeQuery, PayCode>(
        .get, "/v1/admin/fines/{id}/pay-code", id: "finePayCode", "The QR code for paying a fine",
        """
        Opens the page on which anybody can pay it without the app. For the notice on the windscreen.
        """,
        by: [.operator], answer: "The address and its code.",
        refuses: [.fineUnknown, .fineNotPossible])

    static let all: [AnyEndpoint] = [
        payCode.untyped, finePayCode.untyped, receiveForFine.untyped, lookUpParking.untyped,
        payForParking.untyped, parkingReceipt.untyped, openGate.untyped, receiveForStay.untyped,
        parkingDue.untyped, lostTicketPrice.untyped, receiveForLostTicket.untyped,
    ]
}
