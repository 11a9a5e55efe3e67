import Contracts
import Foundation

/// A ticket as a calendar entry (iCalendar, RFC 5545).
///
/// It has no `METHOD`: a file to import is no scheduling message, which would need an organizer (RFC 5546,
/// section 3.2.1).
enum TicketCalendar {
    /// The longest line in octets, without its end.
    private static let width = 75

    static func text(_ ticket: ParkingTicket, version: Int, at now: Date) -> String {
        let place = ticket.carPark
        let point = ticket.entrance ?? place.position
        return [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//OpenValet//Car parks//EN",
            "BEGIN:VEVENT",
            "UID:\(ticket.booking)@openvalet", "DTSTAMP:\(time(now))",
            "DTSTART:\(time(ticket.start))", "DTEND:\(time(ticket.end))", "SEQUENCE:\(version)",
            "SUMMARY:\(escaped("\(place.name), \(ticket.reference)"))",
            "LOCATION:\(escaped(ticket.address.isEmpty ? place.name : ticket.address))",
            "GEO:\(degrees(point.latitude));\(degrees(point.longitude))",
            "DESCRIPTION:\(escaped(ticket.plates.joined(separator: ", ")))",
            "TRANSP:TRANSPARENT", "END:VEVENT", "END:VCALENDAR",
        ].map { folded($0) + "\r\n" }.joined()
    }

    /// As in `20261224T183000Z`.
    private static func time(_ time: Date) -> String {
        time.formatted(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, timeSeparator: .omitted, includingFractionalSeconds: false)
        )
    }

    /// With six decimals (§3.8.1.6), and never with an exponent, which a FLOAT can't have (§3.3.7).
    private static func degrees(_ degrees: Double) -> String { String(format: "%.6f", degrees) }

    /// Escapes a text (§3.3.11).
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\", ";", ",": escaped += "\\\(character)"
            case _ where character.isNewline: escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }

    /// Folds a long line (§3.1): it continues on a line that begins with a space. No character is split.
    private static func folded(_ line: String) -> String {
        var (folded, count) = ("", 0)
        for scalar in line.unicodeScalars {
            let octets = String(scalar).utf8.count
            if count + octets > width {
                folded += "\r\n "
                count = 1
            }
            folded.unicodeScalars.append(scalar)
            count += octets
        }
        return folded
    }
}
