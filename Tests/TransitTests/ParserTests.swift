import CSV
import Foundation
import Geo
import Gzipping
import Testing

@testable import Transit

/// A feed of two lines that is right, from which tests go wrong.
enum SmallFeed {
    static let files = [
        "agency.txt":
            "agency_id,agency_name,agency_url,agency_timezone\nA,Bus,http://a,Europe/Malta\n",
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,wheelchair_boarding
        P,Station,35.900,14.500,1,,1
        A,"Alpha, upper",35.900,14.500,0,P,
        B,Beta,35.910,14.500,0,,2
        C,Gamma,35.940,14.500,0,,1

        """,
        "routes.txt": "route_id,agency_id,route_short_name,route_type\nR,A,41,3\n",
        "trips.txt": "route_id,service_id,trip_id,trip_headsign\nR,S,T,Gamma\nR,S,U,Alpha\n",
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence
        T,8:00:00,08:00:00,A,1
        T,,,B,2
        T,08:40:00,08:40:00,C,5
        U,25:10:00,25:10:00,C,1
        U,49:00:00,49:00:00,A,2

        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        S,1,1,1,1,1,0,0,20260101,20261231

        """,
    ]

    /// With a file replaced, or without it.
    static func data(_ changes: [String: String?] = [:]) -> [String: Data] {
        var files = files
        for (name, text) in changes { files[name] = text }
        return files.mapValues { Data($0.utf8) }
    }

    static func read(_ changes: [String: String?] = [:]) throws -> (feed: Feed, report: FeedReport)
    {
        try Feed.read(files: data(changes))
    }

    /// With a row more.
    static func adding(
        _ row: String, to name: String
    ) throws -> (feed: Feed, report: FeedReport) {
        try read([name: (files[name] ?? "") + row + "\n"])
    }
}

@Suite struct ParserTests {
    @Test func aRightFeedHasNoProblems() throws {
        let (feed, report) = try SmallFeed.read()
        #expect(report.problems == [])
        #expect(feed.timeZone.identifier == "Europe/Malta")
        #expect(feed.stops.map(\.name) == ["Station", "Alpha, upper", "Beta", "Gamma"])
        #expect(feed.stops.map(\.wheelchair) == [.yes, .yes, .no, .yes])
        #expect(feed.stops.map(\.parent) == [nil, 0, nil, nil])
        #expect(feed.trips.map(\.headsign) == ["Gamma", "Alpha"])
        let days = try #require(feed.days)
        #expect("\(days.lowerBound) \(days.upperBound)" == "20260101 20261231")
    }

    /// Beta lies a quarter of the way.
    @Test func missingTimesAreInterpolatedByDistance() throws {
        let (feed, _) = try SmallFeed.read()
        #expect(feed.stopTimes[1].arrival == 8 * 3_600 + 600)
        #expect(feed.stopTimes[1].departure == 8 * 3_600 + 600)
        let travelled = try SmallFeed.read([
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
            T,8:00:00,08:00:00,A,1,0
            T,,,B,2,5
            T,08:40:00,08:40:00,C,5,10
            """
        ])
        #expect(travelled.feed.stopTimes[1].arrival == 8 * 3_600 + 1_200)
        let even = try SmallFeed.read([
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T,8:00:00,08:00:00,A,1
            T,,,A,2
            T,,,A,3
            T,08:30:00,08:30:00,A,5
            """
        ])
        #expect(even.feed.stopTimes.map(\.arrival) == [28_800, 29_400, 30_000, 30_600])
    }

    /// Then by the straight lines, as without them.
    @Test(arguments: [
        ("0", "inf", "inf"), ("0", "infinity", "10"), ("-inf", "0", "1"),
        ("-1e308", "1e308", "1e308"),
        ("0", "nan", "10"), ("0", "1e999", "1e999"), ("-5", "0", "5"), ("0", "0", "0"),
        ("0", "", "10"), ("0", "5 km", "10"), ("10", "5", "0"),
    ])
    func distancesThatAreNoneDontCount(first: String, second: String, last: String) throws {
        let (feed, _) = try SmallFeed.read([
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence,shape_dist_traveled
            T,8:00:00,08:00:00,A,1,\(first)
            T,,,B,2,\(second)
            T,08:40:00,08:40:00,C,5,\(last)
            """
        ])
        #expect(feed.stopTimes.map(\.arrival) == [28_800, 29_400, 31_200])
    }

    /// A time of another type doesn't count, so it may be wrong.
    @Test func onlyAMinimumHasATime() throws {
        for (row, isPossible, seconds) in [
            ("3,-1", false, nil), ("3,", false, nil), ("1,soon", true, 0), ("0,-5", true, nil),
            (",", true, nil), ("2,0", true, 0),
        ] as [(String, Bool, Int?)] {
            let feed = try SmallFeed.read([
                "transfers.txt":
                    "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,\(row)\n"
            ]).feed
            #expect(feed.transfers.map(\.isPossible) == [isPossible], "\(row)")
            #expect(feed.transfers.map(\.minSeconds) == [seconds], "\(row)")
        }
    }

    @Test func clocksGoOnBeyondMidnight() throws {
        let (feed, _) = try SmallFeed.read()
        #expect(feed.stopTimes.suffix(2).map(\.departure) == [90_600, 176_400])
        #expect(FeedReader.seconds("239:59:59") == 863_999)
        for text in [
            "240:00:00", "8:0:00", "08:60:00", "-1:00:00", "8:00", "8:00:00:00", "a:00:00",
        ] {
            #expect(FeedReader.seconds(text) == nil, "\(text)")
        }
    }

    @Test func quotesLineEndsAndAByteOrderMarkAreRead() {
        let text = "\u{FEFF}a,\"b\"\r\n\r\n\"1,\n\"\"x\"\"\" , 2 \r3\n\"never\n4,5\n\"6\"7,8\n"
        var table = CSVTable([UInt8](text.utf8))
        #expect(table.header == ["a", "b"])
        var rows: [[String]] = []
        while table.next() {
            rows.append(["\(table.line)", table.fault == .quotes ? "broken" : table[0], table[1]])
        }
        #expect(
            rows == [
                ["3", "1,\n\"x\"", "2"], ["5", "3", ""], ["6", "broken", ""], ["7", "4", "5"],
                ["8", "broken", ""],
            ])
        var broken = CSVTable([0x61, 0x0A, 0xFF, 0x0A])
        let hasRow = broken.next()
        #expect(hasRow && broken.fault == .notUTF8)
        #expect(CSVTable([]).header == [])
    }

    @Test(arguments: [
        ("a,b\n1;2,3", ["a", "b"], ["1;2", "3"]), ("a;b\n1,2;3", ["a", "b"], ["1,2", "3"]),
        ("a\tb\n1,2\t3", ["a", "b"], ["1,2", "3"]), ("a|b\n1|\"2|3\"", ["a", "b"], ["1", "2|3"]),
        ("sep=;\na;b\n1;2", ["a", "b"], ["1", "2"]),
        ("sep=,\na,b;c\n1,2", ["a", "b;c"], ["1", "2"]),
        ("\u{FEFF}Sep=\t\r\na\tb\r\n1\t2", ["a", "b"], ["1", "2"]), ("a\n1", ["a"], ["1"]),
        ("\"a,b,c\";d\n1;2", ["a,b,c", "d"], ["1", "2"]),
        ("a,b,\"c;d;e;f\"\n1,2,3", ["a", "b", "c;d;e;f"], ["1", "2", "3"]),
    ])
    func theSeparatorIsTheOneOfTheHeader(text: String, header: [String], row: [String]) {
        var table = CSVTable(anySeparator: [UInt8](text.utf8))
        #expect(table.header == header)
        let hasRow = table.next()
        #expect(hasRow && (0..<table.fieldCount).map { table[$0] } == row)
        // Feeds have commas only.
        #expect(CSVTable([UInt8]("a;b".utf8)).header == ["a;b"])
        #expect(CSVTable(anySeparator: []).header == [])
    }

    /// What is added to a table, and what is said of it.
    static let wrongRows: [(file: String, row: String, said: String)] = [
        (
            "agency.txt", "B,Bus,http://b,Mars/Base",
            "agency.txt:3: error: agency_timezone \"Mars/Base\""
        ),
        (
            "agency.txt", "A,Bus,http://b,Europe/Malta",
            "agency.txt:3: error: agency_id \"A\" is there twice"
        ),
        (
            "agency.txt", "B,Bus,http://b,Asia/Tokyo",
            "agency.txt:3: warning: agency_timezone is not that"
        ),
        ("stops.txt", "A,Again,35,14,0,,", "stops.txt:6: error: stop_id \"A\" is there twice"),
        ("stops.txt", "D,Delta,95,14,0,,", "stops.txt:6: error: \"95, 14\" is no place on Earth"),
        ("stops.txt", "D,Delta,x,,0,,", "stops.txt:6: error: \"x, \" is no place on Earth"),
        ("stops.txt", "D,Delta,0,0.0,0,,", "stops.txt:6: error: Latitude and longitude are 0"),
        ("stops.txt", "D,Delta,35,14,9,,", "stops.txt:6: error: location_type \"9\" is none"),
        (
            "stops.txt", "D,Delta,35,14,0,Q,",
            "stops.txt:6: warning: parent_station \"Q\" is no station"
        ),
        (
            "stops.txt", "D,Delta,35,14,0,,7",
            "stops.txt:6: warning: \"7\" says nothing of wheelchairs"
        ),
        ("stops.txt", "D,,35,14,0,,", "stops.txt:6: warning: stop_name is empty"),
        (
            "stops.txt", "D,Delta, upper,35,14,0,,",
            "stops.txt:6: error: It has 8 fields for 7 columns"
        ),
        ("stops.txt", "D,Delta,35,14", "stops.txt:6: warning: It has 4 fields for 7 columns"),
        ("stops.txt", "D,\"Delta,35,14,0,,", "stops.txt:6: error: A quote is not closed"),
        ("routes.txt", "R,A,42,3", "routes.txt:3: error: route_id \"R\" is there twice"),
        ("routes.txt", "Q,A,42,99", "routes.txt:3: error: route_type \"99\" is none"),
        ("routes.txt", "Q,Z,42,3", "routes.txt:3: warning: agency_id \"Z\" is not known"),
        ("routes.txt", "Q,A,,3", "routes.txt:3: warning: The route has neither"),
        ("trips.txt", "Q,S,V,", "trips.txt:4: error: route_id \"Q\" is not known"),
        ("trips.txt", "R,Q,V,", "trips.txt:4: error: service_id \"Q\" is not known"),
        ("trips.txt", "R,S,T,", "trips.txt:4: error: trip_id \"T\" is there twice"),
        ("trips.txt", "R,S,,", "trips.txt:4: error: trip_id is empty"),
        ("trips.txt", "R,S,V,", "trips.txt:4: error: Trip \"V\" has no stop times"),
        (
            "stop_times.txt", "V,9:00:00,9:00:00,A,1",
            "stop_times.txt:7: error: trip_id \"V\" is not known"
        ),
        (
            "stop_times.txt", "T,9:00:00,9:00:00,Q,9",
            "stop_times.txt:7: error: stop_id \"Q\" is not known"
        ),
        (
            "stop_times.txt", "T,9:00:00,9:00:00,P,9",
            "stop_times.txt:7: error: Nothing stops at a place"
        ),
        (
            "stop_times.txt", "T,9:00,9:00:00,A,9",
            "stop_times.txt:7: error: arrival_time \"9:00\" is no time"
        ),
        (
            "stop_times.txt", "T,9:00:00,9:00:00,A,-1",
            "stop_times.txt:7: error: stop_sequence \"-1\""
        ),
        ("stop_times.txt", "T,9:00:00,9:00:00,,9", "stop_times.txt:7: warning: It names no stop"),
        (
            "stop_times.txt", "T,8:39:00,8:41:00,A,9",
            "stop_times.txt:7: error: It goes back in time"
        ),
        (
            "stop_times.txt", "T,8:50:00,8:49:00,A,9",
            "stop_times.txt:7: error: It departs before it arrives"
        ),
        (
            "stop_times.txt", "T,8:50:00,8:50:00,A,5",
            "stop_times.txt:7: error: stop_sequence 5 is there twice"
        ),
        ("stop_times.txt", "T,,,A,9", "stop_times.txt:7: error: The first and the last stop"),
        (
            "calendar.txt", "V,1,1,1,1,1,0,0,20260230,20261231",
            "calendar.txt:3: error: start_date \"20260230\""
        ),
        (
            "calendar.txt", "V,1,1,1,1,1,0,0,20260202,20260201",
            "calendar.txt:3: error: end_date is before"
        ),
        (
            "calendar.txt", "V,1,1,1,yes,1,0,0,20260202,20260301",
            "calendar.txt:3: error: A day of the week"
        ),
        (
            "calendar.txt", "S,1,1,1,1,1,0,0,20260202,20260301",
            "calendar.txt:3: error: service_id \"S\""
        ),
    ]

    @Test(arguments: wrongRows)
    func whatIsWrongIsNamedByFileAndLine(file: String, row: String, said: String) throws {
        let (feed, report) = try SmallFeed.adding(row, to: file)
        #expect(report.problems.count == 1)
        #expect(report.problems.first?.description.hasPrefix(said) == true, "\(report.problems)")
        #expect(report.errorCount + report.warningCount == 1)
        // The rest is there, but for a trip that became nonsense.
        let isLost =
            said.contains("back in time") || said.contains("departs before")
            || said.contains("twice") && file == "stop_times.txt" || said.contains("first and the")
        #expect(feed.trips.map(\.id) == (isLost ? ["U"] : ["T", "U"]))
    }

    static let wrongTables: [(file: String, text: String, said: String)] = [
        (
            "calendar_dates.txt", "service_id,date,exception_type\nS,20260105,3\n",
            "calendar_dates.txt:2: error: exception_type \"3\""
        ),
        (
            "calendar_dates.txt", "service_id,date,exception_type\nS,2026-01-05,1\n",
            "calendar_dates.txt:2: error: date \"2026-01-05\" is no date"
        ),
        (
            "frequencies.txt", "trip_id,start_time,end_time,headway_secs\nT,08:00:00,09:00:00,0\n",
            "frequencies.txt:2: error: headway_secs \"0\""
        ),
        (
            "frequencies.txt",
            "trip_id,start_time,end_time,headway_secs\n"
                + String(repeating: "T,00:00:00,239:00:00,1\n", count: 8)
                + String(repeating: "T,00:00:00,01:00:00,1\n", count: 2),
            "frequencies.txt:9: error: That would be more than 20000000 stop times"
        ),
        (
            "frequencies.txt", "trip_id,start_time,end_time,headway_secs\nT,08:00:00,07:00:00,60\n",
            "frequencies.txt:2: error: \"08:00:00\" to \"07:00:00\""
        ),
        (
            "transfers.txt", "from_stop_id,to_stop_id,transfer_type\nA,Q,0\n",
            "transfers.txt:2: error: to_stop_id \"Q\" is not known"
        ),
        (
            "transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,2,\n",
            "transfers.txt:2: error: min_transfer_time \"\""
        ),
        (
            "transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,2,-1\n",
            "transfers.txt:2: error: min_transfer_time \"-1\""
        ),
        (
            "transfers.txt", "from_stop_id,to_stop_id,transfer_type,min_transfer_time\nA,B,3,-1\n",
            "transfers.txt:2: warning: min_transfer_time \"-1\""
        ),
        (
            "transfers.txt", "from_stop_id,to_stop_id,transfer_type,from_trip_id\nA,B,1,T\n",
            "transfers.txt:2: warning: Transfers of single routes"
        ),
        (
            "transfers.txt", "transfer_type,from_trip_id,to_trip_id\n4,T,V\n",
            "transfers.txt:2: error: to_trip_id \"V\" is not known"
        ),
        (
            "transfers.txt", "transfer_type,from_trip_id,to_trip_id\n5,,U\n",
            "transfers.txt:2: error: from_trip_id \"\" is not known"
        ),
        (
            "transfers.txt", "from_stop_id,to_stop_id,transfer_type\nA,B,1.0\n",
            "transfers.txt:2: error: transfer_type \"1.0\" is none"
        ),
        (
            "frequencies.txt",
            "trip_id,start_time,end_time,headway_secs,exact_times\nT,08:00:00,09:00:00,60,1.0\n",
            "frequencies.txt:2: warning: exact_times \"1.0\" is none"
        ),
        (
            "shapes.txt", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nX,35,200,1\n",
            "shapes.txt:2: error: \"35, 200\""
        ),
        (
            "shapes.txt", "shape_id,shape_pt_lat\n",
            "shapes.txt:1: error: It has no column shape_pt_lon"
        ),
        ("feed_info.txt", "", "feed_info.txt: error: It is empty."),
        (
            "feed_info.txt",
            "feed_publisher_name,feed_publisher_name,feed_publisher_url,feed_lang\na,b,c,d\n",
            "feed_info.txt:1: warning: The column feed_publisher_name is there twice"
        ),
    ]

    @Test(arguments: wrongTables)
    func soIsWhatIsWrongInTablesThatMayBeMissing(file: String, text: String, said: String) throws {
        let (feed, report) = try SmallFeed.read([file: text])
        #expect(report.problems.count == 1)
        #expect(report.problems.first?.description.hasPrefix(said) == true, "\(report.problems)")
        #expect(feed.trips.count == 2)
    }

    /// Pick-up and drop-off at Beta: each is possible unless it is 1, or no value of the specification.
    @Test(arguments: [
        ("", true, 0), ("0", true, 0), ("2", true, 0), ("3", true, 0), ("1", false, 0),
        ("1.0", false, 1), ("0.0", false, 1), ("4", false, 1), ("-1", false, 1), ("no", false, 1),
    ])
    func nobodyBoardsWhereTheFeedIsNotUnderstood(
        value: String, isPossible: Bool, warnings: Int
    ) throws {
        func read(_ pickUp: String, _ dropOff: String) throws -> (Feed.StopTime, FeedReport) {
            let (feed, report) = try SmallFeed.read([
                "stop_times.txt": """
                trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type
                T,8:00:00,08:00:00,A,1,,
                T,08:10:00,08:10:00,B,2,\(pickUp),\(dropOff)
                T,08:40:00,08:40:00,C,5,,
                U,25:10:00,25:10:00,C,1,,
                U,49:00:00,49:00:00,A,2,,
                """
            ])
            return (feed.stopTimes[1], report)
        }
        let (pickUp, report) = try read(value, "")
        #expect(pickUp.canBoard == isPossible && pickUp.canAlight)
        #expect(report.warningCount == warnings && report.errorCount == 0)
        let said = "stop_times.txt:3: warning: pickup_type \"\(value)\" is none"
        #expect(report.problems.allSatisfy { $0.description.hasPrefix(said) })
        let (dropOff, other) = try read("", value)
        #expect(dropOff.canBoard && dropOff.canAlight == isPossible)
        #expect(other.warningCount == warnings)
        #expect(other.problems.allSatisfy { $0.text.hasPrefix("drop_off_type") })
    }

    @Test func blocksAndLinkedTripsAreRead() throws {
        let (feed, report) = try SmallFeed.read([
            "trips.txt": "route_id,service_id,trip_id,block_id\nR,S,T,7\nR,S,U,\n",
            "transfers.txt": "transfer_type,from_trip_id,to_trip_id\n4,T,U\n5,U,T\n",
        ])
        #expect(report.problems == [])
        #expect(feed.trips.map(\.block) == ["7", ""])
        #expect(
            feed.links == [
                .init(from: 0, to: 1, isInSeat: true), .init(from: 1, to: 0, isInSeat: false),
            ])
    }

    static let unusable: [(file: String, text: String?, said: String)] = [
        ("agency.txt", nil, "agency.txt: error: It is missing."),
        ("stops.txt", "", "stops.txt: error: It is empty."),
        ("stops.txt", "stop_name\nx\n", "stops.txt:1: error: It has no column stop_id."),
        ("stops.txt", "stop_id,stop_lat,stop_lon\n", "The feed has no stop."),
        ("routes.txt", "route_id,route_type\nR,x\n", "The feed has no route."),
        ("trips.txt", "route_id,service_id,trip_id\nQ,S,T\n", "The feed has no trip."),
        (
            "stop_times.txt", "trip_id,stop_id,stop_sequence\n",
            "The feed has no trip that can be used."
        ),
        ("calendar.txt", nil, "The feed has no calendar."),
        (
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "S,0,0,0,0,0,0,0,20260101,20261231\n",
            "The feed has no day on which a trip runs."
        ),
        (
            "agency.txt", "agency_name,agency_url,agency_timezone\nA,b,Nowhere\n",
            "The feed has no agency."
        ),
    ]

    @Test(arguments: unusable)
    func aFeedOfWhichNothingCanBeUsedIsRefused(file: String, text: String?, said: String) {
        let refusal = #expect(throws: FeedRefusal.self) { try SmallFeed.read([file: text]) }
        #expect(refusal?.reason.contains(said) == true, "\(refusal?.reason ?? "")")
    }

    @Test func exceptionsAloneAreACalendar() throws {
        let (feed, report) = try SmallFeed.read([
            "calendar.txt": nil,
            "calendar_dates.txt": "service_id,date,exception_type\nS,20260105,1\nS,20260106,2\n",
        ])
        #expect(report.problems == [])
        let day = try #require(ServiceDay("20260105"))
        #expect(feed.days == day...day)
    }

    @Test func problemsAreCountedButNotAllKept() throws {
        let rows = (0..<1_000).map { "T,x,x,A,\($0 + 10)\n" }.joined()
        let (_, report) = try SmallFeed.adding(rows, to: "stop_times.txt")
        #expect(report.errorCount == 1_000)
        #expect(report.problems.count == FeedReport.mostOfFile)
    }

    @Test func aHundredThousandRowsAreReadInAnyOrder() throws {
        var rows: [String] = []
        var trips = ""
        for trip in 0..<5_000 {
            trips += "R,S,V\(trip),\n"
            for stop in 0..<20 {
                let time = "\(6 + trip % 12):\(10 + stop):00"
                rows.append("V\(trip),\(time),\(time),\(["A", "B", "C"][stop % 3]),\(stop)\n")
            }
        }
        rows.reverse()
        let (feed, report) = try SmallFeed.read([
            "trips.txt": "route_id,service_id,trip_id,trip_headsign\n" + trips,
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n" + rows.joined(),
        ])
        #expect(report.problems == [])
        #expect(feed.stopTimes.count == 100_000)
        #expect(feed.trips[4_999].stopTimes == 99_980..<100_000)
        let timetable = Timetable([feed])
        #expect(timetable.layers[0].patterns.patterns.count == 1)
        #expect(timetable.layers[0].patterns.runs.count == 5_000)
    }

    @Test func datesAreThoseOfTheCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // From 1586: Foundation's has the Julian calendar before.
        for number in stride(from: -140_000, to: 200_000, by: 997) {
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            let service = try #require(ServiceDay(year: year, month: month, day: day))
            #expect(service.number == number)
            #expect(service.weekday == ((parts.weekday ?? 0) + 5) % 7)
            #expect(ServiceDay(service.description) == service)
        }
        for text in ["20260229", "20261301", "20260100", "2026011", "+2026011", "２０２６０１０１"] {
            #expect(ServiceDay(text) == nil, "\(text)")
        }
    }
}

/// Feeds in archives and folders, and archives that mean harm.
@Suite struct ArchiveTests {
    private static let names = SmallFeed.files.sorted { $0.key < $1.key }
    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private var archive: Data {
        Zip.archive(Self.names.map { ($0.key, Data($0.value.utf8)) }, at: Self.time)
    }

    @Test func anArchiveIsReadAsItWasWritten() throws {
        let reader = try ZipReader(archive)
        #expect(reader.names == Self.names.map(\.key))
        for (name, text) in Self.names { #expect(try reader.file(name) == Data(text.utf8)) }
        #expect(try reader.file("none.txt") == nil)
        #expect(try Feed.read(archive: archive).feed.trips.count == 2)
    }

    @Test func aFolderIsReadAsWell() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in Self.names {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        #expect(try Feed.read(folder.path).report.problems == [])
        let file = folder.appending(path: "feed.zip")
        try archive.write(to: file)
        #expect(try Feed.read(file.path).feed.trips.count == 2)
        #expect(throws: FeedRefusal.self) { try Feed.read(folder.path + "/none.zip") }
    }

    @Test func tablesHaveToLieAtTheRoot() throws {
        let nested = Zip.archive(
            Self.names.map { ("feed/\($0.key)", Data($0.value.utf8)) }, at: Self.time)
        let refusal = #expect(throws: FeedRefusal.self) { try Feed.read(archive: nested) }
        #expect(
            refusal?.reason.contains("It is in the folder feed, and has to be at the root.") == true
        )
    }

    @Test func aBombIsNotExpanded() throws {
        let bomb = Zip.archive([("stops.txt", Data(count: 20_000_000))], at: Self.time)
        #expect(bomb.count < 25_000)
        let limits = ZipReader.Limits(fileBytes: 10_000_000)
        #expect(throws: ZipError.self) { try ZipReader(bomb, limits: limits) }
        #expect(throws: ZipError.self) { try ZipReader(bomb, limits: .init(bytes: 10_000_000)) }
        #expect(throws: ZipError.self) { try ZipReader(archive, limits: .init(files: 3)) }
        #expect(try ZipReader(bomb).file("stops.txt")?.count == 20_000_000)
    }

    /// In the directory, at the end of the archive.
    @Test func sizesThatAreALieAreFoundOut() throws {
        let bomb = Zip.archive([("a", Data(count: 5_000_000))], at: Self.time)
        let size = bomb.count - 22 - 47 + 24
        func saying(_ bytes: [UInt8]) -> Data {
            var other = bomb
            other.replaceSubrange(size..<(size + 4), with: bytes)
            return other
        }
        // Less than it is, more than it is, and more than there can be.
        for bytes in [[1, 0, 0, 0], [0x41, 0x4B, 0x4C, 0]] as [[UInt8]] {
            let reader = try ZipReader(saying(bytes))
            #expect(throws: ZipError.self) { try reader.file("a") }
        }
        #expect(throws: ZipError.self) { try ZipReader(saying([0, 0, 0, 0x1F])) }
    }

    @Test func whatIsBrokenAnywhereIsRefusedOrReadAsItWas() throws {
        let archive = archive
        for place in stride(from: 0, to: archive.count, by: 7) {
            var broken = archive
            broken[place] ^= 0xFF
            guard let reader = try? ZipReader(broken) else { continue }
            for (name, text) in Self.names {
                if let file = try? reader.file(name) { #expect(file == Data(text.utf8)) }
            }
        }
        for length in stride(from: 0, to: archive.count, by: 11) {
            #expect(throws: ZipError.self) { try ZipReader(archive.prefix(length)) }
        }
    }
}
