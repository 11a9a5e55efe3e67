import Foundation
import Geo

public enum BookingStatus: String, Codable, Sendable, CaseIterable {
    /// Its space is taken, and not paid yet.
    case held
    case confirmed
    /// The vehicle is inside.
    case active
    case completed
    /// Not paid in time.
    case expired
    case cancelled
    /// Nobody came.
    case noShow
}

public struct BookingBody: Codable, Sendable {
    public var carParkId: CarParkID
    public var productId: ParkingProductID
    public var start: Date
    public var quantity: Int
    /// One when absent.
    public var spaces: Int?
    /// General when absent.
    public var kind: SpaceClass?
    public var vehicleIds: [VehicleID]
    /// That the person has read.
    public var termsVersion: Int
    /// The total that the person was told, in minor units: another is refused.
    public var total: Int?
    /// Paid with these of the person's points; none when absent.
    public var points: Int?

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case carParkId, productId, start, quantity, spaces, vehicleIds, termsVersion, total, points
    }

    public init(
        carParkId: CarParkID, productId: ParkingProductID, start: Date, quantity: Int,
        spaces: Int? = nil, kind: SpaceClass? = nil, vehicleIds: [VehicleID], termsVersion: Int
    ) {
        (self.carParkId, self.productId, self.start) = (carParkId, productId, start)
        (self.quantity, self.spaces, self.kind) = (quantity, spaces, kind)
        (self.vehicleIds, self.termsVersion) = (vehicleIds, termsVersion)
    }
}

/// What is to be another; what is absent stays. With a way to pay where it becomes dearer.
public struct BookingChange: Codable, Sendable {
    public var carParkId: CarParkID?
    public var productId: ParkingProductID?
    public var start: Date?
    public var quantity: Int?
    public var spaces: Int?
    public var kind: SpaceClass?
    public var vehicleIds: [VehicleID]?
    public var termsVersion: Int?
    /// The difference that the person was told, in minor units: another is refused.
    public var difference: Int?
    public var paymentMethodId: PaymentMethodID?
    public var token: String?

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case carParkId, productId, start, quantity, spaces, vehicleIds, termsVersion, difference
        case paymentMethodId, token
    }

    public init() {}
}

/// `POST /v1/bookings/{id}/extend`
public struct ExtendBody: Codable, Sendable {
    public var until: Date
    /// The difference that the person was told, in minor units: another is refused.
    public var difference: Int?
    public var paymentMethodId: PaymentMethodID?
    public var token: String?

    public init(until: Date, paymentMethodId: PaymentMethodID? = nil, token: String? = nil) {
        (self.until, self.paymentMethodId, self.token) = (until, paymentMethodId, token)
    }
}

public struct BookingLine: Codable, Sendable, Hashable {
    /// `parking`, `points`, `overstay`, `overstayFee`.
    public var kind: String
    public var text: String
    public var amount: Money

    public init(kind: String, text: String, amount: Money) {
        (self.kind, self.text, self.amount) = (kind, text, amount)
    }
}

/// A stay that is booked ahead, as its owner and operators see it.
public struct Booking: Codable, Sendable, Hashable {
    public struct Place: Codable, Sendable, Hashable {
        public var id: CarParkID
        public var name: String
        public var position: Coordinate
        public var timeZone: String

        public init(id: CarParkID, name: String, position: Coordinate, timeZone: String) {
            (self.id, self.name, self.position, self.timeZone) = (id, name, position, timeZone)
        }
    }

    public struct Booked: Codable, Sendable, Hashable {
        public var id: ParkingProductID
        public var name: String
        public var kind: ParkingProduct.Unit
        public var version: Int
        /// Of one unit, in minor units.
        public var price: Int

        public init(_ product: ParkingProduct) {
            (id, name, kind) = (product.id, product.name, product.kind)
            (version, price) = (product.version, product.price)
        }
    }

    public struct BookedVehicle: Codable, Sendable, Hashable {
        public var id: VehicleID
        public var plate: String

        public init(id: VehicleID, plate: String) { (self.id, self.plate) = (id, plate) }
    }

    public var id: BookingID
    /// What people call it by.
    public var reference: String
    public var status: BookingStatus
    public var carPark: Place
    public var product: Booked
    public var start: Date
    public var end: Date
    public var quantity: Int
    public var spaces: Int
    public var kind: SpaceClass
    public var vehicles: [BookedVehicle]
    public var lines: [BookingLine]
    public var total: Money
    /// Paid, less what was given back.
    public var paid: Money
    @Nullable public var holdExpiresAt: Date?
    /// What is given back when it is cancelled: the car park's policy when it was booked.
    public var cancellation: CancellationPolicy
    /// It may be changed until then.
    public var editableUntil: Date
    public var createdAt: Date
    /// For `If-Match`.
    public var version: Int

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case id, reference, status, carPark, product, start, end, quantity, spaces, vehicles, lines
        case total, paid, holdExpiresAt, cancellation, editableUntil, createdAt, version
    }

    public init(
        id: BookingID, reference: String, status: BookingStatus, carPark: Place, product: Booked,
        start: Date, end: Date, quantity: Int, spaces: Int, kind: SpaceClass,
        vehicles: [BookedVehicle], lines: [BookingLine], total: Money, paid: Money,
        holdExpiresAt: Date?, cancellation: CancellationPolicy, editableUntil: Date,
        createdAt: Date, version: Int
    ) {
        (self.id, self.reference, self.status) = (id, reference, status)
        (self.carPark, self.product, self.kind) = (carPark, product, kind)
        (self.start, self.end, self.quantity, self.spaces) = (start, end, quantity, spaces)
        (self.vehicles, self.lines, self.total, self.paid) = (vehicles, lines, total, paid)
        (self.editableUntil, self.createdAt, self.version) = (editableUntil, createdAt, version)
        self.holdExpiresAt = holdExpiresAt
        self.cancellation = cancellation
    }
}

extension Booking.Place: SchemaNamed {
    public static var schemaName: String { "BookingCarPark" }
}

/// Answer of `POST /v1/bookings/{id}/pay`.
public struct BookingPayment: Codable, Sendable {
    public var booking: Booking
    /// Null for what cost nothing.
    @Nullable public var payment: Payment?

    public init(booking: Booking, payment: Payment?) {
        self.booking = booking
        self.payment = payment
    }
}

/// Answer of `POST /v1/bookings/{id}/cancel`.
public struct BookingCancellation: Codable, Sendable {
    public var booking: Booking
    /// What is given back; zero by the policy, or where nothing was paid.
    public var refund: Money

    public init(booking: Booking, refund: Money) {
        (self.booking, self.refund) = (booking, refund)
    }
}

/// Answer of `POST /v1/bookings/{id}/quote-change`: what a change would come to.
public struct BookingChangeQuote: Codable, Sendable {
    public var end: Date
    public var lines: [BookingLine]
    public var total: Money
    /// To be paid; negative for what is given back.
    public var difference: Money

    public init(end: Date, lines: [BookingLine], total: Money, difference: Money) {
        (self.end, self.lines, self.total, self.difference) = (end, lines, total, difference)
    }
}
