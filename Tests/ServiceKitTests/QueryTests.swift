import Contracts
import Foundation
import Geo
import Hummingbird
import NIOCore
import Support
import Testing

@testable import ServiceKit

/// What an address asks, read and refused field by field.
@Suite(.withoutDatabase) struct QueryTests {
    private enum Colour: String, Codable, Sendable, CaseIterable { case red, green }

    private struct Wanted: PagedQuery, OptionallyPointedQuery {
        var after: String?
        var limit: Int?
        var latitude, longitude: Double?
        var name: String
        var weight: Double?
        var isOpen: Bool?
        var from: Date?
        var owner: PersonID?
        var area: ServiceAreaID?
        var colours: CommaSeparated<Colour>?
        var colour: Colour?

        static let fields: [String: QueryField] = [
            "name": .within(2...5, "What it is called."),
            "weight": .atLeast(1, "In grams."),
        ]
    }

    private func read<Asked: Query>(
        _ text: String, as type: Asked.Type = Wanted.self
    ) throws -> Asked {
        try Request(
            head: .init(method: .get, scheme: nil, authority: nil, path: "/v1/things\(text)"),
            body: .init(buffer: ByteBuffer())
        ).query(type)
    }

    private func refused(_ text: String) -> Refusal? {
        let error = #expect(throws: Refusal.self) { try read(text) }
        #expect(error?.code == Refusal.invalid.code)
        return error
    }

    @Test func eachFieldIsReadByItsType() throws {
        let wanted = try read(
            """
            ?name=box&weight=1.5&isOpen=true&from=2026-11-21T08:15:30Z&area=hk-island&colour=red\
            &colours=green,red&owner=019ab000-0000-7000-8000-000000000101&latitude=1&longitude=-2.5\
            &after=x&limit=7
            """)
        #expect(wanted.name == "box" && wanted.weight == 1.5 && wanted.isOpen == true)
        #expect(wanted.from == Wire.date("2026-11-21T08:15:30Z"))
        #expect(wanted.owner == PersonID("019ab000-0000-7000-8000-000000000101"))
        #expect(wanted.area == ServiceAreaID("hk-island") && wanted.colour == .red)
        #expect(wanted.colours?.values == [.red, .green])
        #expect(wanted.point == Coordinate(latitude: 1, longitude: -2.5))
        #expect(wanted.page == PageRequest(after: "x", limit: 7))
    }

    @Test func whatIsAbsentIsNil() throws {
        let wanted = try read("?name=box&after=")
        #expect(wanted.weight == nil && wanted.colours == nil && wanted.point == nil)
        #expect(wanted.page == PageRequest(after: nil, limit: PageLimit.standard))
    }

    /// As browsers send forms; a plus sign that is meant is escaped.
    @Test(arguments: [
        ("?name=a+b", "a b"), ("?name=a%20b", "a b"), ("?name=a%2Bb", "a+b"),
        ("?name=%C3%A9%C3%A9", "éé"), ("?na%6De=box", "box"), ("?name=a=b", "a=b"),
        ("?name=50%", "50%"),
    ])
    func aTextIsReadAsAFormWritesIt(query: String, name: String) throws {
        #expect(try read(query).name == name)
    }

    @Test(arguments: ["?name=box&utm=1&utm=2", "?name=box&name=sack", "?&&name=box&x[=1&=3&y"])
    func whatNobodyAskedForIsIgnoredAndTheFirstCounts(query: String) throws {
        #expect(try read(query).name == "box")
    }

    @Test(arguments: [
        ("", "name", "Use 2 to 5 characters."),
        ("?name=a", "name", "Use 2 to 5 characters."),
        ("?name=abcdef", "name", "Use 2 to 5 characters."),
        ("?name=box&weight=0.5", "weight", "Use a number of at least 1."),
        ("?name=box&weight=nan", "weight", "Use a number of at least 1."),
        ("?name=box&weight=x", "weight", "Use a number of at least 1."),
        ("?name=box&isOpen=yes", "isOpen", "Use `true` or `false`."),
        ("?name=box&isOpen", "isOpen", "Use `true` or `false`."),
        ("?name=box&from=yesterday", "from", "Use an RFC 3339 time."),
        ("?name=box&owner=1", "owner", PersonID.form),
        ("?name=box&area=HK", "area", ServiceAreaID.form),
        ("?name=box&colour=blue", "colour", "Use one of red, green."),
        ("?name=box&colour=", "colour", "Use one of red, green."),
        ("?name=box&colours=red,blue", "colours", "Use red, green, separated by commas."),
        ("?name=box&limit=0", "limit", "Use a whole number from 1 to 200."),
        ("?name=box&limit=1.5", "limit", "Use a whole number from 1 to 200."),
        ("?name=box&latitude=91&longitude=0", "latitude", "Use a number from -90 to 90."),
        ("?name=box&latitude=1", "longitude", "Send `latitude` and `longitude` together."),
        ("?name=box&longitude=1", "latitude", "Send `latitude` and `longitude` together."),
    ])
    func aWrongFieldIsNamed(query: String, field: String, detail: String) {
        #expect(refused(query) == Refusal.invalid(field, detail))
    }

    @Test func aLanguageIsOneThatWeSpeak() throws {
        #expect(
            try read("?language=zh-Hant", as: LanguageQuery.self).language == .traditionalChinese)
        #expect(throws: Refusal.invalid("language", "Use one of en, zh-Hant.")) {
            try read("?language=fi", as: LanguageQuery.self)
        }
    }

    @Test func aCursorHasAnEnd() {
        #expect(
            refused("?name=box&after=\(String(repeating: "a", count: 201))")
                == Refusal.invalid("after", "Use 0 to 200 characters."))
    }

    /// An address that was tampered with has a refusal of its own, whatever is wrong with it.
    @Test func aSignatureIsReadLeniently() throws {
        let signature = String(repeating: "0a", count: 32)
        let whole = try read("?expires=7&signature=\(signature)", as: SignatureQuery.self)
        #expect(whole.expires == 7 && whole.signature == signature)
        for query in ["", "?expires=x", "?expires=&signature=", "?signature=\(signature)0"] {
            let none = try read(query, as: SignatureQuery.self)
            #expect(none.expires == nil && none.signature == nil)
        }
    }

    @Test(arguments: [
        "?from=35.9,14.5&to=1,2", "?from=-35.9,-14.5&to=1.0,2",
    ])
    func pointsAreReadFromOneText(query: String) throws {
        let query = try read(query, as: RoutesQuery.self)
        #expect(abs(query.from.point.latitude) == 35.9)
    }

    @Test(arguments: ["1", "1,2,3", "91,0", "x,1", "", ",", "nan,1"])
    func whatIsNoPointIsRefused(text: String) {
        #expect(throws: Refusal.invalid("from", PointText.form)) {
            try read("?from=\(text)&to=1,2", as: RoutesQuery.self)
        }
    }
}
