import Contracts
import Foundation
import ServiceKit

/// What ratings keeps of an order: who was part of it, and whether it is finished.
struct RatedOrder: Hashable, Sendable {
    var id: OrderID
    var version: Int
    var isFinished: Bool
    var customer: CustomerID
    var dropOffValet: ValetID?
    var returnValet: ValetID?

    init(
        id: OrderID, version: Int, isFinished: Bool, customer: CustomerID,
        valets: (dropOff: ValetID?, return: ValetID?)
    ) {
        self.id = id
        self.version = version
        self.isFinished = isFinished
        self.customer = customer
        dropOffValet = valets.dropOff
        returnValet = valets.return
    }

    init(_ order: OrderSnapshot) {
        self.init(
            id: order.id, version: order.version, isFinished: order.status == .finished,
            customer: order.customer, valets: (order.dropOffValet, order.returnValet))
    }

    /// The valets who served, the one who brought the vehicle back first.
    var valets: [ValetID] {
        let all = [returnValet, dropOffValet].compactMap(\.self)
        return all.count == 2 && all[0] == all[1] ? [all[0]] : all
    }

    func includes(_ person: Identity) -> Bool {
        switch person.role {
        case .customer: person.customer == customer
        case .valet: valets.contains(person.valet)
        case .operator: false
        }
    }

    /// Whom the person rates: a customer each valet who served, a valet the customer. The first of
    /// them stands in the answer.
    func rated(by person: Identity) throws -> [PersonID] {
        guard includes(person) else { throw RatingError.orderUnknown }
        guard isFinished else { throw RatingError.notFinished }
        let others: [PersonID] =
            switch person.role {
            case .customer: valets.map { $0.as(PersonID.self) }
            case .valet: [customer.as(PersonID.self)]
            case .operator: []
            }
        guard !others.isEmpty else { throw RatingError.nobodyServed }
        return others
    }
}

/// What somebody says; checked.
struct Opinion: Hashable, Sendable {
    static let stars = 1...5
    /// In characters.
    static let longestComment = 1_000
    /// Control characters that a comment of several lines may have.
    private static let layout: Set<Unicode.Scalar> = ["\n", "\t"]

    let stars: Int
    let comment: String?

    init(stars: Int, comment: String?) {
        self.stars = stars
        self.comment = comment
    }

    init(checking body: RatingBody) throws {
        stars = try Check.int(body.stars, "stars", in: Self.stars)
        comment = try body.comment.flatMap(Self.check)
    }

    private static func check(_ comment: String) throws -> String? {
        let text = comment.replacingOccurrences(of: "\r\n", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.count <= longestComment, text.utf8.count <= longestComment * 16 else {
            throw InvalidRequest("comment", "At most \(longestComment) characters.")
        }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            layout.contains(scalar) || scalar.properties.generalCategory != .control
        }
        guard isPlain else {
            throw InvalidRequest("comment", "A text without control characters.")
        }
        return text.isEmpty ? nil : text
    }
}
