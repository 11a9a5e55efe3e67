import Foundation
import Testing

@testable import Store

private enum Colour: String, SQLConvertible { case red, green }

private enum Level: Int, SQLConvertible { case low = 1, high = 2 }

@Suite struct RowTests {
    let row = Row(
        columns: ["text", "number", "real", "none", "blob"],
        values: [.text("red"), .integer(2), .real(1.5), .null, .blob(Data([1]))])

    @Test func valuesAreReadByNameAndType() throws {
        #expect(try row.get("text", as: String.self) == "red")
        #expect(try row.get("text", as: Colour.self) == .red)
        #expect(try row.get("number", as: Int.self) == 2)
        #expect(try row.get("number", as: Level.self) == .high)
        #expect(try row.get("number", as: Double.self) == 2)
        #expect(try row.get("real", as: Double.self) == 1.5)
        #expect(try row.get("blob", as: Data.self) == Data([1]))
        #expect(try row.getIfPresent("none", as: String.self) == nil)
        #expect(try row.getIfPresent("number", as: Int64.self) == 2)
    }

    @Test func anErrorNamesTheColumnButNeverItsValue() {
        func message<V: SQLConvertible>(_ column: String, _ type: V.Type) -> String? {
            do {
                _ = try row.get(column, as: type)
                return nil
            } catch let error as StoreError {
                #expect(error.kind == .decoding)
                return error.message
            } catch {
                return "\(error)"
            }
        }
        #expect(message("absent", Int.self) == "no column absent in the answer")
        #expect(message("none", Int.self) == "column none is null where Int was asked for")
        #expect(message("text", Int.self)?.contains("red") == false)
        #expect(message("number", Bool.self) != nil)
        #expect(message("real", Int.self) != nil)
        #expect(message("text", Level.self) != nil)
        #expect(message("number", Colour.self) != nil)
    }

    @Test func anAbsentColumnIsNotANullOne() {
        #expect(throws: StoreError.self) { try row.getIfPresent("absent", as: Int.self) }
        #expect(throws: StoreError.self) { try row.getIfPresent("text", as: Int.self) }
    }

    @Test func timesAreWholeMicroseconds() throws {
        let date = Date(timeIntervalSince1970: 1_767_600_000.123456)
        #expect(date.sqlValue == .integer(1_767_600_000_123_456))
        #expect(Date(sqlValue: date.sqlValue)?.sqlValue == date.sqlValue)
        #expect(Date(timeIntervalSince1970: -1).sqlValue == .integer(-1_000_000))
        #expect(Date.distantFuture.sqlValue != .integer(.max))
        #expect(Date(timeIntervalSince1970: .greatestFiniteMagnitude).sqlValue == .integer(.max))
    }
}
