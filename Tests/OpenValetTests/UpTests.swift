import Contracts
import ArgumentParser
import Foundation
import ServiceKit
import Support
import Testing

@testable import OpenValet

struct UpTests {
    private let place: TestFolder

    init() throws { place = try TestFolder("up") }

    /// Another one each time.
    private func folder() throws -> DataFolder {
        try DataFolder(place.url.appending(path: "\(UUID())").path)
    }

    private func settings(_ environment: [String: String]) throws -> UpSettings {
        try UpSettings(environment, port: nil, data: nil, logLevel: "warning")
    }

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test func aServicesSettingGoesToThatServiceAlone() throws {
        let settings = try settings(["OPENVALET_MATCHING_PATIENCE_SECONDS": "0"])
        #expect(settings.perService["matching"] == ["OPENVALET_MATCHING_PATIENCE_SECONDS": "0"])
        #expect(settings.perService["orders"] == nil)
    }

    @Test func aTestMovesTheClockOfEveryService() throws {
        let name = "OPENVALET_TEST_CLOCK"
        let file = place.url.appending(path: "ahead").path
        try place.write("", to: "ahead")
        let settings = try settings([name: file])
        for service in allServices.map(\.name) {
            #expect(settings.perService[service] == [name: file])
        }
    }

    @Test func theDatabaseGoesToEveryServiceAndItsPasswordNotThroughArguments() throws {
        let name = "OPENVALET_DATABASE"
        let given = try settings([name: "postgres://me:secret@db/"])
        for service in allServices.map(\.name) {
            #expect(given.perService[service]?[name] == "postgres://me:secret@db/")
        }
        func asked(_ address: String) throws -> UpSettings {
            try UpSettings(
                ["\(name)_FILE": "/a/file"], port: nil, data: nil, database: address,
                logLevel: "warning")
        }
        #expect(try asked("postgres://me@db/").perService["orders"] == [name: "postgres://me@db/"])
        for refused in ["postgres://me:secret@db/", "db:5432", "postgres://db/?password=secret"] {
            #expect(throws: ValidationError.self) { try asked(refused) }
        }
    }

    @Test func theRoutersSettingsGoToThoseWhoAskIt() throws {
        let router = [
            "OPENVALET_ROUTER": "valhalla", "OPENVALET_ROUTER_URL": "http://127.0.0.1:8002",
            "OPENVALET_ROUTER_ATTRIBUTION": "© somebody",
        ]
        let geocoder = [
            "OPENVALET_GEOCODER_URL": "http://127.0.0.1:8003",
            "OPENVALET_GEOCODER_CONTACT": "maps@example.com", "OPENVALET_GEOCODER_PER_SECOND": "5",
        ]
        let settings = try settings(router.merging(geocoder) { $1 })
        #expect(settings.perService["matching"] == router)
        #expect(settings.perService["location"] == router)
        #expect(settings.perService["places"] == router.merging(geocoder) { $1 })
        #expect(settings.perService["web"] == geocoder)
        #expect(settings.perService["carparks"] == router)
        #expect(settings.perService["carpool"] == router)
        #expect(settings.perService["spots"] == router)
        #expect(settings.perService.count == 7)
    }

    @Test func othersServicesMayBeAnywhere() throws {
        let settings = try settings(["OPENVALET_PAYMENTS_STRIPE_URL": "http://127.0.0.1:1"])
        #expect(
            settings.perService == [
                "payments": ["OPENVALET_PAYMENTS_STRIPE_URL": "http://127.0.0.1:1"]
            ])
    }

    @Test(arguments: [
        ("OPENVALET_PLACES_REALTIME_URL", "places"), ("OPENVALET_CARPARKS_FEED_URL", "carparks"),
        ("OPENVALET_CARPOOL_APP_URL", "carpool"),
        ("OPENVALET_NOTIFICATIONS_TWILIO_URL", "notifications"),
        ("OPENVALET_ORDERS_CUSTODY_KEY_FILE", "orders"), ("OPENVALET_WEB_DEMO_FILE", "web"),
    ])
    func aServicesSettingIsTakenWhateverItsNameEndsWith(_ name: String, _ service: String) throws {
        #expect(try settings([name: "http://x"]).perService == [service: [name: "http://x"]])
    }

    @Test func aTokenForEveryServiceMayBeInAFile() throws {
        let name = "OPENVALET_METRICS_TOKEN_FILE"
        let given = try settings([name: "/a/file"]).perService
        #expect(given.count == allServices.count)
        #expect(given.values.allSatisfy { $0 == [name: "/a/file"] })
    }

    /// Settings that `up` chooses for its services, as well as the services' addresses.
    private static let chosen: Set = [
        "OPENVALET_HOST", "OPENVALET_KAFKA_SHARE", "OPENVALET_KAFKA_INSTANCE",
        "OPENVALET_SUPERVISED", "OPENVALET_JWKS_URL",
    ]

    private func isTaken(_ name: String) throws -> Bool {
        try place.write("", to: "ahead")
        let values = [
            "OPENVALET_PORT": "8080", "OPENVALET_GETALIFT_PORT": "7878",
            "OPENVALET_TEST_CLOCK": place.url.appending(path: "ahead").path,
        ]
        do {
            _ = try settings([name: values[name] ?? "x"])
            return true
        } catch is ValidationError {
            return false
        }
    }

    @Test func whatAServicesHelpNamesIsTakenUnlessUpChoosesIt() throws {
        for program in ServiceCommand.programs {
            let peers = program.service.addresses { _ in "" }.keys.filter { $0.hasSuffix("_URL") }
            for key in program.keys {
                let isChosen = Self.chosen.contains(key.name) || peers.contains(key.name)
                #expect(try isTaken(key.name) == !isChosen, "\(key.name)")
                if key.isSecret {
                    #expect(try isTaken("\(key.name)_FILE") == !isChosen, "\(key.name)_FILE")
                }
            }
        }
    }

    @Test(arguments: ["README.md", "docs/operations.md", "Services/OpenValet/README.md"])
    func whatADocumentNamesIsTakenUnlessUpChoosesIt(_ document: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: document), encoding: .utf8)
        // `…` stands for the rest of several names.
        for match in text.matches(of: /(OPENVALET_[A-Z0-9_]*[A-Z0-9])([_A-Z0-9…<]?)/)
        where match.2.isEmpty {
            let name = String(match.1)
            #expect(try isTaken(name) != Self.chosen.contains(name), "\(document): \(name)")
        }
    }

    @Test(arguments: [
        ("OPENVALET_PLACES_REALTIME_URLS", "Did you mean OPENVALET_PLACES_REALTIME_URL?"),
        ("OPENVALET_PLACE_REALTIME_URL", "Did you mean OPENVALET_PLACES_REALTIME_URL?"),
        ("OPENVALET_ACCOUNT_COUNTRY", "Did you mean OPENVALET_ACCOUNTS_COUNTRY?"),
        ("OPENVALET_GETALIFT_PROT", "Did you mean OPENVALET_GETALIFT_PORT?"),
        ("OPENVALET_NONSENSE", "See --help."),
    ])
    func aMisspeltSettingIsRefusedWithTheOneThatIsMeant(_ name: String, _ hint: String) {
        let error = #expect(throws: ValidationError.self) { try settings([name: "x"]) }
        #expect(error?.message == "\(name) is not a setting of openvalet up. \(hint)")
    }

    @Test func anEmptySettingStandsForTheDefault() throws {
        let names = [
            "OPENVALET_DATA", "OPENVALET_PORT", "OPENVALET_LOG_LEVEL", "OPENVALET_GETALIFT_PORT",
            "OPENVALET_OPERATOR_PHONE", "OPENVALET_SERVICE_SECRET", "OPENVALET_ROUTER",
            "OPENVALET_PLATES_ALPR_URL", "OPENVALET_ORDERS_CUSTODY_KEY",
        ]
        let given = UpSettings.given(Dictionary(uniqueKeysWithValues: names.map { ($0, "") }))
        #expect(given.isEmpty)
        let settings = try settings(given)
        #expect(settings.data == ".openvalet")
        #expect(settings.port == 8_080)
        // Without a tile server there are no tiles, rather than those of the default.
        let tiles = ["OPENVALET_WEB_TILES": ""]
        #expect(UpSettings.given(tiles) == tiles)
    }

    @Test func aSecretOfOnesOwnInAFileReplacesTheOneThatUpMakes() throws {
        let name = "OPENVALET_ORDERS_CUSTODY_KEY"
        let values = try plan(["\(name)_FILE": "/a/file"]).environment(of: .orders, kafka: "")
        #expect(values[name] == nil)
        #expect(values["\(name)_FILE"] == "/a/file")
    }

    @Test(arguments: [
        "OPENVALET_NONSENSE", "OPENVALET_ORDERS_URL", "OPENVALET_KAFKA_SHARE",
        "OPENVALET_SUPERVISED", "OPENVALET_ORDERS_NONSENSE", "OPENVALET_GATEWAY_URL",
        "OPENVALET_ALPR_STUB_KEY", "OPENVALET_ALPR_STUB_KEY_FILE",
        "OPENVALET_PLACES_REALTIME_URLS", "OPENVALET_PLACES_REALTIME_URL_FILE",
    ])
    func whatUpDecidesItselfOrDoesNotKnowIsRefused(_ name: String) {
        #expect(throws: ValidationError.self) { try settings([name: "x"]) }
    }

    @Test(arguments: ["0", "65536", "http", "-1"])
    func aPortThatIsNoneIsRefused(_ port: String) {
        #expect(throws: ValidationError.self) { try settings(["OPENVALET_PORT": port]) }
    }

    @Test func secretsAreMadeOnceForTheOwnersEyes() throws {
        let folder = try folder()
        let first = try UpSecrets(folder, [:])
        let second = try UpSecrets(folder, [:])
        #expect(first.serviceSecret == second.serviceSecret)
        #expect(first.operatorPassword == second.operatorPassword)
        #expect(first.custodyKey == second.custodyKey)
        #expect(first.custodyKey != first.serviceSecret)
        #expect(first.serviceSecret.count >= 32)
        #expect(try mode(folder.path) == 0o700)
        #expect(try mode(folder.file("service-secret")) == 0o600)
        #expect(try mode(folder.file("operator-password")) == 0o600)
    }

    @Test func whatSomebodyLeftOpenIsClosedToOthers() throws {
        let path = place.url.appending(path: "open").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        #expect(
            FileManager.default.createFile(
                atPath: "\(path)/orders.sqlite", contents: Data(),
                attributes: [.posixPermissions: 0o644]))
        let folder = try DataFolder(path)
        #expect(try mode(folder.path) == 0o700)
        #expect(try mode(folder.file("orders.sqlite")) == 0o600)
    }

    @Test func whatIsMissingIsToldWithWhatToDo() throws {
        let nothing = try #require(throws: ToolError.self) {
            try RedisProgram.require(["PATH": place.path])
        }
        #expect(nothing.description.contains("apt-get install redis-server"))
        let unusable = try #require(throws: ToolError.self) { try DataFolder("/proc/openvalet") }
        #expect(unusable.description.contains("choose a folder of your own with --data"))
    }

    @Test func aGivenPasswordIsNotWrittenDown() throws {
        let folder = try folder()
        let secrets = try UpSecrets(folder, ["OPENVALET_OPERATOR_PASSWORD": "of my own choice"])
        #expect(secrets.operatorPassword == "of my own choice")
        #expect(secrets.passwordFile == nil)
        #expect(folder.read("operator-password") == nil)
    }

    @Test func aFolderIsHeldByOneUpAtATime() throws {
        let folder = try folder()
        #expect(throws: ToolError.self) { try DataFolder(folder.path) }
    }

    @Test func aServiceGetsItsOwnEnvironmentOnly() throws {
        let folder = try folder()
        let port = try #require(try FreePorts.take(1).first)
        let plan = try UpPlan(
            settings: try settings(["OPENVALET_PORT": String(port)]), folder: folder,
            secrets: try UpSecrets(folder, [:]))
        for service in allServices {
            let values = plan.environment(of: service, kafka: "127.0.0.1:1")
            let isAccounts = service == .accounts
            #expect((values["OPENVALET_OPERATOR_PASSWORD"] != nil) == isAccounts)
            let verifies = service.parts.contains(.tokenKeys)
            #expect((values["OPENVALET_JWKS_URL"] != nil) == verifies, "\(service.name)")
            let hasKey = values["OPENVALET_ORDERS_CUSTODY_KEY"] != nil
            #expect(hasKey == (service == .orders), "\(service.name)")
            #expect(values["OPENVALET_KAFKA"] == "127.0.0.1:1")
        }
        #expect(plan.environment(of: .gateway, kafka: "")["OPENVALET_PORT"] == String(port))
        #expect(plan.url("gateway") == "http://127.0.0.1:\(port)")
    }

    @Test func theAppsOfGetaliftFindTheirAPIWhereTheyAreTold() throws {
        let port = try FreePort.find()
        let plan = try plan(["OPENVALET_GETALIFT_PORT": String(port)])
        let environment = plan.environment(of: .getalift, kafka: "")
        #expect(environment["OPENVALET_PORT"] == String(port))
        #expect(environment["OPENVALET_GETALIFT_PORT"] == nil)
        #expect(environment["OPENVALET_GATEWAY_URL"] == plan.url("gateway"))
        // Without a word it is theirs, or any other where that is taken.
        let other = try self.plan([:]).environment(of: .getalift, kafka: "")["OPENVALET_PORT"]
        #expect(other.flatMap(Int.init).map { $0 == 7878 || $0 > 7878 } == true)
        for wrong in ["0", "x", "65536"] {
            #expect(throws: ValidationError.self) {
                try settings(["OPENVALET_GETALIFT_PORT": wrong])
            }
        }
    }

    private func plan(_ environment: [String: String]) throws -> UpPlan {
        let port = try #require(try FreePorts.take(1).first)
        let folder = try folder()
        return try UpPlan(
            settings: try settings(environment.merging(["OPENVALET_PORT": String(port)]) { $1 }),
            folder: folder, secrets: try UpSecrets(folder, [:]))
    }

    private func names(_ plan: UpPlan) -> [String] {
        ServiceProcesses(plan: plan, printer: LinePrinter(colours: false)).services
            .compactMap { ($0 as? SupervisedProcess)?.kind.name }
    }

    @Test func anEngineOfSomebodyElseIsUsedInsteadOfOnesOwn() async throws {
        let own = try plan([:])
        #expect(names(own).prefix(2) == ["redis", "broker"])
        #expect(own.outside.places.isEmpty)
        let orders = own.environment(of: .orders, kafka: "127.0.0.1:1")
        #expect(orders["OPENVALET_KAFKA_SHARE"] == "sole")

        let outside = try plan([
            "OPENVALET_KAFKA": "k1:9092,k2:9092", "OPENVALET_REDIS": "redis://:s3cret@cache:6380",
            "OPENVALET_KAFKA_SETTINGS": "sasl.password=s3cret",
            "OPENVALET_DATABASE": "postgres://me:s3cret@db:5433/",
        ])
        #expect(Set(names(outside)).isDisjoint(with: ["redis", "broker"]))
        #expect(names(outside).count == names(own).count - 2)
        let processes = ServiceProcesses(plan: outside, printer: LinePrinter(colours: false))
        let kafka = try await processes.wiring.kafka().servers
        #expect(kafka == "k1:9092,k2:9092")
        let location = outside.environment(of: .location, kafka: kafka)
        #expect(location["OPENVALET_KAFKA"] == kafka)
        #expect(location["OPENVALET_REDIS"] == "redis://:s3cret@cache:6380")
        #expect(location["OPENVALET_KAFKA_SHARE"] == "group")
        #expect(location["OPENVALET_KAFKA_INSTANCE"]?.hasSuffix("-location") == true)
        #expect(outside.environment(of: .orders, kafka: kafka)["OPENVALET_REDIS"] == nil)
        let greeting = Greeting(processes).text
        for line in [
            "Kafka      your own at k1:9092,k2:9092", "Redis      your own at cache:6380",
            "PostgreSQL your own at db:5433",
        ] { #expect(greeting.contains("\n  \(line)\n"), "\(line)") }
        #expect(!greeting.contains("s3cret"))
    }

    @Test func anAddressOfRedisInAFileReplacesOnesOwn() throws {
        try place.write("redis://:s3cret@cache:6380\n", to: "redis")
        let file = place.url.appending(path: "redis").path
        let plan = try plan(["OPENVALET_REDIS_FILE": file])
        let location = plan.environment(of: .location, kafka: "")
        #expect(location["OPENVALET_REDIS"] == nil)
        #expect(location["OPENVALET_REDIS_FILE"] == file)
        #expect(!names(plan).contains("redis"))
        #expect(names(plan).contains("broker"))
    }

    @Test(arguments: [
        ("redis+cluster://:s3cret@r1,r2:7000", "r1:6379,r2:7000"),
        ("redis+sentinel://:s3cret@s1,[::1]:7001/cache", "s1:26379,[::1]:7001"),
    ])
    func everyServerOfARedisAddressIsNamed(_ address: String, _ place: String) throws {
        let settings = try settings(["OPENVALET_REDIS": address])
        #expect(try OutsideEngines(settings.perService).places.map(\.place) == [place])
    }

    @Test(arguments: [
        (["OPENVALET_REDIS": "redis://:s3cret@127.0.0.1:1"], "Redis at 127.0.0.1:1 can't be used"),
        (["OPENVALET_KAFKA": "127.0.0.1:1"], "Kafka at 127.0.0.1:1 can't be used"),
        (
            ["OPENVALET_DATABASE": "postgres://me:s3cret@127.0.0.1:1/"],
            "PostgreSQL at 127.0.0.1:1 can't be used"
        ),
    ])
    func anEngineThatIsAwayIsNamedBeforeAnythingStarts(
        _ environment: [String: String], _ start: String
    ) async throws {
        let settings = try settings(environment)
        let engines = try OutsideEngines(settings.perService)
        let error = await #expect(throws: ToolError.self) { try await engines.prepare(settings) }
        #expect(error?.description.hasPrefix(start) == true)
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test func anAddressThatIsNoneIsRefused() {
        for wrong in [["OPENVALET_REDIS": "cache"], ["OPENVALET_DATABASE": "db:5432"]] {
            #expect(throws: ConfigError.self) {
                try OutsideEngines(try self.settings(wrong).perService)
            }
        }
    }

    @Test func theStubOfARecogniserIsStartedUnlessARealOneIsNamed() throws {
        let plan = try plan([:])
        let port = try #require(plan.recogniserStubPort)
        let stub = plan.environmentOfRecogniserStub()
        let plates = plan.environment(of: .plates, kafka: "")
        #expect(stub["OPENVALET_PORT"] == String(port))
        #expect(stub["OPENVALET_SERVICE_SECRET"] == nil)
        #expect(plates["OPENVALET_PLATES_ALPR_URL"] == "http://127.0.0.1:\(port)")
        #expect(plates["OPENVALET_PLATES_ALPR_KEY"] == stub["OPENVALET_ALPR_STUB_KEY"])
        #expect(plan.environment(of: .orders, kafka: "")["OPENVALET_PLATES_ALPR_KEY"] == nil)

        let real = try self.plan([
            "OPENVALET_PLATES_ALPR_URL": "https://api.openalpr.com",
            "OPENVALET_PLATES_ALPR_KEY": "sk",
        ])
        #expect(real.recogniserStubPort == nil)
        let environment = real.environment(of: .plates, kafka: "")
        #expect(environment["OPENVALET_PLATES_ALPR_URL"] == "https://api.openalpr.com")
        #expect(environment["OPENVALET_PLATES_ALPR_KEY"] == "sk")
    }

    @Test func wherePicturesLieIsToldToWhoKeepsThem() throws {
        let settings = try settings([
            "OPENVALET_BLOBS_S3_URL": "http://minio:9000", "OPENVALET_BLOBS_S3_SECRET_FILE": "/x",
        ])
        for service in allServices.map(\.name) {
            let given = settings.perService[service]?.keys.sorted()
            let keepsPictures = ["accounts", "carparks", "plates", "spots"].contains(service)
            #expect(
                given
                    == (keepsPictures
                        ? ["OPENVALET_BLOBS_S3_SECRET_FILE", "OPENVALET_BLOBS_S3_URL"] : nil))
        }
    }

    @Test func theGreetingNamesPagesAndNoCommandsForATerminal() throws {
        let folder = try folder()
        let settings = try UpSettings(
            [:], port: try FreePort.find(), data: folder.path, logLevel: "warning")
        let plan = try UpPlan(
            settings: settings, folder: folder, secrets: UpSecrets(folder, [:]))
        let text = Greeting(ServiceProcesses(plan: plan, printer: LinePrinter(colours: false))).text
        #expect(text.contains("http://127.0.0.1:\(plan.gatewayPort)/operator"))
        #expect(!text.contains("curl -"))
    }

    /// Two houses that start at once get ports of their own, before either listens.
    @Test func aPortThatIsTakenIsNobodyElses() throws {
        let first = try #require(try FreePorts.take(1).first)
        let few = first..<first + 1
        #expect(throws: ToolError.self) { try FreePorts.take(1, in: few) }
    }

    @Test func freePortsAreDifferent() throws {
        let ports = try FreePorts.take(20)
        #expect(Set(ports).count == 20)
        #expect(ports.allSatisfy(FreePorts.isFree))
    }

    /// Many tests ask for several at a time, before any of them is used.
    @Test func freePortsOfTestsAreDifferentToo() throws {
        let ports = try (0..<200).map { _ in try FreePort.find() }
        #expect(Set(ports).count == 200)
    }
}

struct StrayProcessTests {
    @Test func onlyWhatWorksInTheFolderIsEnded() async throws {
        let (ours, others) = (try TestFolder("ours"), try TestFolder("others"))
        let programs = try [ours, others].map {
            try ChildProcess(#"cd "$1" && exec sleep 600"#, [$0.path])
        }
        func runs(in folder: TestFolder) -> Bool {
            !StrayProcess.all("sleep", in: folder.path).isEmpty
        }
        #expect(try await eventually { runs(in: ours) && runs(in: others) })
        await StrayProcess.stop("tail", in: ours.path)
        #expect(runs(in: ours), "another program")
        await StrayProcess.stop("sleep", in: ours.path)
        #expect(!runs(in: ours))
        #expect(runs(in: others))
        for program in programs { program.release() }
    }
}

struct WiringTests {
    @Test func whoWaitsForTheBrokerHearsOfIt() async throws {
        let wiring = Wiring()
        async let first = wiring.kafka()
        wiring.announce(kafka: "127.0.0.1:1")
        #expect(try await first.servers == "127.0.0.1:1")
        let generation = wiring.generation
        async let next = wiring.kafka(after: generation)
        wiring.announce(kafka: "127.0.0.1:2")
        #expect(try await next.servers == "127.0.0.1:2")
    }

    @Test func waitingEndsWhenItIsCancelled() async {
        let wiring = Wiring()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await wiring.kafka()) == nil }
            group.cancelAll()
            #expect(await group.next() == true)
        }
    }
}
