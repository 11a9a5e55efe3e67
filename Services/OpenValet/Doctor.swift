import ArgumentParser
import Contracts
import Foundation
import ServiceKit

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares the services' copies of each other's data with the originals.",
        discussion: """
            Services keep copies of what others own, such as service areas and people, and follow events. Counts \
            and digests of ids and versions show whether a copy is whole. For one that isn't, this prints the command \
            that helps, and ends with code 1.

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
        var copied: Int
        /// Nil if an owner doesn't answer.
        var owned: Int?
        var isWhole: Bool
    }

    var copies: [Copy]
    /// Services that gave no report.
    var silent: [String]

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
    init(_ reports: [String: StateReport?]) {
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
                        service: service, set: set, copied: copied.count,
                        owned: original?.count, isWhole: original == copied))
            }
        }
        self.silent = silent
    }

    /// A line for each copy, and what to do.
    var lines: [String] {
        let width = copies.map(\.service.count).max() ?? 0
        var lines = copies.map { copy in
            let name = copy.service.padding(toLength: width, withPad: " ", startingAt: 0)
            let set = copy.set.rawValue.padding(toLength: 14, withPad: " ", startingAt: 0)
            guard let owned = copy.owned else { return "\(name)  \(set) its owner is silent" }
            let count = "\(copy.copied) of \(owned)"
            return "\(name)  \(set) \(count)\(copy.isWhole ? "" : "  differs")"
        }
        lines += silent.map { "\($0) doesn't answer: start it, then ask again" }
        let kinds = Set(copies.filter { !$0.isWhole && $0.owned != nil }.map(\.set.kind))
        let owners = allServices.filter { !Set($0.tells).isDisjoint(with: kinds) }
        lines += owners.map { "To do: openvalet replay --service \($0.name)" }
        if isHealthy { lines.append("All copies are whole.") }
        return lines
    }
}
