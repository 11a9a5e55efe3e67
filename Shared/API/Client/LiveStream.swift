import AsyncHTTPClient
import Contracts
import Foundation

/// One message of the live stream.
public enum StreamEvent: Sendable, Hashable {
    /// An order has changed: `item.order` is its current state in brief.
    case order(FeedItem)
    /// A message to the person, in `item.title` and `item.text`.
    case notification(FeedItem)
    /// A party of the person's order has moved.
    case position(LivePosition)

    /// The argument of `stream(lastEventID:)` to continue after this message; nil for positions.
    ///
    /// An item with both an order and a text arrives as two messages, the order first: continuing after
    /// the order must not skip the text.
    public var resumeID: Int? {
        switch self {
        case .order(let item): item.text == nil ? item.sequence : item.sequence - 1
        case .notification(let item): item.sequence
        case .position: nil
        }
    }
}

extension OpenValetClient {
    /// The live stream, from after `lastEventID` or from now on.
    ///
    /// It reconnects by itself and catches up on missed messages. It ends when its task is cancelled and
    /// throws only if the server refuses permanently.
    public func stream(lastEventID: Int? = nil) -> LiveStream {
        LiveStream(client: self, lastEventID: lastEventID)
    }
}

/// Messages of the live stream, across reconnections. Nothing is read ahead of the iteration.
public struct LiveStream: AsyncSequence, Sendable {
    public static let firstReconnectDelay = Duration.milliseconds(100)
    public static let longestReconnectDelay = Duration.seconds(10)

    let client: OpenValetClient
    let lastEventID: Int?

    public func makeAsyncIterator() -> Iterator {
        Iterator(client: client, lastEventID: lastEventID)
    }

    public struct Iterator: AsyncIteratorProtocol {
        private let client: OpenValetClient
        private var parser: ServerSentEventParser
        private var chunks: HTTPClientResponse.Body.AsyncIterator?
        private var waiting: ArraySlice<StreamEvent> = []
        private var pause = LiveStream.firstReconnectDelay

        init(client: OpenValetClient, lastEventID: Int?) {
            self.client = client
            parser = ServerSentEventParser(lastEventID: lastEventID.map(String.init) ?? "")
        }

        public mutating func next() async throws -> StreamEvent? {
            while !Task.isCancelled {
                if let event = waiting.popFirst() { return event }
                do {
                    try await readMore()
                } catch is CancellationError {
                    return nil
                } catch let error as ClientError {
                    guard let delay = Self.delay(after: error, otherwise: pause) else {
                        throw error
                    }
                    await backOff(delay)
                } catch let error as ServerSentEventError {
                    throw ClientError.malformedAnswer("live stream: \(error)")
                } catch {
                    await backOff(pause)
                }
            }
            return nil
        }

        private mutating func readMore() async throws {
            guard var current = chunks else {
                chunks = try await connect()
                return
            }
            // Removed while reading, so that an error or the end leaves no half-read body behind.
            chunks = nil
            guard let chunk = try await current.next() else {
                throw ClientError.unreachable("the live stream has ended")
            }
            chunks = current
            pause = LiveStream.firstReconnectDelay
            waiting = try parser.feed(chunk.readableBytesView).compactMap(Self.read)[...]
        }

        private mutating func backOff(_ delay: Duration) async {
            chunks = nil
            // The server may ask for more in its `retry` field.
            let wish = Duration.milliseconds(parser.retryMilliseconds ?? 0)
            let delay = Swift.max(delay, Swift.min(wish, LiveStream.longestReconnectDelay))
            pause = Swift.min(pause * 2, LiveStream.longestReconnectDelay)
            // The server sends a message again that was cut off in the middle.
            parser.restart()
            try? await Task.sleep(for: delay)
        }

        private func connect() async throws -> HTTPClientResponse.Body.AsyncIterator {
            let token = try await client.freshToken()
            do {
                return try await open(token)
            } catch let error as ClientError where error.status == 401 {
                return try await open(try await client.renewed(insteadOf: token))
            }
        }

        private func open(_ token: String) async throws -> HTTPClientResponse.Body.AsyncIterator {
            let call = try NotificationEndpoints.stream(asks: StreamQuery()).request
            return try await client.observed(call) { try await answer(call, token) }
        }

        private func answer(
            _ call: EndpointRequest, _ token: String
        ) async throws -> HTTPClientResponse.Body.AsyncIterator {
            var request = client.request(call, token: token)
            request.headers.replaceOrAdd(name: "Accept", value: "text/event-stream")
            if !parser.lastEventID.isEmpty {
                request.headers.add(name: "Last-Event-ID", value: parser.lastEventID)
            }
            // The limit applies until the answer begins; the connection detects later silence.
            let response = try await client.http.execute(
                request, timeout: .seconds(Int64(OpenValetClient.timeoutSeconds)))
            guard response.status.code == 200 else {
                let buffer = try await response.body.collect(upTo: OpenValetClient.answerLimitBytes)
                let answer = OpenValetClient.Response(
                    status: Int(response.status.code), body: Data(buffer.readableBytesView))
                throw OpenValetClient.refusal(
                    answer, retryAfter: response.headers.first(name: "Retry-After"))
            }
            return response.body.makeAsyncIterator()
        }

        /// Nil if a retry can't help.
        static func delay(after error: ClientError, otherwise pause: Duration) -> Duration? {
            switch error {
            case .unreachable:
                return pause
            case .problem, .unexpectedStatus:
                guard let status = error.status, status == 429 || status >= 500 else { return nil }
                guard let seconds = error.problem?.retryAfterSeconds else { return pause }
                return Swift.min(.seconds(seconds), LiveStream.longestReconnectDelay)
            case .malformedAnswer, .signedOut:
                return nil
            }
        }

        /// Nil for an event that this version does not know.
        static func read(_ event: ServerSentEvent) throws -> StreamEvent? {
            let data = Data(event.data.utf8)
            do {
                switch event.name {
                case "order": return .order(try Wire.decode(from: data))
                case "notification": return .notification(try Wire.decode(from: data))
                case "position": return .position(try Wire.decode(from: data))
                default: return nil
                }
            } catch {
                throw ClientError.malformedAnswer("live stream, \(event.name): \(error)")
            }
        }
    }
}
