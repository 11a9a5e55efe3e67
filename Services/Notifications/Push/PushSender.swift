import AsyncHTTPClient
import Contracts
import EventBus
import Foundation
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceKit
import ServiceLifecycle
import Store
import Synchronization

/// Why a push was given up.
enum PushFailure: String, Sendable {
    /// The message has expired.
    case expired
    /// The push service refuses it permanently.
    case refused
    /// The subscription was sealed with another service secret, or the text does not fit.
    case unusable
}

/// Outcome of one attempt.
enum PushOutcome: Sendable, Equatable {
    case delivered
    /// Try again, not before `afterSeconds` if the push service gave it.
    case passing(String, afterSeconds: Int?)
    /// Try again: there was no answer in time.
    case silent(String)
    /// The browser has ended the subscription (RFC 8030, section 7.3).
    case gone
    case refused(String)
}

/// Sends waiting messages to the push services, and those whose outcome a crash left unknown, which
/// may arrive twice.
struct PushSender: Service {
    /// Largest number of messages of one round.
    static let batch = 200
    /// Number of devices served at the same time.
    static let together = 16
    /// Pause after a round whose work could not be read or stored, in seconds.
    static let troublePause: TimeInterval = 1
    /// Pause before a silent service is called again, in seconds.
    static let silentPause: TimeInterval = 5

    private static let sent = Counter(label: "notifications_push_sent_total")
    private static let retried = Counter(label: "notifications_push_retried_total")
    private static let removed = Counter(label: "notifications_push_subscriptions_removed_total")

    private static func failed(_ failure: PushFailure) -> Counter {
        Counter(
            label: "notifications_push_failed_total", dimensions: [("reason", failure.rawValue)])
    }

    let notifications: NotificationUseCases
    let client: PushClient
    let logger: Logger

    func run() async throws {
        await LeaderLoop(
            database: notifications.database, clock: notifications.clock,
            signal: NotificationStore.pushesSignal
        ).run { await round() }
    }

    /// Sends due messages; returns when the next one is due.
    @discardableResult
    func round() async -> Date? {
        let (database, now) = (notifications.database, notifications.clock.now)
        do {
            let due = try await database.read { try $0.pushes.due(at: now, limit: Self.batch) }
            let devices = Dictionary(grouping: due, by: \.subscription).values
            let course = Course()
            _ = await devices.concurrentMap(atOnce: Self.together) { await send($0, course) }
            if let trouble = course.trouble { throw trouble }
            if !course.silent.isEmpty {
                try await database.write { transaction in
                    for service in course.silent {
                        try transaction.pushes.putOff(
                            to: service, dueAt: now,
                            until: now.addingTimeInterval(Self.silentPause))
                    }
                }
            }
            return try await database.read { try $0.pushes.nextDue() }
        } catch {
            // Rows with a running attempt are due again when their lease ends.
            logger.warning(
                "pushes could not be read or stored", metadata: ["error": "\(loggable(error))"])
            return now.addingTimeInterval(Self.troublePause)
        }
    }

    /// State of one round.
    private final class Course: Sendable {
        private let state = Mutex<(silent: Set<String>, trouble: (any Error)?)>(([], nil))

        /// Services that did not answer. Their other messages are postponed, so that they delay the others
        /// by one time-out only.
        var silent: Set<String> { state.withLock { $0.silent } }
        /// Why outcomes can't be stored; then nothing more is sent.
        var trouble: (any Error)? { state.withLock { $0.trouble } }

        func isSilent(_ service: String) { state.withLock { _ = $0.silent.insert(service) } }
        func fail(_ error: any Error) { state.withLock { $0.trouble = $0.trouble ?? error } }
        func mayGo(to service: String) -> Bool {
            state.withLock { $0.trouble == nil && !$0.silent.contains(service) }
        }
    }

    /// A device gets its messages one after the other, oldest first.
    private func send(_ jobs: [PushJob], _ course: Course) async {
        for job in jobs.sorted(by: { $0.body.message.number < $1.body.message.number })
        where course.mayGo(to: job.service) {
            do { try await send(job, course) } catch { course.fail(error) }
        }
    }

    /// Stores the attempt before it calls the push service, and the outcome afterwards.
    private func send(_ job: PushJob, _ course: Course) async throws {
        var job = job
        if let failure = job.begin(at: notifications.clock.now) {
            return try await give(up: job, failure, "-")
        }
        let begun = job
        let sealed = try await notifications.database.write { transaction in
            try transaction.pushes.save(begun, ifAttemptsWere: begun.attempts - 1)
                ? try transaction.subscriptions.address(of: begun.subscription) : nil
        }
        // Another process has it, or the subscription was deleted.
        guard let sealed else { return }
        guard let address = try? notifications.sealer.open(PushAddress.self, from: sealed),
            let request = try? await client.request(job, to: address, at: notifications.clock.now)
        else { return try await give(up: job, .unusable, "-") }
        let outcome = await client.send(request)
        if case .silent = outcome { course.isSilent(job.service) }
        try await end(job, outcome)
    }

    private func end(_ job: PushJob, _ outcome: PushOutcome) async throws {
        let database = notifications.database
        switch outcome {
        case .delivered:
            _ = try await database.write { try $0.pushes.remove(job) }
            Self.sent.increment()
        case .gone:
            let isRemoved = try await database.write {
                try $0.subscriptions.remove(job.subscription)
            }
            if isRemoved { Self.removed.increment() }
            logger.info("push subscription has ended", metadata: ["service": "\(job.service)"])
        case .refused(let reason):
            try await give(up: job, .refused, reason)
        case .passing(let reason, let after): try await putOff(job, reason, after: after)
        case .silent(let reason): try await putOff(job, reason, after: nil)
        }
    }

    private func putOff(_ job: PushJob, _ reason: String, after: Int?) async throws {
        var job = job
        job.putOff(at: notifications.clock.now, after: after)
        let waiting = job
        _ = try await notifications.database.write {
            try $0.pushes.save(waiting, ifAttemptsWere: waiting.attempts)
        }
        Self.retried.increment()
        logger.info(
            "push not accepted",
            metadata: [
                "push": "\(job.id)", "service": "\(job.service)", "reason": "\(reason)",
                "attempt": "\(job.attempts)",
            ])
    }

    private func give(
        up job: PushJob, _ failure: PushFailure, _ reason: String
    ) async throws {
        guard try await notifications.database.write({ try $0.pushes.remove(job) }) else { return }
        Self.failed(failure).increment()
        logger.notice(
            "push given up",
            metadata: [
                "push": "\(job.id)", "failure": "\(failure)", "service": "\(job.service)",
                "reason": "\(reason)",
            ])
    }
}

/// Speaks RFC 8030 to push services, signed (RFC 8292) and encrypted (RFC 8291).
struct PushClient: Sendable {
    /// Longest time for a connection and for the head of an answer: shorter than the service's shutdown
    /// time and a job's lease.
    static let connectTimeout: TimeAmount = .seconds(3)
    static let timeout: TimeAmount = .seconds(5)
    /// Longest time for the rest of an answer; after it the connection is closed.
    static let bodyTimeout: Duration = .seconds(1)
    /// Largest answer that is read, in bytes; after a longer one the connection is closed.
    static let largestAnswer = 4 * 1_024
    /// Longest pause that a push service can ask for, in seconds.
    static let longestRetryAfter = 86_400

    let vapid: Vapid
    let services: PushServices
    private let http: HTTPClient

    init(vapid: Vapid, services: PushServices) {
        (self.vapid, self.services, http) = (vapid, services, Self.shared)
    }

    /// Lives as long as the process. Not the shared client, since redirects must not be followed.
    private static let shared = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: configuration)

    private static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            timeout: .init(connect: connectTimeout, read: timeout))
        configuration.redirectConfiguration = .disallow
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }

    /// Throws if the subscription is unusable, for example because its push service is no longer allowed.
    func request(
        _ job: PushJob, to address: PushAddress, at now: Date
    ) async throws -> HTTPClientRequest {
        let endpoint = try services.endpoint(address.endpoint)
        let secrets = try PushSecrets(p256dh: address.p256dh, auth: address.auth)
        let body = try PushEncryption.seal(job.body.message.payload(), for: secrets)
        var request = HTTPClientRequest(url: endpoint.address)
        request.method = .POST
        let remaining = max(1, Int(job.expiresAt.timeIntervalSince(now)))
        request.headers.add(name: "TTL", value: String(remaining))
        request.headers.add(name: "Urgency", value: job.body.urgency.rawValue)
        request.headers.add(name: "Topic", value: job.topic)
        request.headers.add(name: "Content-Type", value: "application/octet-stream")
        request.headers.add(name: "Content-Encoding", value: "aes128gcm")
        let authorization = try await vapid.authorization(for: endpoint.origin, at: now)
        request.headers.add(name: "Authorization", value: authorization)
        request.body = .bytes(ByteBuffer(bytes: body))
        return request
    }

    /// The error never has the address.
    func send(_ request: HTTPClientRequest) async -> PushOutcome {
        let response: HTTPClientResponse
        do {
            response = try await http.execute(request, timeout: Self.timeout)
        } catch {
            return .silent("no answer: \(loggable(error))")
        }
        // Read to its end so that the connection can be reused; the content is not needed.
        _ = try? await withTimeLimit(Self.bodyTimeout) {
            try await response.body.collect(upTo: Self.largestAnswer)
        }
        let reason = "status \(response.status.code)"
        switch response.status.code {
        case 200..<300: return .delivered
        case 404, 410: return .gone
        case 408, 429, 500...:
            // With a date, the other form of RFC 9110, our own pause applies.
            let after = response.headers.first(name: "retry-after").flatMap(Int.init)
            return .passing(
                reason, afterSeconds: after.map { min(max(0, $0), Self.longestRetryAfter) })
        default: return .refused(reason)
        }
    }
}
