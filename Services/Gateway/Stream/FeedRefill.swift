import Contracts
import Logging
import ServiceKit
import ServiceLifecycle

/// Looks up what open streams may have missed, each time that the bus has given the gateway its
/// partitions: one that was away for longer than its group waits goes on at the newest record, and
/// no gap shows before the next line.
struct FeedRefill: Service {
    /// Time until a second look: what was told while the first places in the partitions were still being settled.
    static let secondLook: Duration = .seconds(3)
    /// Time until feeds are asked again that gave no answer.
    static let retryPause: Duration = .seconds(1)

    let streams: LiveStreams
    let feed: FeedSource
    let assignments: AsyncStream<Void>
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            for await _ in assignments {
                await refill()
                try? await Task.sleep(for: Self.secondLook)
                await refill()
            }
        }
    }

    /// Tells every stream where its feed ends; asks again until notifications answers.
    private func refill() async {
        while !Task.isCancelled {
            do {
                return try await look()
            } catch {
                logger.warning("feeds can't be looked up", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: Self.retryPause)
            }
        }
    }

    func look() async throws {
        for recipients in streams.recipients.chunks(of: FeedHeadsBody.most) {
            for (recipient, head) in try await feed.heads(recipients) {
                streams.deliver(head: head, of: recipient)
            }
        }
    }
}
