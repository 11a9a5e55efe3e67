import Contracts
import Foundation
import Support

@testable import Notifications

/// Events of a product that nobody knows here.
enum Laundry {
    struct Washed: Event {
        static let type = "laundry.washed.v1"
        static let topic = Topic.notices
        let key: String
    }

    struct Lost: Event {
        static let type = "laundry.lost.v1"
        static let topic = Topic.notices
        let key: String
    }
}

/// What laundry shows of a basket.
struct BasketBrief: Codable, Hashable, Sendable {
    var version: Int
}

extension LocalizedText {
    static let clean = LocalizedText(["en": "It is clean", "zh-Hant": "已洗淨"])
    static let fetch = LocalizedText(["en": "B-7: fetch it.", "zh-Hant": "B-7：請取回。"])
}

extension SubjectKind {
    static let basket: SubjectKind = "basket"
}

extension SubjectState {
    static func basket(_ id: String, version: Int = 3, of owner: TestPerson = .alice) throws
        -> SubjectState
    {
        SubjectState(
            product: "laundry", kind: .basket, version: version, link: "/baskets/\(id)",
            data: try JSONValue(of: BasketBrief(version: version)), about: [owner.id])
    }
}

extension Notice.Message {
    /// That a basket is clean, in words.
    static func clean(_ person: TestPerson, push: Notice.Push? = .soon) -> Notice.Message {
        Notice.Message(to: .person(person.id), title: .clean, text: .fetch, push: push)
    }

    static func silent(_ person: TestPerson) -> Notice.Message {
        Notice.Message(to: .person(person.id))
    }
}

extension NoticeIssued {
    /// Alice is told that her basket is clean; Victor and operators see that it has changed.
    static let toThree: [Notice.Message] = [
        .clean(.alice), Notice.Message(to: .operators), .silent(.victor),
    ]

    static func washed(
        _ basket: String = UUID().uuidString, version: Int = 3,
        _ messages: [Notice.Message] = toThree
    ) throws -> NoticeIssued {
        NoticeIssued(
            Notice(
                subject: basket, state: try .basket(basket, version: version),
                cause: Laundry.Washed.self, messages))
    }

    /// What operators have to look after.
    static func lost() throws -> NoticeIssued {
        NoticeIssued(
            Notice(
                subject: "b", state: try .basket("b"), cause: Laundry.Lost.self,
                [
                    Notice.Message(
                        to: .operators,
                        title: LocalizedText(["en": "Basket lost", "zh-Hant": "遺失"]),
                        text: LocalizedText(["en": "B-7 is lost.", "zh-Hant": "B-7 遺失了。"]),
                        push: .soon)
                ]))
    }
}

extension RatingGiven {
    /// An event that names somebody, and that is none of ours.
    static func of(_ person: TestPerson) -> RatingGiven {
        RatingGiven(
            engagement: .new(), product: "laundry", from: TestPerson.victor.id, to: person.id,
            stars: 5,
            summary: RatingSummary(average: 5, count: 1), version: 1)
    }
}

extension FeedItem {
    var basket: BasketBrief? { data(of: .basket) }
}
