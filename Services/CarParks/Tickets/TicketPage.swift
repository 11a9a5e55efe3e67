import Contracts
import Foundation
import Hummingbird
import ServiceKit

/// A ticket as a page to show or print.
struct TicketPage: Sendable {
    private let page: PrintedPage

    init() throws { page = try PrintedPage(PackageResources.ticket_mustache) }

    func response(_ ticket: ParkingTicket, in language: Language) -> Response {
        func text(_ key: String) -> String {
            CarParkNotices.words.text("ticket.\(key)", in: language)
        }
        func row(_ key: String, _ value: String) -> [String: String] {
            ["name": text(key), "value": value]
        }
        let days = LocalDays(TimeZone(identifier: ticket.carPark.timeZone) ?? .gmt)
        var facts = [
            row("from", days.text(ticket.start, in: language, withYear: true)),
            row("until", days.text(ticket.end, in: language, withYear: true)),
            row("plate", ticket.plates.joined(separator: ", ")),
        ]
        if !ticket.address.isEmpty { facts.append(row("address", ticket.address)) }
        return page.response(
            [
                "language": language.rawValue,
                "title": text("title"),
                "place": ticket.carPark.name,
                "reference": ticket.reference,
                "facts": facts,
                "size": ticket.qrCode.size,
                "path": ticket.qrCode.path,
                "picture": text("picture"),
                "hint": text("hint"),
            ], in: language)
    }
}
