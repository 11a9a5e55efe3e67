import Contracts
import EventBus
import Logging
import ServiceKit
import ServiceLifecycle

/// Checks open streams for missed lines whenever the bus assigns partitions to the gateway. A gateway that was away
/// longer than its group waits continues at the newest record, and would notice the gap only at the next line.
struct FeedRefill: Service {
    /// Time until a second check, for lines sent while the positions in the partitions were being settled.
    static let secondLook: Duration = .seconds(3)
    /// Time until a failed check is repeated.
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

    /// Gives every stream the end of its feed; tries again until notifications answers.
    private func refill() async {
        while !Task.isCancelled {
            do {
                return try await look()
            } catch {
                logger.warning("feeds could not be read", metadata: ["error": "\(loggable(error))"])
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
