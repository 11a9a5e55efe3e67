import Contracts
import Foundation

/// The details of a simulated person. The same seed gives the same details, so a later run can sign in again.
package struct Persona: Sendable, Equatable {
    enum Part: String, Sendable { case valet, customer, driver, commuter }

    /// Maximum number of people per role in a run: each needs their own number.
    package static let mostValets = 400
    package static let mostCustomers = 600
    package static let mostDrivers = 300
    package static let mostCommuters = 300
    /// One in this many drivers has an e-mail address instead of a phone number. `.example` receives no mail (RFC
    /// 2606).
    private static let mailEvery = 4
    /// Seeds with their own phone numbers.
    package static let seeds: ClosedRange<Int> = 0...58

    let part: Part
    let index: Int
    let firstName: String
    let lastName: String
    let phone: String
    /// The address of people who sign up by e-mail: some drivers, and all commuters.
    let email: String?
    let password: String
    let language: Language
    /// Vehicles of a customer or driver; empty for valets.
    let vehicles: [VehicleDescription]
    /// Whether a customer enters the code from the text message.
    let verifies: Bool
    /// Whether the customer's first saved card is declined by the bank.
    let hasBadCard: Bool
    /// Whether the app uses the live stream; other apps poll.
    let streams: Bool

    init(_ part: Part, _ index: Int, seed: Int) {
        var generator = SeededGenerator(UInt64(seed), part.rawValue, index, "persona")
        self.part = part
        self.index = index
        firstName = generator.pick(Self.firstNames) ?? ""
        lastName = generator.pick(Self.lastNames) ?? ""
        phone = Self.phone(part, index, seed: seed)
        email =
            part == .commuter || part == .driver && index % Self.mailEvery == 0
            ? "\(index)-\(seed)-\(part.rawValue)@simulation.example" : nil
        // Not a secret: these people exist in simulations only.
        password = "simulated-\(part.rawValue)-\(seed)-\(String(generator.next(), radix: 36))"
        language = generator.chance(50) ? .traditionalChinese : .english
        let cars = part == .valet ? 0 : generator.chance(20) ? 2 : 1
        vehicles = (0..<cars).map { _ in Self.vehicle(&generator) }
        verifies = generator.chance(70)
        hasBadCard = generator.chance(12)
        streams = generator.chance(75)
    }

    /// North American numbers 555-0100 to 555-0199 are reserved for fiction in every area code (ATIS-0300115), so
    /// text messages to them reach nobody. A seed has ten area codes, and three for drivers.
    static func phone(_ part: Part, _ index: Int, seed: Int) -> String {
        let number = part == .customer ? mostValets + index : index
        let areaCode = (part == .driver ? 791 + seed * 3 : 200 + seed * 10) + number / 100
        return "+1\(areaCode)55501\(String(format: "%02d", number % 100))"
    }

    private static func vehicle(_ generator: inout SeededGenerator) -> VehicleDescription {
        let letters = Array("ABCDEFGHJKLMNPRSTUVWXYZ")
        let plate = (0..<2).map { _ in String(generator.pick(letters) ?? "A") }.joined()
        let (make, model) = generator.pick(cars) ?? ("Toyota", "Alphard")
        return VehicleDescription(
            plate: "\(plate) \(Int(generator.within(100...9_999)))", make: make, model: model,
            colour: generator.pick(colours) ?? "white")
    }

    private static let firstNames = [
        "Ada", "Ben", "Carmen", "Daniel", "Elaine", "Felix", "Grace", "Henry", "Iris", "Jason",
        "Kitty", "Leo", "Mandy", "Nelson", "Olive", "Peter", "Queenie", "Ray", "Sally", "Tommy",
        "Una", "Victor", "Winnie", "Xavier", "Yvonne", "Zoe",
    ]
    private static let lastNames = [
        "Au", "Chan", "Cheung", "Fung", "Ho", "Kwok", "Lam", "Lau", "Lee", "Leung", "Mak", "Ng",
        "Poon", "Siu", "Tam", "Tang", "Tsang", "Wong", "Yeung", "Yip",
    ]
    private static let cars = [
        ("Toyota", "Alphard"), ("Tesla", "Model 3"), ("Tesla", "Model Y"), ("BMW", "X3"),
        ("Mercedes-Benz", "C 200"), ("Honda", "Fit"), ("Mini", "Cooper"), ("BYD", "Atto 3"),
        ("Lexus", "NX"), ("Volvo", "XC40"),
    ]
    private static let colours = ["white", "black", "silver", "grey", "blue", "red", "green"]
}
