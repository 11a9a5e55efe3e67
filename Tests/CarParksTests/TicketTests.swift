import Answers
import Contracts
import Foundation
import Geo
import HTTPTypes
import JWTKit
import ServiceKit
import Support
import Testing

@testable import CarParks

/// Tickets: what people show at a gate, and what a gate makes of it.
@Suite struct TicketTests {
    private func ticket(_ booking: BookingID, _ bench: Bench) async throws -> ParkingTicket {
        try await bench.call(
            .get, "/v1/bookings/\(booking)/ticket", as: .alice,
            headers: [.accept: "application/json"]
        ).expect(200, ParkingTicket.self)
    }

    @Test(.withoutDatabase) func everyLanguageSaysTheSame() {
        #expect(CarParkNotices.words.differences == [])
    }

    @Test func aGateWithoutANetworkChecksTheCodeByThePublishedKeys() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer)
            let ticket = try await ticket(booking.id, bench)
            #expect(ticket.reference == booking.reference)
            #expect(ticket.plates == ["ABC 123"])
            let read = try QRScanner.text(ofPath: ticket.qrCode.path, size: ticket.qrCode.size)
            #expect(read == ticket.code)

            let answer = try await bench.call(.get, "/v1/ticket-keys", as: nil)
            _ = try answer.expect(200, PublishedKeys.self)
            let keys = try await JWTKeyCollection().add(jwksJSON: answer.text)
            let claims = try await keys.verify(read, as: TicketClaims.self)
            #expect(claims.sub == booking.id)
            #expect(claims.park == offer.carPark.id)
            #expect(claims.nbf == Int(booking.start.timeIntervalSince1970) - 900)
            #expect(claims.exp == Int(booking.end.timeIntervalSince1970))
        }
    }

    @Test func aGateOpensForOurCodeAndForNoOther() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let gate = try await bench.gate(of: offer.carPark)
            let booking = try await bench.confirmed(offer)
            let code = try await ticket(booking.id, bench).code
            bench.clock.advance(by: booking.start.timeIntervalSince(bench.clock.now))
            let claims = try await bench.parts.tickets.keys.verify(code, as: TicketClaims.self)
            let forged = try await SigningKeys(current: .init()).sign(claims)
            for text in [forged, "\(code)x", "a.b.c", "."] {
                #expect(try await bench.pass(gate, .in, nil, ticket: text).reason == .unreadable)
            }
            let entry = try await bench.pass(gate, .in, nil, ticket: code)
            #expect(entry.open)
            #expect(entry.booking == booking.id)
        }
    }

    @Test func itIsAPageUnlessSomethingElseIsAskedFor() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let booking = try await bench.confirmed(offer, plate: "<b>")
            let path = "/v1/bookings/\(booking.id)/ticket"
            let page = try await bench.call(.get, path, as: .alice)
            #expect(page.status == 200)
            #expect(page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'") == true)
            let html = String(decoding: page.data, as: UTF8.self)
            #expect(html.contains(booking.reference))
            #expect(html.contains("City Gate"))
            #expect(html.contains("&lt;b&gt;") || html.contains("&lt;B&gt;"))
            #expect(!html.lowercased().contains("<b>"))
            let chinese = try await bench.call(.get, path + "?language=zh-Hant", as: .alice)
            #expect(String(decoding: chinese.data, as: UTF8.self).contains("泊車票"))
            try await bench.call(.get, path + "?language=xx", as: .alice)
                .refused(422, "request.invalid", field: "language")
        }
    }

    @Test func aCalendarTakesIt() async throws {
        try await Bench.run { bench in
            let carPark = try await bench.carPark {
                $0.name = "Floriana; \(String(repeating: "茶", count: 40)), upper"
            }
            let offer = Bench.Offer(
                carPark: carPark, product: try await bench.product(of: carPark))
            let booking = try await bench.confirmed(offer)
            let answer = try await bench.call(
                .get, "/v1/bookings/\(booking.id)/ticket", as: .alice,
                headers: [.accept: "text/calendar"])
            #expect(answer.headers[.contentType] == "text/calendar; charset=utf-8")
            let text = String(decoding: answer.data, as: UTF8.self)
            let lines = text.split(separator: "\r\n")
            #expect(lines.allSatisfy { $0.utf8.count <= 75 })
            let whole = text.replacing("\r\n ", with: "")
            let start = Wire.text(booking.start).prefix(19)
                .filter { $0 != "-" && $0 != ":" }
            #expect(whole.contains("\r\nDTSTART:\(start)Z\r\n"))
            // A message to schedule by (RFC 5546) would name its organizer.
            #expect(!whole.contains("METHOD"))
            #expect(whole.contains("\r\nGEO:35.896500;14.510100\r\n"))
            #expect(whole.contains("SUMMARY:Floriana\\; "))
            #expect(whole.contains("茶\\, upper\\, \(booking.reference)\r\n"))
        }
    }

    @Test(
        .withoutDatabase,
        arguments: [
            (0.0, 0.00001, "0.000000;0.000010"), (-0.00002, 180, "-0.000020;180.000000"),
            (60.1699, 24.9384, "60.169900;24.938400"), (-90, -179.5, "-90.000000;-179.500000"),
        ])
    func aCalendarReadsWhereItIs(latitude: Double, longitude: Double, text: String) {
        let ticket = ParkingTicket(
            booking: .new(), reference: "B7K-42Q",
            carPark: .init(
                id: .new(), name: "Quay",
                position: .init(latitude: latitude, longitude: longitude), timeZone: "Etc/UTC"),
            address: "", entrance: nil, plates: ["ABC 123"], start: .distantPast, end: .distantPast,
            code: "", qrCode: .init(size: 1, path: ""))
        let lines = TicketCalendar.text(ticket, version: 2, at: .distantPast)
            .components(separatedBy: "\r\n")
        #expect(lines.contains("GEO:\(text)"))
        // Properties that a calendar without a method needs (RFC 5545, sections 3.6 and 3.6.1).
        for property in ["VERSION", "PRODID", "UID", "DTSTAMP", "DTSTART"] {
            #expect(lines.count { $0.hasPrefix("\(property):") } == 1, "\(property)")
        }
        #expect(!lines.contains { $0.hasPrefix("METHOD") || $0.hasPrefix("ATTENDEE") })
    }

    @Test func whatIsNotPaidOrNotOnesOwnHasNone() async throws {
        try await Bench.run { bench in
            let offer = try await bench.offer()
            let held = try await bench.book(bench.body(offer, [bench.vehicle()]))
                .expect(201, Booking.self)
            let path = "/v1/bookings/\(held.id)/ticket"
            try await bench.call(.get, path, as: .alice).refused(409, "booking.not_possible")
            try await bench.call(.get, path, as: .bob).refused(404, "booking.unknown")
            _ = try await bench.pay(held.id).expect(200, BookingPayment.self)
            _ = try await bench.call(.post, "/v1/bookings/\(held.id)/cancel", as: .alice)
                .expect(200, BookingCancellation.self)
            try await bench.call(.get, path, as: .alice).refused(409, "booking.not_possible")
        }
    }
}
