import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Support
import Testing

@testable import Web

private func apps() throws -> TestFolder {
    try TestFolder(
        "web",
        [
            "shared/service-worker.js": "self", "shared/tokens.css": ":root {}",
            "shared/icons/a.svg": "<svg/>", "shared/icons/a.png": "png",
            "customer/app.js": "1", "customer/manifest.webmanifest": "{}",
            "customer/data.json": "{}",
            "customer/readme.md": "# no", "customer/.hidden.js": "no", "customer/a b.js": "no",
            "secret": "no",
        ])
}

private func leaflet() throws -> TestFolder {
    try TestFolder(
        "web",
        [
            "leaflet.css": "css", "leaflet.esm.min.js": "js", "images/layers.png": "png",
            "leaflet.css.map": "no", "leaflet.css.gz": "no",
        ])
}

@Suite struct WebTests {
    @Test(arguments: [
        ("/apps/customer/app.js", "text/javascript; charset=utf-8"),
        ("/apps/shared/tokens.css", "text/css; charset=utf-8"),
        ("/apps/customer/manifest.webmanifest", "application/manifest+json; charset=utf-8"),
        ("/apps/customer/data.json", "application/json; charset=utf-8"),
        ("/apps/shared/icons/a.svg", "image/svg+xml"), ("/apps/shared/icons/a.png", "image/png"),
        ("/service-worker.js", "text/javascript; charset=utf-8"),
        ("/apps/index.json", "application/json; charset=utf-8"),
        ("/leaflet/leaflet.esm.min.js", "text/javascript; charset=utf-8"),
        ("/leaflet/leaflet.css", "text/css; charset=utf-8"),
        ("/leaflet/images/layers.png", "image/png"),
    ])
    func aFileIsServedWithItsTypeAndARule(address: String, type: String) async throws {
        let (apps, leaflet) = (try apps(), try leaflet())
        let settings = ["APPS": apps.path, "LEAFLET": leaflet.path]
        try await TestWeb.run(settings: settings) { test in
            let answer = try await test.send(.get, address)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == type)
            #expect(answer.headers[.cacheControl] == "no-cache")
            #expect(answer.headers[.contentSecurityPolicy]?.contains("script-src 'self';") == true)
            let tag = try #require(answer.headers[.eTag])
            #expect(tag.wholeMatch(of: /"[0-9a-f]{64}"/) != nil)

            for known in [tag, "\"x\", W/\(tag)", "*"] {
                let again = try await test.send(.get, address, headers: [.ifNoneMatch: known])
                #expect(again.status == .notModified)
                #expect(again.body.readableBytes == 0)
                #expect(again.headers[.eTag] == tag)
                #expect(again.headers[.cacheControl] == "no-cache")
            }
            let other = try await test.send(.get, address, headers: [.ifNoneMatch: "\"x\""])
            #expect(other.status == .ok)
        }
        withExtendedLifetime((apps, leaflet)) {}
    }

    @Test(arguments: [
        "/apps/customer/none.js", "/apps", "/apps/", "/apps/customer", "/apps/secret",
        "/apps/customer/readme.md", "/apps/customer/.hidden.js", "/apps/customer/a%20b.js",
        "/apps/../secret", "/apps/%2e%2e/secret", "/apps/..%2fsecret",
        "/apps/customer/../shared/tokens.css", "/apps/customer/%2e%2e/shared/tokens.css",
        "/apps//shared/tokens.css", "/apps/shared/tokens.css/", "/apps/shared%2ftokens.css",
        "/apps/shared/tokens.css%00", "/apps/....//....//etc/passwd", "/apps/%5c..%5csecret",
        "/apps/shared/link.css", "/leaflet/../apps/secret", "/leaflet/%2e%2e/%2e%2e/etc/passwd",
        "/leaflet/leaflet.css.gz", "/leaflet/leaflet.css.map", "/leaflet", "/service-worker.js.map",
    ])
    func nothingButWhatIsForBrowsersIsReached(address: String) async throws {
        let (apps, leaflet) = (try apps(), try leaflet())
        try FileManager.default.createSymbolicLink(
            atPath: "\(apps.path)/shared/link.css", withDestinationPath: "/etc/passwd")
        let settings = ["APPS": apps.path, "LEAFLET": leaflet.path]
        try await TestWeb.run(settings: settings) { test in
            let answer = try await test.send(.get, address)
            #expect(answer.status == .notFound)
            #expect(answer.problem?.code == "request.not_found")
            try await test.serve { port in
                let limits = TestClient.Configuration(timeout: patience)
                let status = try await TestClient.withClient(
                    host: "127.0.0.1", port: port, configuration: limits
                ) { client in
                    try await client.execute(
                        .init(address, method: .get, authority: "127.0.0.1")
                    ).status
                }
                #expect(status == .notFound)
            }
        }
        withExtendedLifetime((apps, leaflet)) {}
    }

    @Test func theIndexNamesEveryFileAndItsVersionChangesWithAnyOfThem() async throws {
        let (apps, leaflet) = (try apps(), try leaflet())
        let settings = ["APPS": apps.path, "LEAFLET": leaflet.path]
        try await TestWeb.run(settings: settings) { test in
            @Sendable func index() async throws -> WebFiles.Index {
                let answer = try await test.send(.get, "/apps/index.json")
                return try JSONDecoder().decode(
                    WebFiles.Index.self, from: Data(answer.body.readableBytesView))
            }
            let first = try await index()
            #expect(
                first.files == [
                    "customer/app.js", "customer/data.json", "customer/manifest.webmanifest",
                    "shared/icons/a.png", "shared/icons/a.svg", "shared/service-worker.js",
                    "shared/tokens.css",
                ])
            #expect(try await index() == first)
            try apps.write("2", to: "customer/app.js")
            let second = try await index()
            #expect(second.version != first.version)
            #expect(second.files == first.files)
            #expect(try await test.send(.get, "/apps/customer/app.js").text == "2")
            try leaflet.write("newer", to: "leaflet.css")
            #expect(try await index().version != second.version)
        }
    }

    @Test func theWorkerSaysOfWhichVersionItIsAndWhatItKeeps() async throws {
        let (apps, leaflet) = (try apps(), try leaflet())
        let settings = ["APPS": apps.path, "LEAFLET": leaflet.path]
        try await TestWeb.run(settings: settings) { test in
            let first = try await test.send(.get, "/service-worker.js")
            let version = try #require(first.headers[.webVersion])
            #expect(
                first.text == """
                    const VERSION = '\(version)';
                    const FILES = ["/","/valet","/operator","/pay","/apps/customer/app.js",\
                    "/apps/customer/data.json","/apps/customer/manifest.webmanifest",\
                    "/apps/shared/icons/a.png","/apps/shared/icons/a.svg",\
                    "/apps/shared/service-worker.js","/apps/shared/tokens.css",\
                    "/leaflet/leaflet.css","/leaflet/leaflet.esm.min.js"];
                    self
                    """)
            for address in ["/", "/apps/customer/app.js"] {
                #expect(try await test.send(.get, address).headers[.webVersion] == version)
            }
            #expect(try await test.send(.get, "/valet").text.contains(#"content="\#(version)""#))
            try apps.write("2", to: "customer/app.js")
            let second = try await test.send(.get, "/service-worker.js")
            #expect(second.text != first.text)
        }
        // What a page says counts too: it is kept with the files.
        func version(_ settings: [String: String]) throws -> String {
            try WebRoutes(TestWeb.config(settings)).source.files().version
        }
        #expect(try version(settings.merging(["TILES": ""]) { $1 }) != version(settings))
        withExtendedLifetime((apps, leaflet)) {}
    }

    @Test func withoutLeafletEverythingElseWorks() async throws {
        let (apps, leaflet) = (try apps(), try TestFolder("web", ["leaflet.css": "alone"]))
        for folder in [leaflet.path, "/nowhere"] {
            let settings = ["APPS": apps.path, "LEAFLET": folder]
            try await TestWeb.run(settings: settings) { test in
                #expect(try await test.send(.get, "/leaflet/leaflet.css").status == .notFound)
                let page = try await test.send(.get, "/")
                #expect(page.status == .ok)
                #expect(!page.text.contains("leaflet"))
                #expect(try await test.send(.get, "/apps/customer/app.js").status == .ok)
            }
        }
        withExtendedLifetime((apps, leaflet)) {}
    }

    @Test func foldersBeyondTheLimitsStopTheStart() throws {
        let crowded = try TestFolder("web")
        for number in 0...WebFiles.mostFiles { try crowded.write("", to: "\(number).js") }
        let tooMuch = String(repeating: "x", count: WebFiles.largestFile + 1)
        let large = try TestFolder("web", ["a.js": tooMuch])
        let empty = try TestFolder("web", ["readme.md": "nothing to serve"])
        for folder in [crowded.path, large.path, empty.path, "/nowhere"] {
            let config = try TestWeb.config(["APPS": folder])
            #expect(throws: (any Error).self) {
                try config.source(WebPages(config.tiles))
            }
        }
    }
}

@Suite struct WebPageTests {
    @Test func everyLanguageSaysTheSame() {
        #expect(WebPages.words.differences == [])
    }

    @Test(arguments: WebApp.allCases)
    func aPageLoadsItsAppAndRunsNothingOfItsOwn(app: WebApp) async throws {
        let leaflet = try leaflet()
        let settings = [
            "LEAFLET": leaflet.path,
            "TILES": "https://{s}.tiles.example.com/{z}/{x}/{y}.png?a=1&b=2",
            "TILES_ATTRIBUTION": "\"<b>us</b>",
        ]
        try await TestWeb.run(settings: settings) { test in
            let answer = try await test.send(.get, app.address)
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            let html = answer.text
            for part in [
                #"data-app="\#(app.rawValue)""#, #"<div id="app">"#, "viewport-fit=cover",
                #"<script type="module" src="/apps/\#(app.rawValue)/app.js"></script>"#,
                #"href="/apps/\#(app.rawValue)/app.css""#, #"href="/apps/shared/tokens.css""#,
                #"href="/apps/shared/components.css""#, "<noscript>",
                "/openapi.yaml", "(prefers-color-scheme: dark)", #"name="description""#,
                "https://{s}.tiles.example.com/{z}/{x}/{y}.png?a=1&amp;b=2",
                "&quot;&lt;b&gt;us&lt;/b&gt;",
            ] { #expect(html.contains(part), "\(part)") }
            for part in [
                #"href="/leaflet/leaflet.css""#,
                #"href="/apps/\#(app.rawValue)/manifest.webmanifest""#,
            ] { #expect(html.contains(part) == (app != .pay), "\(part)") }
            #expect(html.matches(of: /<script/).count == 1)
            #expect(html.firstMatch(of: /<style|style=|\son[a-z]+=|javascript:|\{\{/) == nil)
        }
        withExtendedLifetime(leaflet) {}
    }

    /// The QR code of a ticket or an exit leads to the page, whatever it names.
    @Test(arguments: ["/pay", "/pay/B7K-42Q", "/pay?carPark=019ab000-0000-7000-8000-000000000001"])
    func aQRCodeLeadsToThePageForPaying(address: String) async throws {
        try await TestWeb.run { test in
            let answer = try await test.send(.get, address)
            #expect(answer.status == .ok)
            #expect(answer.text.contains(#"data-app="pay""#))
            #expect(answer.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(try await test.send(.get, "/pay/a/b").status == .notFound)
        }
    }

    @Test func aPageHasItsRules() async throws {
        let tiles = "https://{s}.tiles.example.com/{z}/{x}/{y}.png"
        try await TestWeb.run(settings: ["TILES": tiles]) { test in
            let headers = try await test.send(.get, "/valet").headers
            #expect(
                headers[.contentSecurityPolicy]
                    == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
                    + " data: blob: https://*.tiles.example.com; connect-src 'self';"
                    + " manifest-src 'self'; worker-src 'self'; font-src 'self'; media-src 'self'"
                    + " blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
            #expect(headers[.referrerPolicy] == "strict-origin-when-cross-origin")
            #expect(headers[.permissionsPolicy] == "geolocation=(self), camera=(self)")
            #expect(headers[.vary] == "Accept-Language")
            #expect(headers[.cacheControl] == "no-cache")
        }
        try await TestWeb.run(settings: ["TILES": ""]) { test in
            let page = try await test.send(.get, "/")
            let policy = page.headers[.contentSecurityPolicy]
            #expect(policy?.contains("img-src 'self' data: blob:;") == true)
            #expect(page.text.contains(#"<meta name="openvalet:tiles" content="">"#))
            #expect(page.text.contains(#"<meta name="openvalet:geocoder" content="">"#))
        }
    }

    @Test(arguments: [
        (nil, "en"), ("", "en"), ("fr", "en"), ("zh-HK,zh;q=0.9,en;q=0.8", "zh-Hant"),
        ("en-GB,zh;q=0.9", "en"), ("fr, zh-TW;q=0.3, en;q=0.2", "zh-Hant"), ("zh;q=0", "en"),
        ("zh;q=x", "zh-Hant"), ("*", "en"), ("EN;q=0.1, ZH;Q=0.2", "zh-Hant"), (";;,,=,q", "en"),
    ])
    func theLanguageIsTheBrowsers(header: String?, language: String) async throws {
        try await TestWeb.run { test in
            var headers = HTTPFields()
            headers[.acceptLanguage] = header
            let page = try await test.send(.get, "/", headers: headers)
            #expect(page.text.contains(#"<html lang="\#(language)""#))
            #expect(page.headers[.contentLanguage] == language)
            #expect(page.text.contains(language == "en" ? "Loading" : "載入中"))
            let again = try await test.send(
                .get, "/", headers: [.ifNoneMatch: page.headers[.eTag] ?? ""])
            #expect(again.status == (language == "en" ? .notModified : .ok))
        }
    }
}

/// The apps that are built in.
@Suite struct BuiltInAppTests {
    private struct Manifest: Decodable {
        struct Icon: Decodable {
            let src: String
            let sizes: String
            let purpose: String
        }
        let id: String
        let name: String
        let scope: String
        let start_url: String
        let display: String
        let icons: [Icon]
    }

    private func files() throws -> WebFiles {
        let config = try TestWeb.config()
        guard case .held(let files) = try config.source(WebPages(config.tiles)) else {
            Issue.record("What is built in is read once.")
            throw CancellationError()
        }
        return files
    }

    @Test func whatAPageNamesIsThere() throws {
        let files = try files()
        let pages = try WebPages(MapTiles("", attribution: ""))
        for app in WebApp.allCases {
            let html = String(
                buffer: pages.page(app, .english, version: "", hasLeaflet: false).body)
            for name in html.matches(of: /(?:href|src)="(\/apps\/[^"]+)"/).map(\.1) {
                #expect(files[String(name)] != nil, "\(name)")
            }
        }
        #expect(files[WebFiles.workerAddress] != nil)
    }

    @Test(arguments: WebApp.allCases.filter(\.isInstallable))
    func aManifestMakesAnAppInstallable(app: WebApp) throws {
        let files = try files()
        let file = try #require(files["/apps/\(app.rawValue)/manifest.webmanifest"])
        let manifest = try JSONDecoder().decode(
            Manifest.self, from: Data(file.body.readableBytesView))
        #expect(
            [manifest.id, manifest.scope, manifest.start_url]
                == Array(repeating: app.address, count: 3))
        #expect(manifest.name.hasPrefix("OpenValet"))
        #expect(manifest.display == "standalone")
        let wanted = ["any any", "192x192 any", "512x512 any", "512x512 maskable"]
        #expect(manifest.icons.map { "\($0.sizes) \($0.purpose)" } == wanted)
        for icon in manifest.icons {
            let image = try #require(files[icon.src])
            #expect(image.body.readableBytes < 15_000)
            if icon.src.hasSuffix(".png") {
                let bytes = Data(image.body.readableBytesView)
                let width = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
                #expect(icon.sizes == "\(width)x\(width)")
            }
        }
    }

    @Test func whoTakesGzipGetsLess() async throws {
        let address = "/apps/shared/components.css"
        let plain = try #require(try files()[address]).body
        try await TestWeb.run { test in
            let identity = try await test.send(.get, address)
            #expect(identity.body == plain)
            #expect(identity.headers[.contentEncoding] == nil)
            #expect(identity.headers[.vary]?.contains("accept-encoding") == true)
            for accepted in ["gzip", "br, gzip;q=0.8", "deflate,gzip", "br, gzip ; q=1.0"] {
                let answer = try await test.send(
                    .get, address, headers: [.acceptEncoding: accepted])
                #expect(answer.headers[.contentEncoding] == "gzip")
                #expect(answer.body.readableBytes < plain.readableBytes / 2)
                // gzip's magic number, RFC 1952.
                #expect(answer.body.readableBytesView.prefix(2) == [0x1F, 0x8B])
                let tag = try #require(answer.headers[.eTag])
                #expect(tag != identity.headers[.eTag])
                let again = try await test.send(
                    .get, address, headers: [.acceptEncoding: accepted, .ifNoneMatch: tag])
                #expect(again.status == .notModified)
            }
            for refused in [
                "gzip;q=0", "gzip; q=0.0", "gzip;q=2", "gzip;q=.5", "gzip;q=0x1", "gzip;level=9",
                "br", "identity",
            ] {
                let answer = try await test.send(
                    .get, address, headers: [.acceptEncoding: refused])
                #expect(answer.headers[.contentEncoding] == nil)
                #expect(answer.body == plain)
            }
        }
    }

    /// The policy forbids both, and a browser would say so only where the page is used.
    @Test func noFileAsksForAnythingInline() throws {
        let files = try files()
        for address in files.addresses where address.hasPrefix("/apps/") {
            guard let file = files[address], file.type.hasPrefix("text/javascript") else {
                continue
            }
            let text = String(buffer: file.body)
            #expect(
                text.firstMatch(of: /\sstyle="|\son[a-z]+="|javascript:|\beval\(/) == nil,
                "\(address)")
        }
    }
}
