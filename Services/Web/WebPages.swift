import Contracts
import Foundation
import Mustache
import ServiceKit

/// One of the web apps.
enum WebApp: String, Sendable, CaseIterable {
    case customer, valet, `operator`

    var address: String { self == .customer ? "/" : "/\(rawValue)" }
}

/// The page around each app: it says where everything is, and an app draws the rest.
struct WebPages: Sendable {
    private let template: MustacheTemplate
    private let tiles: MapTiles
    private let hasGeocoder, isDemo: Bool

    init(_ tiles: MapTiles, hasGeocoder: Bool = false, isDemo: Bool = false) throws {
        MustacheContentTypes.register(HTMLText(), named: HTMLText.name)
        template = try MustacheTemplate(
            string: String(decoding: PackageResources.app_mustache, as: UTF8.self))
        self.tiles = tiles
        (self.hasGeocoder, self.isDemo) = (hasGeocoder, isDemo)
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

    /// Everything is escaped as HTML.
    func page(
        _ app: WebApp, _ language: Language, version: String, hasLeaflet: Bool
    ) -> WebFile {
        let words = WebWords(app, language)
        let html = template.render(
            [
                "language": language.rawValue, "app": app.rawValue, "version": version,
                "title": words.title, "description": words.description,
                "lightColour": app.colours.light,
                "darkColour": app.colours.dark, "tiles": tiles.template,
                "attribution": tiles.attribution, "hasLeaflet": hasLeaflet,
                "geocoder": hasGeocoder ? "yes" : "", "isDemo": isDemo,
                "loading": words.loading, "withoutScript": words.withoutScript,
                "interface": words.interface,
            ] as [String: Any])
        return WebFile(type: "text/html; charset=utf-8", Data(html.utf8))
    }
}

/// How the template escapes: its own way goes by character, and lets `<` with an accent through.
private struct HTMLText: MustacheContentType {
    static let name = "SCALARS"

    func escapeText(_ text: String) -> String { text.escapedForHTML }
}

extension WebApp {
    /// Of the browser's own frame, by day and by night.
    fileprivate var colours: (light: String, dark: String) {
        switch self {
        case .customer: ("#0b6bcb", "#0b2a4a")
        case .valet: ("#0f7b4f", "#0a3525")
        case .operator: ("#334155", "#1b2431")
        }
    }
}

/// The words of a page before its app runs.
private struct WebWords {
    let title: String
    let description: String
    let loading: String
    let withoutScript: String
    let interface: String

    init(_ app: WebApp, _ language: Language) {
        switch language {
        case .traditionalChinese:
            loading = "載入中…"
            withoutScript = "此應用程式需要 JavaScript：請啟用後重新載入頁面。"
            interface = "HTTP API 文件"
        default:
            loading = "Loading…"
            withoutScript =
                "This app needs JavaScript: please switch it on and load the page again."
            interface = "The HTTP API"
        }
        (title, description) =
            switch (app, language) {
            case (.customer, .traditionalChinese):
                ("OpenValet", "一按即享代客泊車：交出車輛，隨時送回。")
            case (.customer, _):
                (
                    "OpenValet",
                    "Valet parking at one tap: hand over your vehicle, have it brought back."
                )
            case (.valet, .traditionalChinese):
                ("OpenValet 泊車員", "泊車員的工作、導航和收入。")
            case (.valet, _):
                ("OpenValet Valet", "Jobs, navigation and earnings for valets.")
            case (.operator, .traditionalChinese):
                ("OpenValet 營運", "即時掌握訂單、泊車員和服務範圍。")
            case (.operator, _):
                ("OpenValet Operator", "Orders, valets and service areas, live.")
            }
    }
}
