import ArgumentParser
import Contracts
import EventBus
import Foundation
import ServiceKit

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares the services' copies of each other's data with the originals.",
        discussion: """
            Services keep copies of what others own, such as service areas and people, and follow events. Counts \
            and digests of ids and versions show whether a copy is whole. If one isn't, this prints the commands that \
            help, and ends with code 1.

            Finds the services of a running openvalet up by its data folder. Elsewhere give their addresses by \
            --urls, and OPENVALET_SERVICE_SECRET.
            """)

    @Option(
        help: "Data folder of the running openvalet up (or OPENVALET_DATA; default .openvalet).")
    var data: String?

    @Option(help: "Addresses of all services: areas=http://areas:8080, separated by commas.")
    var urls: String?

    func run() async throws {
        let services = try LocalServices.reached(at: urls, data)
        let examination = await Examination.of(services)
        LinePrinter(colours: false).say(examination.lines.joined(separator: "\n"))
        guard examination.isHealthy else { throw ExitCode.failure }
    }
}

/// The comparison of all copies with their owners.
struct Examination: Sendable {
    /// Events may be on their way: a copy that differs is looked at again.
    private static let looks = 5
    private static let pause: Duration = .seconds(1)

    /// A service's copies of a set, beside what its owners have.
    struct Copy: Sendable, Equatable {
        var service: String
        var set: StateSet
        /// What it is for, if the service has several of the set.
        var use: String?
        var copied: Int
        /// Nil if an owner doesn't answer.
        var owned: Int?
        var isWhole: Bool
    }

    var copies: [Copy]
    /// Services that gave no report.
    var silent: [String]
    /// The oldest events that are kept.
    private let since: Date

    var isHealthy: Bool { silent.isEmpty && copies.allSatisfy(\.isWhole) }

    static func of(_ services: LocalServices) async -> Examination {
        var examination = Examination(await reports(of: services))
        for _ in 1..<looks where !examination.isHealthy {
            try? await Task.sleep(for: pause)
            examination = Examination(await reports(of: services))
        }
        return examination
    }

    /// Of those that own or copy anything: the gateway, for one, answers no service.
    private static func reports(of services: LocalServices) async -> [String: StateReport?] {
        let asked = allServices.filter { !$0.tells.isEmpty || !$0.copies.isEmpty }.map(\.name)
        let found = await services.names.filter(asked.contains).concurrentMap { name in
            (name, try? await services.stateReport(name))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// Compares the reports of all services by name; nil for one that gave none.
    init(_ reports: [String: StateReport?], at now: Date = Date()) {
        since = now.addingTimeInterval(-Outbox.retention.seconds)
        let silent = reports.filter { $0.value == nil }.map(\.key).sorted()
        var owned: [StateSet: StateDigest] = [:]
        for report in reports.values.compactMap(\.self) {
            for count in report.owned {
                guard let set = count.set.known else { continue }
                owned[set, default: StateDigest()].add(count)
            }
        }
        func total(_ set: StateSet) -> StateCount? {
            let owners = allServices.filter { $0.tells.contains(set.kind) }.map(\.name)
            guard owners.allSatisfy({ !silent.contains($0) }) else { return nil }
            return (owned[set] ?? StateDigest()).count(of: set)
        }
        copies = []
        for (service, report) in reports.sorted(by: { $0.key < $1.key }) {
            for copied in report?.copied ?? [] {
                // A newer service may tell of sets that this tool doesn't know.
                guard let set = copied.set.known else { continue }
                let original = total(set)
                copies.append(
                    Copy(
                        service: service, set: set, use: copied.use, copied: copied.count,
                        owned: original?.count,
                        isWhole: original?.counts(theSameAs: copied) ?? false))
            }
        }
        self.silent = silent
    }

    /// A line for each copy, and what to do.
    var lines: [String] {
        let rows = copies.map { copy in
            guard let owned = copy.owned else {
                return [copy.service, copy.name, "\(copy.copied)", "of ?"]
            }
            return [
                copy.service, copy.name, "\(copy.copied)",
                "of \(owned)" + (copy.isWhole ? "" : "  differs"),
            ]
        }
        func width(_ column: Int) -> Int { rows.map(\.[column].count).max() ?? 0 }
        let widths = (0..<3).map(width)
        var lines = rows.map { row in
            let number = String(repeating: " ", count: widths[2] - row[2].count) + row[2]
            return row[0].filled(to: widths[0]) + "  " + row[1].filled(to: widths[1]) + "  "
                + number + " " + row[3]
        }
        lines.append("")
        if isHealthy { return lines + ["All copies are whole."] }
        if !silent.isEmpty {
            lines += ["These don't answer. Start them, then run openvalet doctor again:"]
            lines += silent.map { "  \($0)" }
        }
        if !replays.isEmpty {
            lines += ["Some copies differ. Run this, then openvalet doctor again:"]
            lines += replays.map { "  openvalet replay \($0)" }
        }
        return lines
    }

    /// The options of the replays that fill what is missing.
    private var replays: [String] {
        let differing = copies.filter { !$0.isWhole && $0.owned != nil }
        return allServices.compactMap { service in
            let helped = differing.filter { service.canRepeat($0.set.kind) }
            guard !helped.isEmpty else { return nil }
            // The present state alone doesn't say what has ended.
            let needsEvents = helped.contains {
                $0.copied > $0.owned ?? 0 || !$0.set.kind.isPublished
            }
            return "--service \(service.name)" + (needsEvents ? " --since \(Wire.text(since))" : "")
        }
    }
}

extension Examination.Copy {
    fileprivate var name: String { self.set.words + (use.map { " (\($0))" } ?? "") }
}

extension ServiceManifest {
    /// Whether a replay of this service can fill copies of the kind: its state, or the events that say it.
    fileprivate func canRepeat(_ kind: StateKind) -> Bool {
        if kind.isPublished { return tells.contains(kind) }
        let types = kind.events.map { $0.type }
        return events.contains { types.contains($0.type) }
    }
}

extension StateSet {
    fileprivate var words: String {
        switch self {
        case .areas: "service areas"
        case .people: "people"
        case .valets: "valets"
        case .deletedPeople: "deleted people"
        case .vehicles: "vehicles"
        case .blocks: "blocks"
        case .engagements: "open engagements"
        case .bills: "bills"
        case .shifts: "valets on shift"
        case .parkedVehicles: "vehicles in car parks"
        }
    }
}

extension String {
    fileprivate func filled(to width: Int) -> String {
        padding(toLength: width, withPad: " ", startingAt: 0)
    }
}
