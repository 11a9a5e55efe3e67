import Foundation
import Testing

@testable import ServiceKit

/// Rules of the house that a compiler does not check.
struct TidyTests {
    private static let sources = (try? Repository.swiftFiles("Shared", "Services")) ?? []
    private static let everything = sources + ((try? Repository.swiftFiles("Tests")) ?? [])

    private func offenders(
        _ pattern: Regex<Substring>, in files: [String], except allowed: Set<String> = []
    ) throws -> [String] {
        try files.filter { !allowed.contains($0) }.flatMap { file in
            try Repository.code(file).enumerated()
                .filter { $0.element.contains(pattern) }
                .map { "\(file):\($0.offset + 1)" }
        }
    }

    @Test func thereIsSomethingToCheck() {
        #expect(Self.sources.count > 100)
    }

    @Test func nothingIsForcedAndNothingCrashes() throws {
        let pattern = /\btry!|\bas!|\bfatalError\(|\bpreconditionFailure\(|\bassertionFailure\(/
        #expect(try offenders(pattern, in: Self.sources) == [])
    }

    @Test func nothingIsPrintedPastTheLog() throws {
        #expect(try offenders(/\b(?:print|debugPrint|dump|NSLog)\(/, in: Self.sources) == [])
    }

    /// An error's type alone doesn't help an operator, and its own text might quote a person's data.
    @Test func logsTellAnErrorByItsReason() throws {
        // Maps have no person's data, and are below the bus.
        let allowed: Set = ["Shared/Geography/Maps/OpenMapCache.swift"]
        let (type, text) = (/type\(of: error\)\)"/, /"(?:error|reason)": "\\\(error\)"/)
        let found = try Self.sources.filter { !allowed.contains($0) }.flatMap { file in
            try Repository.lines(file).enumerated()
                .filter { $0.element.contains(type) || $0.element.contains(text) }
                .map { "\(file):\($0.offset + 1)" }
        }
        #expect(found == [])
        #expect(try Repository.text(allowed.first ?? "").contains(text))
    }

    @Test func everyMetricHasItsTextAndEveryTextItsMetric() throws {
        var found: Set<String> = []
        for file in Self.sources {
            let text = try Repository.text(file)
            for match in text.matches(of: /label:\s*"([a-z0-9]+_[a-z0-9_]+)"/) {
                found.insert(String(match.1))
            }
        }
        #expect(found == Set(MetricText.all.keys))
    }

    @Test func sendabilityIsNeverClaimedUncheckedButByTheKafkaHandle() throws {
        let allowed: Set = ["Shared/Platform/Kafka/Client.swift"]
        let found = try offenders(
            /@unchecked|nonisolated\(unsafe\)|@preconcurrency/, in: Self.sources, except: allowed)
        #expect(found == [])
    }

    @Test func tasksAreStructured() throws {
        #expect(try offenders(/\bTask\s*\{|\bTask\.detached|\bTask\(/, in: Self.sources) == [])
    }

    @Test func onlyTheStoreKnowsItsEngines() throws {
        let store = Set(Self.sources.filter { $0.hasPrefix("Shared/Platform/Store/") })
        #expect(try offenders(/import (?:GRDB|CPostgres)\b/, in: Self.sources, except: store) == [])
        #expect(!store.isEmpty)
    }

    /// What services ask of each other is said where both sides read it.
    @Test func onlyContractsKnowInternalPaths() throws {
        let knowing = try Self.sources.filter { try Repository.text($0).contains("/internal") }
        #expect(knowing == ["Shared/API/Contracts/Endpoint.swift"])
    }

    /// A transaction is a handle of the database: what a service does with it, its stores say.
    @Test func servicesAddNothingButStoresToATransaction() throws {
        let isStore = /^    var \w+: \w+ \{ \w+\(transaction: self\) \}$/
        var stores = 0
        var found: [String] = []
        for file in Self.sources where file.hasPrefix("Services/") {
            let lines = try Repository.lines(file)
            for (start, line) in lines.enumerated() where line == "extension Transaction {" {
                for (number, line) in lines.enumerated().dropFirst(start + 1) {
                    if line == "}" { break }
                    if line.contains(isStore) {
                        stores += 1
                    } else {
                        found.append("\(file):\(number + 1)")
                    }
                }
            }
        }
        #expect(stores > 50)
        #expect(found == [])
    }

    @Test func theEnvironmentIsReadInOnePlaceEachOfServicesAndTool() throws {
        let allowed: Set = [
            "Shared/Platform/ServiceKit/Operations/Boot.swift", "Services/OpenValet/Up/Up.swift",
            "Services/OpenValet/Up/UpPlan.swift", "Services/OpenValet/Replay.swift",
            "Services/OpenValet/Topics/TopicsCommand.swift",
            "Services/OpenValet/Simulate.swift", "Services/OpenValet/Map/MapCommand.swift",
            "Services/AlprStub/StubCommand.swift",
        ]
        let found = try offenders(
            /ProcessInfo\.processInfo\.environment|\bgetenv\(/, in: Self.sources, except: allowed)
        #expect(found == [])
    }

    /// But for the number of the first operator, a setting's default. Seeds are data.
    @Test func noPlaceIsBuiltIn() throws {
        let named = /Hong Kong|香港|\bHKD\b|\bHK\b|\+852/
        let files = try Repository.files(
            in: "Services", ending: ".swift", ".js", ".css", ".json", ".mustache")
        #expect(files.count > 100)
        let found = try files.flatMap { file in
            try Repository.lines(file).filter { $0.contains(named) }.map { "\(file): \($0)" }
        }
        #expect(found.map { $0.prefix { $0 != ":" } } == ["Services/OpenValet/Up/DataFolder.swift"])
    }

    @Test func linesHaveAtMostAHundredAndTwentyColumns() throws {
        // The formatter breaks code at 100; literals, tables and comments may go on a little.
        let apps = try Repository.files(in: "Services/Web/Apps", ending: ".js", ".css")
        #expect(apps.count > 150)
        // A sentence stands on one line.
        let code = apps.filter { !$0.contains("/texts/") }
        let found = try (Self.everything + code).flatMap { file in
            try Repository.lines(file).enumerated()
                .filter { $0.element.count > 120 && !$0.element.contains("http") }
                .map { "\(file):\($0.offset + 1)" }
        }
        #expect(found == [])
    }

    /// English has no such subject: "Drivers who …", "The person who …".
    @Test func noCommentBeginsWithWho() throws {
        let start = /^\s*\/\/+ (?:Who|Whoever|Of who|Whom|Whose)\b/
        let found = try Self.everything.flatMap { file in
            try Repository.lines(file).enumerated()
                .filter { $0.element.contains(start) }
                .map { "\(file):\($0.offset + 1)" }
        }
        #expect(found == [])
    }

    @Test func everyServiceHasAReadmeOfAtMostSixtyLines() throws {
        let services = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Services").path)
        #expect(services.count > 15)
        for service in services {
            let lines = try Repository.lines("Services/\(service)/README.md")
            #expect((10...61).contains(lines.count), "\(service) has \(lines.count - 1)")
        }
    }

    @Test func functionsHaveAtMostSeventyLines() throws {
        let function = /^\s*(?:[a-z@()]+ )*(?:func |init[?(<])/
        var found: [String] = []
        for file in Self.sources {
            let all = try Repository.lines(file)
            for (start, line) in all.enumerated() {
                guard !line.hasSuffix("}"), line.contains(function) else { continue }
                let indent = line.prefix { $0 == " " }
                let end = all[(start + 1)...].firstIndex {
                    $0.hasPrefix("\(indent)}") || $0.hasPrefix("\(indent)//")
                }
                if let end, end - start > 70 { found.append("\(file):\(start + 1)") }
            }
        }
        #expect(found == [])
    }

    @Test func workIsFinishedOrIsNotThere() throws {
        let pattern = /TODO|FIXME|XXX|HACK/
        let found = try Self.everything.filter { $0 != "Tests/TidyTests/TidyTests.swift" }.filter {
            try Repository.text($0).contains(pattern)
        }
        #expect(found == [])
    }

    @Test(arguments: [
        ("CRdKafka", ["Shared/Platform/Kafka"]), ("CHiredis", ["Shared/Platform/Redis"]),
        ("GRDB", ["Shared/Platform/Store"]), ("CPostgres", ["Shared/Platform/Store"]),
        ("CPhoneNumber", ["Services/Accounts/People"]),
    ])
    func aCLibraryHasOneOwner(_ module: String, _ owners: [String]) throws {
        let found = try Self.everything.filter { file in
            try Repository.text(file).contains("import \(module)\n")
                && !owners.contains { file.hasPrefix("\($0)/") }
        }
        #expect(found == [])
    }

    /// In each language, and in the list of the operator's app by which one filters.
    @Test func everyActionOfTheAuditLogHasWords() throws {
        var actions: Set<String> = []
        var verbsOnly: [String] = []
        for file in Self.sources where file.hasPrefix("Services/") {
            let text = try Repository.text(file)
            guard text.contains("OperatorActed(") || text.contains(".record(") else { continue }
            if text.contains(/action: "[^"]*\\\(/) { verbsOnly.append(file) }
            for match in text.matches(of: /"([a-z]+\.[a-z]+(?:-[a-z]+)+)"/) {
                actions.insert(String(match.1))
            }
            for match in text.matches(of: /action: "([a-z]+\.[a-z]+)"/) {
                actions.insert(String(match.1))
            }
            for match in text.matches(of: /\.record\(\s*"([a-z-]+)"/) {
                actions.insert("orders.\(match.1)")
            }
        }
        #expect(
            verbsOnly == [
                "Services/Areas/AreaStore.swift", "Services/Orders/Custody/OrderAudit.swift",
            ])
        #expect(
            actions.isSuperset(of: [
                "orders.override", "payments.refund", "accounts.suspend-valet",
                "carparks.uphold-fine", "places.unset-duplicate",
            ]))
        let app = "Services/Web/Apps/operator"
        for (file, prefix) in [
            ("audit.js", ""), ("texts/en.js", "op.act."), ("texts/zh-Hant.js", "op.act."),
        ] {
            let text = try Repository.text("\(app)/\(file)")
            let missing = actions.filter { !text.contains("'\(prefix)\($0)'") }.sorted()
            #expect(missing == [], "in \(file)")
        }
    }

    /// If two lists had the same key, the one that is loaded later would hide the other's text.
    @Test(arguments: ["customer", "valet", "operator"])
    func anAppLoadsEachTextOnceAndInBothLanguages(_ app: String) throws {
        let apps = "Services/Web/Apps"
        var folders: Set = ["shared/texts", "\(app)/texts"]
        for part in [app, "shared"] {
            for file in try Repository.files(in: "\(apps)/\(part)", ending: ".js") {
                let code = try Repository.text(file)
                for match in code.matches(of: /'\/apps\/([a-z\/-]*texts[a-z\/-]*)'/) {
                    folders.insert(String(match.1))
                }
            }
        }
        #expect(folders.count > 3)
        var seen: [String: Set<String>] = [:]
        for folder in folders.sorted() {
            var keys: [Set<String>] = []
            for language in ["en", "zh-Hant"] {
                let text = try Repository.text("\(apps)/\(folder)/\(language).js")
                let found = text.matches(of: /'([\w.-]+)':\s+['"]/).map { String($0.1) }
                #expect(found.count == Set(found).count, "twice in \(folder)/\(language).js")
                keys.append(Set(found))
            }
            #expect(keys[0] == keys[1], "the languages of \(folder) differ")
            for (other, known) in seen {
                #expect(known.intersection(keys[0]) == [], "in \(other) and \(folder)")
            }
            seen[folder] = keys[0]
        }
    }

    @Test func noServiceImportsAnother() throws {
        // It runs each of them.
        let tool = "Services/OpenValet/Up/ServiceCommand.swift"
        let services = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Services").path)
        for file in try Repository.swiftFiles("Shared", "Services") {
            let text = try Repository.text(file)
            for service in services where !file.hasPrefix("Services/\(service)/") && file != tool {
                #expect(!text.contains("import \(service)\n"), "\(file) imports \(service)")
            }
        }
    }

    @Test func everyServiceHasTheSameRooms() throws {
        let services = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Services").path
        ).filter { !["OpenValet", "AlprStub"].contains($0) }
        for service in services {
            for room in [
                "Program.swift", "Build.swift", "\(service)Config.swift", "Executable/main.swift",
            ] {
                let path = "Services/\(service)/\(room)"
                #expect(
                    FileManager.default.fileExists(
                        atPath: Repository.root.appending(path: path).path), "\(path) is missing")
            }
        }
    }
}
