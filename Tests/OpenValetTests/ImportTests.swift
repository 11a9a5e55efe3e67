import Contracts
import Foundation
import Geo
import Support
import Testing

@testable import OpenValet

struct ImportTests {
    /// As MySQL keeps the point 35.8752 14.4654.
    private static let wkb: [UInt8] =
        [0, 0, 0, 0, 1, 1, 0, 0, 0] + bytes(of: 35.8752) + bytes(of: 14.4654)

    private static func bytes(of number: Double) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * UInt64($0))) }
    }

    /// In quotes, as mysqldump escapes them.
    private static func quoted(_ bytes: [UInt8]) -> Data {
        var text = Data("'".utf8)
        for byte in bytes {
            switch byte {
            case 0: text += Data("\\0".utf8)
            case UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: "\""): text += [0x5C, byte]
            case 10: text += Data("\\n".utf8)
            case 26: text += Data("\\Z".utf8)
            default: text.append(byte)
            }
        }
        return text + Data("'".utf8)
    }

    private static func insert(_ point: Data) throws -> SQLDump {
        try SQLDump(
            Data("INSERT INTO `Route` (`id`, `startingPoint`) VALUES (4, ".utf8) + point
                + Data(");".utf8))
    }

    @Test func statementsAreReadAndAllElseIsPassedOver() throws {
        let dump = try SQLDump(
            Data(
                """
                -- A comment; with ' in it
                /*!40101 SET NAMES utf8mb4 */;
                # INSERT INTO User VALUES (1);
                CREATE TABLE `User` (`id` int COMMENT 'the user''s; id');
                LOCK TABLES `User` WRITE;
                INSERT INTO `User` (`id`, `username`, `email`) VALUES
                (2, 'do''do', NULL), (3, 'd\\'a\\\\da\\n', "x@example.com");
                insert ignore into user (id,username) values(-4,_utf8mb4'Ġużè');
                INSERT INTO `Ride` VALUES (1,7),(2,NULL);
                UNLOCK TABLES;
                """.utf8))
        let users = dump.tables["user"] ?? []
        #expect(users.map { $0["id"]?.int } == [2, 3, -4])
        #expect(users.map { $0["username"]?.text } == ["do'do", "d'a\\da\n", "Ġużè"])
        #expect(users.map { $0["email"]?.text } == [nil, "x@example.com", nil])
        #expect(dump.tables["ride"]?.map { $0["route"] } == [.plain("7"), .null])
        #expect(dump.tables.count == 2)
    }

    @Test func pointsAreReadHoweverTheyAreWritten() throws {
        let hex = Self.wkb.map { String(format: "%02X", $0) }.joined()
        // phpMyAdmin: the bytes as letters of Windows, in UTF-8.
        let mangled = Self.wkb.map { byte in
            String(data: Data([byte]), encoding: .windowsCP1252) ?? String(UnicodeScalar(byte))
        }.joined()
        let forms: [Data] = [
            Self.quoted(Self.wkb), Data("_binary ".utf8) + Self.quoted(Self.wkb),
            Data("0x\(hex)".utf8), Data("x'\(hex)'".utf8),
            Data("ST_GeomFromText('POINT(35.8752 14.4654)')".utf8),
            Data("GeomFromText('point( 35.8752  14.4654 )', 0)".utf8),
            Self.quoted(Array(mangled.utf8)),
        ]
        for (number, form) in forms.enumerated() {
            let point = try Self.insert(form).tables["route"]?.first?["startingPoint"]?.point
            #expect(abs((point?.latitude ?? 0) - 35.8752) < 1e-9, "\(number)")
            #expect(abs((point?.longitude ?? 0) - 14.4654) < 1e-9, "\(number)")
        }
        for form in ["NULL", "'nonsense'", "0x00", "1", "ST_GeomFromText('POINT(99 14)')"] {
            let row = try Self.insert(Data(form.utf8)).tables["route"]?.first
            #expect(row != nil && row?["startingPoint"]?.point == nil, "\(form)")
        }
    }

    @Test(arguments: [
        "INSERT INTO `User` (`id`) VALUES (1", "INSERT INTO `User` VALUES ('x);",
        "INSERT INTO `User` (`id`) VALUES (1, 2);", "INSERT INTO `User` (`id`) VALUES (0xABC);",
        "INSERT INTO `User` (`id`) SELECT 1;", "INSERT INTO `User` (`id`) VALUES (now());",
    ])
    func whatIsNoDumpIsRefused(text: String) {
        #expect(throws: SQLDump.Failure.self) { try SQLDump(Data(text.utf8)) }
    }

    private static let dump = """
        INSERT INTO `User` (`id`, `username`, `password`, `name`, `surname`, `email`, `mobileNumber`, `isVerified`)
        VALUES (2, 'dodo', '$2b$10$x', 'Dodo', NULL, 'dodo@example.com', '79000000', 0);
        INSERT INTO `Route` VALUES
        (4, ST_GeomFromText('POINT(35.9 14.5)'), ST_GeomFromText('POINT(35.8 14.4)'), 2, 'A', '', '1', '2'),
        (5, ST_GeomFromText('POINT(35.9 14.5)'), NULL, 2, 'A', 'B', '1', '2');
        INSERT INTO `RouteDate` VALUES (1, 4, '2018-06-08 18:00:00', 0), (2, 4, '2018-06-08 18:00:00', 1),
        (3, 4, '2030-01-01 07:30:00', 0);
        INSERT INTO `FavoriteRoute` VALUES (1, 4, 2);
        INSERT INTO `Passenger` VALUES (1, 1, 2, 1);
        INSERT INTO `Rating` VALUES (1, 2, 3, 1, 5, 'x', '2018-06-08 18:00:00');
        """

    @Test func whatGoesOnIsFound() throws {
        let database = GetaliftDatabase(try SQLDump(Data(Self.dump.utf8)))
        #expect(
            database.users == [
                .init(
                    number: 2, username: "dodo", name: "Dodo", surname: "",
                    email: "dodo@example.com", mobile: "79000000")
            ])
        #expect(database.routes.map(\.number) == [4])
        #expect(database.favourites.map(\.route) == [4] && database.favourites[0].user == 2)
        #expect(database.passengers == 1 && database.ratings == 1)
        let zone = try #require(TimeZone(identifier: "Europe/Malta"))
        let now = try #require(Wire.date("2026-11-25T14:00:00Z"))
        let trips = database.routes[0].trips(in: zone, at: now)
        // Of every Friday the next; the single one of 2018 is over.
        #expect(trips.map(\.departsAt) == ["2026-11-27T18:00:00", "2030-01-01T07:30:00"])
        #expect(trips.map { $0.repeats?.weekdays } == [[.friday], nil])
        #expect(trips[0].origin.address == "A" && trips[0].destination.address == nil)
    }
}
