import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// A receipt or credit note as a page to show and print.
struct ReceiptPage: Sendable {
    /// Parsed once.
    private static let parsed = Result {
        try PrintedPage(PackageResources.receipt_mustache, showsPictures: true)
    }

    private let page: PrintedPage

    init() throws { page = try Self.parsed.get() }

    /// `logo` is the company's picture as a `data:` address.
    func response(_ sheet: ReceiptSheet, logo: String? = nil) -> Response {
        page.response(sheet.values(logo: logo), in: sheet.language)
    }

    func html(_ sheet: ReceiptSheet, logo: String? = nil) -> String {
        page.html(sheet.values(logo: logo))
    }
}
