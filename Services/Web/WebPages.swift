import Contracts
import Foundation
import Mustache
import ServiceKit

/// One of the web apps.
enum WebApp: String, Sendable, CaseIterable {
    case customer, valet, `operator`
    /// The page for drivers without the app.
    case pay

    var address: String { self == .customer ? "/" : "/\(rawValue)" }

    /// Whether people keep it on their phone, with a map and an icon of its own.
    var isInstallable: Bool { self != .pay }
}

/// The page of each app: it names all files, and the app draws the rest.
struct WebPages: Sendable {
    /// The texts that a page shows before its app runs.
    static let words = Catalogue([
        .english: PackageResources.en_json, .traditionalChinese: PackageResources.zh_Hant_json,
    ])

    private let template: MustacheTemplate
    private let tiles: MapTiles
    private let hasGeocoder, isDemo: Bool
    /// JSON; empty if no company is configured.
    private let company: String

    init(
        _ tiles: MapTiles, hasGeocoder: Bool = false, isDemo: Bool = false, company: Company? = nil
    ) throws {
        template = try .escaping(String(decoding: PackageResources.app_mustache, as: UTF8.self))
        self.tiles = tiles
        (self.hasGeocoder, self.isDemo) = (hasGeocoder, isDemo)
        self.company =
            try company.map { String(decoding: try Wire.encode($0), as: UTF8.self) } ?? ""
    }

    /// All pages, in all languages.
    var all: Data {
        WebApp.allCases.reduce(into: Data()) { all, app in
            for language in Language.allCases {
                let page = page(app, language, version: "", hasLeaflet: true)
                all.append(contentsOf: page.body.readableBytesView)
            }
        }
    }

    /// Escapes all values for HTML.
    func page(
        _ app: WebApp, _ language: Language, version: String, hasLeaflet: Bool
    ) -> WebFile {
        func text(_ key: String) -> String { Self.words.text(key, in: language) }
        let html = template.render(
            [
                "language": language.rawValue, "app": app.rawValue, "version": version,
                "title": text("\(app.rawValue).title"),
                "description": text("\(app.rawValue).description"),
                "lightColour": app.colours.light,
                "darkColour": app.colours.dark, "tiles": tiles.template,
                "attribution": tiles.attribution, "hasLeaflet": hasLeaflet && app.isInstallable,
                "isInstallable": app.isInstallable,
                "icon": app.isInstallable ? app.rawValue : WebApp.customer.rawValue,
                "geocoder": hasGeocoder ? "yes" : "", "isDemo": isDemo,
                "company": company, "hasCompany": app == .customer && !company.isEmpty,
                "loading": text("loading"), "withoutScript": text("withoutScript"),
                "interface": text("interface"),
            ] as [String: Any])
        return WebFile(type: "text/html; charset=utf-8", Data(html.utf8))
    }
}

extension WebApp {
    /// The browser's own frame, by day and by night.
    fileprivate var colours: (light: String, dark: String) {
        switch self {
        case .customer, .pay: ("#0b6bcb", "#0b2a4a")
        case .valet: ("#0f7b4f", "#0a3525")
        case .operator: ("#334155", "#1b2431")
        }
    }
}
