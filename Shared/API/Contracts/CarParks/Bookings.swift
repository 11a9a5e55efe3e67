import Foundation
import Geo

/// Status of a booking. `held`: its space is reserved, and not paid yet. `active`: the vehicle is
/// inside. `expired`: it was not paid in time. `noShow`: nobody came.
public enum BookingStatus: String, Codable, Sendable, CaseIterable {
    /// Its space is reserved, and not paid yet.
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

/// A booking to make.
public struct BookingBody: Codable, Sendable {
    public var carParkId: CarParkID
    /// Required without `end`.
    public var productId: ParkingProductID?
    public var start: Date
    /// Number of units of the product. Defaults to 1. Not used with `end`.
    public var quantity: Int?
    /// End of the booking instead of a quantity, rounded up to a whole unit of the product or,
    /// without a product, of the shortest one.
    public var end: Date?
    /// Number of spaces, at most 20. Defaults to 1.
    public var spaces: Int?
    /// Defaults to `general`.
    public var kind: SpaceClass?
    /// Vehicles of the person: at least one for each space, and at most 20.
    public var vehicleIds: [VehicleID]
    /// Version of the terms that the person has read.
    public var termsVersion: Int
    /// Total that the person was shown, in minor units. The booking is refused if the total is a
    /// different amount.
    public var total: Int?
    /// Loyalty points to pay with, for up to half of the price. Defaults to none.
    public var points: Int?

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case carParkId, productId, start, quantity, end, spaces, vehicleIds, termsVersion, total
        case points
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

/// Changes to a booking. Fields that are absent stay as they are. If the price goes up, a payment
/// method or a token is required.
public struct BookingChange: Codable, Sendable {
    public var carParkId: CarParkID?
    public var productId: ParkingProductID?
    public var start: Date?
    public var quantity: Int?
    /// End of the booking instead of a quantity, rounded up to a whole unit of the product or,
    /// without a product, of the shortest one.
    public var end: Date?
    public var spaces: Int?
    public var kind: SpaceClass?
    public var vehicleIds: [VehicleID]?
    /// Version of the terms that the person has read. Required with `carParkId`.
    public var termsVersion: Int?
    /// Price difference that the person was shown, in minor units. The change is refused if it
    /// comes to a different amount.
    public var difference: Int?
    public var paymentMethodId: PaymentMethodID?
    /// Token of the payment provider.
    public var token: String?

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case carParkId, productId, start, quantity, end, spaces, vehicleIds, termsVersion
        case difference, paymentMethodId, token
    }

    public init() {}
}

/// A later end of a booking. If the price goes up, a payment method or a token is required.
public struct ExtendBody: Codable, Sendable {
    /// New end, rounded up to a whole unit of the product.
    public var until: Date
    /// Price difference that the person was shown, in minor units. The extension is refused if it
    /// comes to a different amount.
    public var difference: Int?
    public var paymentMethodId: PaymentMethodID?
    /// Token of the payment provider.
    public var token: String?

    public init(until: Date, paymentMethodId: PaymentMethodID? = nil, token: String? = nil) {
        (self.until, self.paymentMethodId, self.token) = (until, paymentMethodId, token)
    }
}

/// A line of a booking's price.
public struct BookingLine: Codable, Sendable, Hashable {
    /// `parking`, or `points` for the discount by loyalty points.
    public var kind: String
    /// For `parking`, the name of the product.
    public var text: String
    /// Negative for a discount.
    public var amount: Money
    /// Number of units of the product in all spaces; absent for a discount.
    public var quantity: Int?
    /// Unit of the product; absent for a discount.
    public var unit: ParkingProduct.Unit?
    /// Price of one unit and one space; absent for a discount.
    public var unitPrice: Money?

    public init(
        kind: String, text: String, amount: Money, quantity: Int? = nil,
        unit: ParkingProduct.Unit? = nil, unitPrice: Money? = nil
    ) {
        (self.kind, self.text, self.amount) = (kind, text, amount)
        (self.quantity, self.unit, self.unitPrice) = (quantity, unit, unitPrice)
    }
}

/// A booking of spaces in a car park, as its owner and operators see it.
public struct Booking: Codable, Sendable, Hashable {
    /// A car park in brief.
    public struct Place: Codable, Sendable, Hashable {
        public var id: CarParkID
        public var name: String
        public var position: Coordinate
        /// IANA name, for example `Europe/Dublin`.
        public var timeZone: String

        public init(id: CarParkID, name: String, position: Coordinate, timeZone: String) {
            (self.id, self.name, self.position, self.timeZone) = (id, name, position, timeZone)
        }
    }

    /// The product of a booking, at the price at which it was booked.
    public struct Booked: Codable, Sendable, Hashable {
        public var id: ParkingProductID
        public var name: String
        public var kind: ParkingProduct.Unit
        /// Version of the product that was booked.
        public var version: Int
        /// Price of one unit and one space, in minor units.
        public var price: Int

        public init(_ product: ParkingProduct) {
            (id, name, kind) = (product.id, product.name, product.kind)
            (version, price) = (product.version, product.price)
        }
    }

    /// A vehicle of a booking.
    public struct BookedVehicle: Codable, Sendable, Hashable {
        public var id: VehicleID
        public var plate: String

        public init(id: VehicleID, plate: String) { (self.id, self.plate) = (id, plate) }
    }

    public var id: BookingID
    /// Short name of the booking for people, for example `B7K-42Q`.
    public var reference: String
    public var status: BookingStatus
    public var carPark: Place
    public var product: Booked
    public var start: Date
    public var end: Date
    /// First time between `start` and `end` at which the car park closes, so that vehicles can't be
    /// fetched, by its opening hours when it was booked or last changed; null if it was not known
    /// to close in the first two weeks.
    @Nullable public var closesAt: Date?
    /// Time until which the car park stays closed after `closesAt`; null without one, and if that
    /// is more than two weeks later.
    @Nullable public var opensAt: Date?
    /// Number of units of the product.
    public var quantity: Int
    public var spaces: Int
    public var kind: SpaceClass
    public var vehicles: [BookedVehicle]
    public var lines: [BookingLine]
    public var total: Money
    /// Amount paid, less refunds, without tax on top.
    public var paid: Money
    /// Tax on top of `paid`; absent if prices include tax.
    public var paidTax: Money?
    /// Refunds of what was paid, without tax on top; absent if there are none.
    public var refunded: Money?
    /// Tax on top of `refunded`; absent if prices include tax, and without refunds.
    public var refundedTax: Money?
    /// Time until which a booking that is `held` keeps its space; otherwise null.
    @Nullable public var holdExpiresAt: Date?
    /// Refund when the booking is cancelled: the car park's policy at the time of booking.
    public var cancellation: CancellationPolicy
    /// Time until which the booking can be changed: the start of its first day in the car park's
    /// time zone.
    public var editableUntil: Date
    public var createdAt: Date
    /// Version of the booking, for `If-Match`.
    public var version: Int

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case id, reference, status, carPark, product, start, end, quantity, spaces, vehicles, lines
        case closesAt, opensAt, total, paid, paidTax, refunded, refundedTax, holdExpiresAt
        case cancellation, editableUntil, createdAt, version
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
        (closesAt, opensAt) = (nil, nil)
    }
}

extension Booking.Place: SchemaNamed {
    public static var schemaName: String { "BookingCarPark" }
}

/// A booking and its payment.
public struct BookingPayment: Codable, Sendable {
    public var booking: Booking
    /// Null if the booking costs nothing.
    @Nullable public var payment: Payment?

    public init(booking: Booking, payment: Payment?) {
        self.booking = booking
        self.payment = payment
    }
}

/// A cancelled booking and its refund.
public struct BookingCancellation: Codable, Sendable {
    public var booking: Booking
    /// Amount refunded, with its share of tax on top; zero if the policy gives no refund, or if
    /// nothing was paid.
    public var refund: Money

    public init(booking: Booking, refund: Money) {
        (self.booking, self.refund) = (booking, refund)
    }
}

/// The price of a booking after a change.
public struct BookingChangeQuote: Codable, Sendable {
    /// End of the booking after the change.
    public var end: Date
    public var lines: [BookingLine]
    public var total: Money
    /// Amount to pay, without tax on top; negative for a refund.
    public var difference: Money
    /// Tax on top of the difference; absent if prices include it. Negative for a refund: the share
    /// of the tax that is refunded.
    public var tax: Money?
    /// The amount charged: the difference, and tax on top of it. Negative for a refund: the amount
    /// refunded, which is at most what was paid.
    public var differenceWithTax: Money

    public init(
        end: Date, lines: [BookingLine], total: Money, difference: Money, tax: Money? = nil
    ) {
        (self.end, self.lines, self.total, self.difference) = (end, lines, total, difference)
        self.tax = tax
        differenceWithTax = difference.withTax(tax)
    }
}
