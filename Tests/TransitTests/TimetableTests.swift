import Foundation
import Geo
import Testing

@testable import Transit

@Suite struct TimetableTests {
    /// A bus from A over B to C along a shape that turns a corner, every hour.
    private func timetable(_ changes: [String: String?] = [:]) throws -> Timetable {
        var files: [String: String?] = [
            "trips.txt": "route_id,service_id,trip_id,trip_headsign,shape_id\nR,S,T,Gamma,X\n",
            "stop_times.txt": """
            trip_id,arrival_time,departure_time,stop_id,stop_sequence
            T,8:00:00,08:00:00,A,1
            T,08:20:00,08:20:00,B,2
            T,08:40:00,08:40:00,C,5

            """,
            "shapes.txt": """
            shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence
            X,35.895,14.500,1
            X,35.905,14.500,2
            X,35.905,14.502,4
            X,35.920,14.502,3
            X,35.945,14.500,9

            """,
        ]
        for (name, text) in changes { files[name] = text }
        return Timetable([try SmallFeed.read(files).feed])
    }

    private func query(
        _ timetable: Timetable, _ from: String, _ to: String, _ time: TransitQuery.Time,
        _ rules: RideRules = RideRules()
    ) throws -> TransitQuery {
        TransitQuery(
            access: [.init(stop: try #require(timetable.stop(from)), seconds: 120)],
            egress: [.init(stop: try #require(timetable.stop(to)), seconds: 60)], time: time,
            rules: rules)
    }

    /// In Malta on a Monday.
    private func at(_ hour: Int, _ minute: Int = 0) -> Date {
        Date(timeIntervalSince1970: 1_767_567_600 + Double(hour * 3_600 + minute * 60))
    }

    @Test func aJourneyHasWalksAndRidesWithTheirTimes() throws {
        let timetable = try timetable()
        let journeys = timetable.journeys(try query(timetable, "A", "C", .departAt(at(7))))
        let journey = try #require(journeys.first)
        #expect(journeys.count == 1)
        #expect(journey.departsAt == at(7, 58))
        #expect(journey.arrivesAt == at(8, 41))
        #expect(journey.transfers == 0)
        #expect(journey.seconds == 43 * 60)
        #expect(journey.legs.count == 3)
        let ride = try #require(journey.rides.first)
        #expect(ride.line.shortName == "41" && ride.line.mode == .bus && ride.line.agency == "Bus")
        #expect(ride.headsign == "Gamma")
        #expect("\(ride.day)" == "20260105")
        #expect(ride.calls.map(\.name) == ["Alpha, upper", "Beta", "Gamma"])
        #expect(ride.calls.map(\.departsAt) == [at(8), at(8, 20), at(8, 40)])
        #expect(!ride.isRealtime)
        let walks = journey.legs.compactMap { if case .walk(let walk) = $0 { walk } else { nil } }
        let walk = try #require(walks.first)
        #expect(walk.from == nil && walk.to == timetable.stop("A"))
        #expect(walk.departsAt == at(7, 58) && walk.arrivesAt == at(8))
        let back = timetable.journeys(try query(timetable, "A", "C", .arriveBy(at(12))))
        #expect(back == journeys)
        #expect(timetable.journeys(try query(timetable, "C", "A", .departAt(at(7)))) == [])
        #expect(
            timetable.journeys(try query(timetable, "A", "C", .departAt(at(7, 59)))) != journeys)
    }

    @Test func theGeometryIsThePartOfTheShapeInItsOrder() throws {
        let timetable = try timetable()
        let journey = try #require(
            timetable.journeys(try query(timetable, "A", "B", .departAt(at(7)))).first)
        let line = try #require(journey.rides.first).geometry
        // Points are sorted by their numbers: Beta is beside the third segment of the file, the second of the shape.
        #expect(line.count == 3)
        #expect(line[0] == Coordinate(latitude: 35.9, longitude: 14.5))
        #expect(line[1] == Coordinate(latitude: 35.905, longitude: 14.5))
        #expect((14.500_1...14.501_9).contains(line[2].longitude))
        let straight = try self.timetable(["shapes.txt": nil])
        let plain = try #require(
            straight.journeys(try query(straight, "A", "C", .departAt(at(7)))).first)
        #expect(plain.rides.first?.geometry == plain.rides.first?.calls.map(\.at))
    }

    @Test func aShapeThatPassesTwiceIsCutOnTheRightPass() throws {
        func point(_ north: Double, _ east: Double) -> Coordinate {
            Coordinate(latitude: 35.9 + north / 1_000, longitude: 14.5 + east / 1_000)
        }
        // Out and back along the same street, with a stop on either side at the same place.
        let shape = [point(0, 0), point(0, 10), point(0, 20), point(0, 10), point(0, 0)]
        let stops = [point(0, 0), point(0, 5), point(0, 20), point(0, 5), point(0, 0)]
        let places = try #require(ShapeCut.places(of: stops, on: shape))
        let out = ShapeCut.part(of: shape, places, from: 0, to: 1)
        #expect(out?.count == 2)
        let turn = ShapeCut.part(of: shape, places, from: 1, to: 3)
        #expect(turn?.count == 5)
        #expect(turn?.contains(point(0, 20)) == true)
        // Too far away from it, and against its direction.
        let off = stops.map { Coordinate(latitude: $0.latitude + 0.1, longitude: $0.longitude) }
        #expect(ShapeCut.places(of: off, on: shape) == nil)
        let back = try #require(
            ShapeCut.places(of: [point(0, 8), point(0, 2)], on: [point(0, 0), point(0, 10)]))
        #expect(ShapeCut.part(of: shape, back, from: 0, to: 1) == nil)
    }

    @Test func onlyWheelchairsRideWhereTheFeedSaysSo() throws {
        let trips = "route_id,service_id,trip_id,trip_headsign,wheelchair_accessible\nR,S,T,Gamma,"
        let rules = RideRules(onlyWheelchair: true)
        for (value, count) in [("1", 1), ("0", 0), ("2", 0), ("", 0)] {
            let timetable = try timetable(["trips.txt": "\(trips)\(value)\n"])
            #expect(
                timetable.journeys(try query(timetable, "A", "C", .departAt(at(7)), rules)).count
                    == count)
            // One does not get in at Beta.
            #expect(
                timetable.journeys(try query(timetable, "A", "B", .departAt(at(7)), rules)) == [])
        }
    }

    @Test func modesCanBeChosen() throws {
        let timetable = try timetable()
        for (modes, count) in [([.bus, .tram], 1), ([.tram], 0), ([], 0)]
            as [(Set<TransitMode>, Int)]
        {
            let rules = RideRules(modes: modes)
            #expect(
                timetable.journeys(try query(timetable, "A", "C", .departAt(at(7)), rules)).count
                    == count)
        }
    }

    @Test func placesThatAreNoneAndWalksTooLongFindNothing() throws {
        let timetable = try timetable()
        let (a, c) = (try #require(timetable.stop("A")), try #require(timetable.stop("C")))
        for (access, egress) in [
            ([], [StopAccess(stop: c, seconds: 0)]), ([StopAccess(stop: a, seconds: 0)], []),
            ([StopAccess(stop: 99, seconds: 0)], [StopAccess(stop: c, seconds: 0)]),
            ([StopAccess(stop: a, seconds: .max)], [StopAccess(stop: c, seconds: 0)]),
            ([StopAccess(stop: a, seconds: 0)], [StopAccess(stop: c, seconds: .max)]),
            ([StopAccess(stop: a, seconds: -1)], [StopAccess(stop: c, seconds: 0)]),
        ] {
            for time in [TransitQuery.Time.departAt(at(7)), .arriveBy(at(10))] {
                let query = TransitQuery(access: access, egress: egress, time: time)
                #expect(timetable.journeys(query) == [])
            }
        }
        let nothing = Timetable([])
        #expect(nothing.reach(.init(access: [], departAt: at(7), maxSeconds: 60)) == [])
        #expect(nothing.stops(near: Coordinate(latitude: 0, longitude: 0), within: 1e7).isEmpty)
    }

    @Test func stopsNearbyAreServedOnesTheNearestFirst() throws {
        let timetable = try timetable()
        let point = Coordinate(latitude: 35.908, longitude: 14.5)
        let near = timetable.stops(near: point, within: 1_000)
        #expect(near.map { timetable.stops[$0.stop].id } == ["B", "A"])
        #expect(abs(near[0].meters - 222) < 1)
        #expect(timetable.stops(near: point, within: 2e7).count == 3)
    }

    @Test func feedsAreSearchedTogether() throws {
        let first = try SmallFeed.read().feed
        let second = try SmallFeed.read([
            "agency.txt": "agency_name,agency_url,agency_timezone\nRail,http://b,Europe/London\n",
            "stops.txt":
                "stop_id,stop_name,stop_lat,stop_lon\nA,Gamma rail,35.941,14.5\nB,Far,36.2,14.5\n",
            "trips.txt": "route_id,service_id,trip_id\nR,S,T\n",
            "stop_times.txt":
                "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
                + "T,07:45:00,07:45:00,A,1\nT,08:15:00,08:15:00,B,2\n",
        ]).feed
        let timetable = Timetable([first, second])
        let query = TransitQuery(
            access: [.init(stop: try #require(timetable.stop("A")), seconds: 0)],
            egress: [.init(stop: try #require(timetable.stop("B", feed: 1)), seconds: 0)],
            time: .departAt(at(7)))
        let journey = try #require(timetable.journeys(query).first)
        // By the clocks of London, an hour behind.
        #expect(journey.rides.map(\.feed) == [0, 1])
        #expect(journey.arrivesAt == at(9, 15))
        #expect(journey.legs.count == 3)
    }
}
