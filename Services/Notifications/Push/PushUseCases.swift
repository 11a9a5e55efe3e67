import Contracts
import Foundation
import ServiceKit
import Store

extension NotificationUseCases {
    /// Adds a job for each device of the recipient, in the transaction of the feed's line, so that every
    /// message is also pushed. After a long stop, outdated messages are not.
    func push(
        _ message: Notice.Message, _ item: FeedItem, _ transaction: Transaction
    ) throws {
        guard let push = message.push, let title = message.title, let text = message.text else {
            return
        }
        let now = clock.now
        let expiry = item.createdAt.addingTimeInterval(TimeInterval(push.lifeSeconds))
        guard now < expiry else { return }
        for target in try transaction.subscriptions.targets(of: message.to) {
            // Operators share a feed, but each has a language.
            let language =
                try people.value(of: target.person, in: transaction)
                ?? language(of: message.to, transaction)
            let body = PushMessage(
                title: title[language], body: text[language], number: item.sequence,
                kind: item.event, subject: item.subject, language: language.rawValue,
                url: (message.role?.known ?? target.role).app + (item.link.map { "#\($0)" } ?? ""))
            try transaction.pushes.add(
                PushJob(
                    body, urgency: push.urgency.known ?? .normal, to: target, at: now,
                    expiresAt: expiry),
                at: now)
        }
    }
}
