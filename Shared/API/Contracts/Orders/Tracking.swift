/// Where the parties and the vehicle are. The vehicle is where it is parked, or with the valet who
/// drives it.
public struct Track: Codable, Sendable, Hashable {
    @Nullable public var customer: TrackedPosition?
    @Nullable public var valet: TrackedPosition?
    @Nullable public var vehicle: TrackedPosition?

    public init(
        customer: TrackedPosition?, valet: TrackedPosition?, vehicle: TrackedPosition?
    ) {
        self.customer = customer
        self.valet = valet
        self.vehicle = vehicle
    }
}
