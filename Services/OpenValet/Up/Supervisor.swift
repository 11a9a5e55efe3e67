import AsyncHTTPClient
import Contracts
import Foundation
import ServiceKit
import ServiceLifecycle

/// Greets once all services are ready, replays stored events to a new broker, and saves how far all services have read.
struct Supervisor: Service {
    /// Each look asks every service for its metrics.
    private static let checkpointInterval: Duration = .seconds(10)
    private static let replayRetryPause: Duration = .seconds(2)
    /// In seconds: a record counts as read by all only if it is older, because gauges lag behind a little.
    private static let checkpointMargin: TimeInterval = 10
    private static let checkpointFile = "bus-checkpoint"
    private static let pollInterval: Duration = .milliseconds(25)

    let processes: ServiceProcesses

    func run() async throws {
        let services = LocalServices(processes.plan)
        defer {
            try? FileManager.default.removeItem(
                atPath: processes.plan.folder.file(LocalServices.fileName))
        }
        do {
            try await cancelWhenGracefulShutdown { try await careFor(services) }
        } catch is CancellationError {
            return
        }
    }

    private func careFor(_ services: LocalServices) async throws {
        guard await everyoneIsReady(services) else {
            if !Task.isCancelled {
                processes.fail("Not everything was ready within \(ServiceProcesses.startLimit).")
            }
            return
        }
        try services.remember(in: processes.plan.folder)
        var replayed = 0
        var hasGreeted = false
        while !Task.isCancelled {
            let generation = processes.wiring.generation
            if replayed != generation {
                // The checkpoint doesn't move until a new broker has what the old one lost.
                guard await everyoneIsReady(services), await replay(services) else { continue }
                replayed = generation
            }
            if !hasGreeted { await greet() }
            hasGreeted = true
            try await pause(untilBrokerAfter: generation)
            // An outside broker keeps its records.
            guard processes.plan.outside.kafka == nil else { continue }
            let asked = Date()
            if processes.wiring.generation == generation, await services.haveReadEverything(),
                processes.wiring.generation == generation
            {
                let until = asked.addingTimeInterval(-Self.checkpointMargin)
                // On a full disk the next replay is longer, no more.
                try? processes.plan.folder.write(Wire.text(until), to: Self.checkpointFile)
            }
        }
    }

    /// Until the next look at the services; a new broker, which has to be filled, ends it early.
    private func pause(untilBrokerAfter generation: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Task.sleep(for: Self.checkpointInterval) }
            group.addTask { _ = try await processes.wiring.kafka(after: generation) }
            try await group.next()
            group.cancelAll()
        }
    }

    private func greet() async {
        if let demo = processes.plan.demo {
            do {
                try await demo.open(processes.plan)
            } catch {
                processes.printer.line("simulate", "can't create the demo's accounts: \(error)")
            }
        }
        processes.printer.say(Greeting(processes).text)
        processes.hasGreeted.raise()
        processes.mayRecall.raise()
    }

    private func everyoneIsReady(_ services: LocalServices) async -> Bool {
        let deadline = ContinuousClock.now + ServiceProcesses.startLimit
        var waiting = allServices.map(\.name)
        while ContinuousClock.now < deadline, !Task.isCancelled {
            var still: [String] = []
            for service in waiting where await !services.isReady(service) { still.append(service) }
            waiting = still
            if waiting.isEmpty { return true }
            try? await Task.sleep(for: Self.pollInterval)
        }
        if !Task.isCancelled {
            processes.printer.say("Still not ready: \(waiting.joined(separator: ", ")).")
        }
        return false
    }

    /// Has all services publish again what a new broker lacks. False if a service could not be asked; try again then.
    private func replay(_ services: LocalServices) async -> Bool {
        let checkpoint = processes.plan.folder.read(Self.checkpointFile).flatMap(Wire.date)
        let isOutside = processes.plan.outside.kafka != nil
        // It lacks only what the broker in memory had when `up` last ran with that one.
        if isOutside, checkpoint == nil { return true }
        let since = checkpoint ?? Date(timeIntervalSince1970: 0)
        var events = 0
        for service in Replay.withDatabase {
            do {
                events += try await services.replay(service, since: since, withState: false)
            } catch {
                processes.printer.line(service, "could not publish again: \(error)")
                try? await Task.sleep(for: Self.replayRetryPause)
                return false
            }
        }
        if isOutside {
            try? FileManager.default.removeItem(
                atPath: processes.plan.folder.file(Self.checkpointFile))
        }
        if checkpoint != nil, events > 0 {
            processes.printer.say("Published \(events) stored events again to the new broker.")
        }
        return true
    }
}

/// Calls the services of one machine.
struct LocalServices: Sendable {
    /// File with the addresses of a running `up`'s services, deleted when it stops.
    static let fileName = "up.json"
    private static let limit: Duration = .seconds(2)
    private static let postLimit: Duration = .seconds(60)
    /// Metrics that are zero when no work is left.
    private static let backlogSeries = ["openvalet_bus_lag", "openvalet_outbox_pending"]

    private let urls: [String: String]
    private let tokens: ServiceTokens

    /// - Parameter clock: The plan's if nil.
    init(_ plan: UpPlan, clock: ServiceClock? = nil) {
        urls = Dictionary(
            uniqueKeysWithValues: allServices.map { ($0.name, plan.url($0.name)) })
        tokens = ServiceTokens(
            service: "openvalet", secret: plan.secrets.serviceSecret, clock: clock ?? plan.clock)
    }

    /// The same services, some at other addresses.
    init(_ services: LocalServices, with urls: [String: String]) {
        self.urls = services.urls.merging(urls) { $1 }
        tokens = services.tokens
    }

    init(urls: [String: String], secret: String) {
        self.urls = urls
        tokens = ServiceTokens(service: "openvalet", secret: secret, clock: .system)
    }

    var names: [String] { urls.keys.sorted() }

    func url(of service: String) -> URL? { urls[service].flatMap(URL.init(string:)) }

    func remember(in folder: DataFolder) throws {
        try folder.write(String(decoding: Wire.encode(urls), as: UTF8.self), to: Self.fileName)
    }

    func isReady(_ service: String) async -> Bool {
        let request = HTTPClientRequest(url: "\(urls[service] ?? "")/health/ready")
        let response = try? await HTTPClient.shared.execute(
            request, timeout: .nanoseconds(Self.limit.nanoseconds))
        return response?.status == .ok
    }

    /// Has a service publish its stored events since then, and its present state; returns their number.
    func replay(
        _ service: String, since: Date?, withState state: Bool = true
    ) async throws -> Int {
        let replay = try InternalEndpoints.replay(body: ReplayBody(since: since, state: state))
        let (status, body) = try await send(replay.request, to: service)
        guard status == 202 else {
            throw ConfigError("\(service) answered \(status) to a replay")
        }
        return try Wire.decode(ReplayAnswer.self, from: body).events
    }

    /// What a service owns and has copies of.
    func stateReport(_ service: String) async throws -> StateReport {
        let (status, body) = try await send(InternalEndpoints.stateReport().request, to: service)
        guard status == 200 else {
            throw ConfigError("\(service) answered \(status) to the question for its state")
        }
        return try Wire.decode(StateReport.self, from: body)
    }

    /// Sends a request; returns the answer, whatever its status.
    func send(
        _ call: EndpointRequest, to service: String
    ) async throws -> (status: UInt, body: Data) {
        var request = try await request(service, call.target)
        request.method = .RAW(value: call.method.rawValue)
        request.headers.add(name: "content-type", value: call.contentType)
        if let body = call.body { request.body = .bytes(.init(data: body)) }
        let response = try await HTTPClient.shared.execute(
            request, timeout: .nanoseconds(Self.postLimit.nanoseconds))
        let body = Data(try await response.body.collect(upTo: 64 * 1_024).readableBytesView)
        return (response.status.code, body)
    }

    /// Whether every outbox is empty and every consumer has read everything.
    func haveReadEverything() async -> Bool {
        for name in names {
            guard let text = try? await metrics(name) else { return false }
            let backlog = text.split(separator: "\n").filter { line in
                Self.backlogSeries.contains { line.hasPrefix($0) }
            }
            // A service that has just started has not measured yet.
            let isMeasured = backlog.contains { $0.hasPrefix(Self.backlogSeries[0]) }
            guard isMeasured, backlog.allSatisfy({ $0.hasSuffix(" 0.0") }) else { return false }
        }
        return true
    }

    private func metrics(_ service: String) async throws -> String {
        let response = try await HTTPClient.shared.execute(
            request(service, "/metrics"), timeout: .nanoseconds(Self.limit.nanoseconds))
        guard response.status == .ok else { throw ConfigError("no metrics") }
        return String(buffer: try await response.body.collect(upTo: 4 * 1_024 * 1_024))
    }

    private func request(_ service: String, _ path: String) async throws -> HTTPClientRequest {
        var request = HTTPClientRequest(url: "\(urls[service] ?? "")\(path)")
        let token = try await tokens.token(for: service)
        request.headers.add(name: "authorization", value: "Bearer \(token)")
        return request
    }
}
