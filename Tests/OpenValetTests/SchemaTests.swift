import Contracts
import Foundation
import Testing
import Yams

@testable import OpenValet

/// A type that has a field of each sort.
private struct Sample: Decodable {
    enum Colour: String, Codable, CaseIterable { case red, green }

    struct Part: Codable, Hashable {
        let weight: Double
    }

    let id: OrderID
    let name: String
    let count: Int
    let isNew: Bool
    let area: ServiceAreaID
    let colour: Colour
    let madeAt: Date
    let parts: [Part]
    let prices: [String: Int]
    let rows: [[Double]]
    let extra: JSONValue
    let absent: String?
    let absentPart: Part?
    @Nullable var text: String?
    @Nullable var part: Part?

    private enum CodingKeys: String, CodingKey {
        case id, name, count, isNew, area, colour = "color", madeAt, parts, prices, rows, extra,
            absent
        case absentPart, text, part
    }
}

extension Sample: SchemaNamed {
    static var schemaName: String { "Sample" }
}

extension Sample.Part: SchemaNamed {
    static var schemaName: String { "SamplePart" }
}

extension Sample.Colour: SchemaNamed {
    static var schemaName: String { "SampleColour" }
}

/// Reads only what is even, and does not say what it looks like.
private struct Even: Decodable {
    init(from decoder: any Decoder) throws {
        let number = try decoder.singleValueContainer().decode(Int.self)
        guard number.isMultiple(of: 2) else { throw ToolError("odd") }
    }
}

private struct OtherPart: Decodable, SchemaNamed {
    static var schemaName: String { "SamplePart" }
    let length: Double
}

private let words = """
    Sample:
      description: Something.
      fields:
        name: {minLength: 1, description: What it is called.}
        rows: {items: {maxItems: 2}}
        text: Null without one.
      examples:
        - {id: 1}
    SamplePart: A part.
    SampleColour: A colour.
    Identifier: An id.
    Time: A time.
    ServiceAreaID: An area.
    """

@Suite struct SchemaTests {
    private func schemas(_ text: String = words, of type: any Decodable.Type) throws -> Schemas {
        var schemas = try Schemas(words: [("sample.yaml", text)])
        _ = try schemas.schema(of: type)
        return schemas
    }

    private func message(_ text: String = words, of type: any Decodable.Type) -> String? {
        do {
            _ = try schemas(text, of: type).text()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func aSchemaIsWhatItsTypeReadsAndWhatIsSaidOfIt() throws {
        let text = try schemas(of: Sample.self).text()
        #expect(
            text.hasPrefix(
                """
                Identifier:
                  description: An id.
                  type: string
                  format: uuid
                Sample:
                  description: Something.
                  type: object
                  required: [id, name, count, isNew, area, color, madeAt, parts, prices, rows, extra, text, part]
                  properties:
                    id: {$ref: '#/components/schemas/Identifier'}
                    name: {type: string, minLength: 1, description: What it is called.}
                    count: {type: integer}
                    isNew: {type: boolean}
                    area: {$ref: '#/components/schemas/ServiceAreaID'}
                    color: {$ref: '#/components/schemas/SampleColour'}
                    madeAt: {$ref: '#/components/schemas/Time'}
                    parts: {type: array, items: {$ref: '#/components/schemas/SamplePart'}}
                    prices: {type: object, additionalProperties: {type: integer}}
                    rows: {type: array, items: {type: array, items: {type: number}, maxItems: 2}}
                    extra: {type: object}
                    absent: {type: string}
                    absentPart: {$ref: '#/components/schemas/SamplePart'}
                    text: {type: [string, 'null'], description: Null without one.}
                    part: {anyOf: [{$ref: '#/components/schemas/SamplePart'}, {type: 'null'}]}
                  examples:
                  - {id: 1}
                SampleColour:
                  description: A colour.
                  type: string
                  enum: [red, green]
                """))
    }

    @Test func aListsPageAndABodyThatMayBeLeftOutAreThoseOfTheirTypes() throws {
        var schemas = try Schemas(words: [("", words + "\nPage: One page.\nMoney: Some.")])
        #expect(
            try schemas.schema(of: Page<Money>.self)
                == .object(["$ref": "#/components/schemas/MoneyPage"]))
        #expect(try schemas.schema(of: Money?.self) == .reference(to: Money.self))
        #expect(schemas.components["MoneyPage"]?["description"]?.string == "One page.")
        #expect(schemaName(of: Shift.Break.self) == "ShiftBreak")
    }

    @Test func whatContractsDescribesHasTheFirstParagraphOfItsDocComment() throws {
        let comments = try DocComments()
        let limits = (file: "money.yaml", text: "Money: {fields: {currency: {minLength: 3}}}")
        var schemas = try Schemas(words: [limits], comments: comments)
        _ = try schemas.schema(of: Money.self)
        let money = try #require(schemas.components["Money"])
        #expect(money["description"]?.string == comments[Money.self])
        let currency = try #require(money["properties"]?["currency"])
        #expect(currency["description"]?.string == comments[Money.self, "currency"])
        #expect(currency["minLength"]?.int == 3)
        #expect(comments[Money.self, "currency"]?.contains("ISO 4217") == true)
        // Two paragraphs in the sources.
        #expect(comments[Language.self]?.contains("BCP 47") == true)
        #expect(comments[Language.self]?.contains("release") == false)
        var twice = try Schemas(
            words: [("money.yaml", "Money: An amount.")], comments: comments)
        #expect(throws: ToolError.self) { try twice.schema(of: Money.self) }
        #expect(throws: ToolError.self) {
            try DocComments(modules: URL(fileURLWithPath: "/nowhere"))
        }
    }

    @Test(arguments: [
        ("SamplePart: A part.\n", "", "Sample: SamplePart: it has no description"),
        ("name: {", "nmae: {", "Sample: the type has no field nmae."),
        ("minLength: 1", "type: number", "Sample: the type itself says"),
        ("Identifier: An id.", "Identifier: {format: uuid}", "it has no description"),
        ("Time: A time.", "Time: A time.\nClock: None.", "no type is called Clock"),
    ])
    func wordsThatFitNoTypeAreRefused(text: String, other: String, reason: String) throws {
        let words = words.replacing(text, with: other)
        let refusal = try #require(message(words, of: Sample.self))
        #expect(refusal.contains(reason))
    }

    @Test func aTypeThatIsReadStrictlyHasToSayItsSchema() throws {
        let refusal = try #require(message(of: Even.self))
        #expect(refusal.contains("Described"))
    }

    @Test func twoTypesOfOneNameAreRefused() throws {
        var schemas = try schemas(of: Sample.self)
        #expect(throws: ToolError.self) { try schemas.schema(of: OtherPart.self) }
    }
}
