import Foundation
import Geo

extension FeedReader {
    // MARK: Stops

    mutating func readStops() throws(FeedRefusal) {
        var table = try required("stops.txt", needs: ["stop_id"])
        let (id, name) = (table.column("stop_id"), table.column("stop_name"))
        let (latitude, longitude) = (table.column("stop_lat"), table.column("stop_lon"))
        let (kind, parent) = (table.column("location_type"), table.column("parent_station"))
        let (wheelchair, code) = (
            table.column("wheelchair_boarding"), table.column("platform_code")
        )
        var parents: [(stop: Int, id: String, line: Int)] = []
        while next(&table) {
            guard isNew(table[id], "stop_id", in: stops, table) else { continue }
            guard
                let type = Self.number(table[kind], in: 0...4).flatMap({
                    Feed.Stop.Kind(rawValue: UInt8($0))
                })
            else {
                error(table, "location_type \"\(table[kind])\" is none: the row is left out.")
                continue
            }
            guard let point = coordinate(table[latitude], table[longitude], table) else { continue }
            if table[name].isEmpty, type == .platform { warning(table, "stop_name is empty.") }
            if !table[parent].isEmpty {
                parents.append((feed.stops.count, table[parent], table.rows.line))
            }
            stops[table[id]] = feed.stops.count
            feed.stops.append(
                .init(
                    id: table[id], name: table[name].isEmpty ? table[id] : table[name], at: point,
                    kind: type, parent: nil, wheelchair: access(table[wheelchair], table),
                    platformCode: table[code]))
        }
        for (stop, id, line) in parents { setParent(of: stop, to: id, line) }
        guard !feed.stops.isEmpty else { throw refused("The feed has no stop.") }
    }

    private mutating func setParent(of stop: Int, to id: String, _ line: Int) {
        guard let parent = stops[id], parent != stop,
            [.station, .platform].contains(feed.stops[parent].kind)
        else {
            report.add(
                .warning, "stops.txt", line,
                "parent_station \"\(id)\" is no station: it is left out.")
            return
        }
        feed.stops[stop].parent = parent
        if feed.stops[stop].wheelchair == .unknown {
            feed.stops[stop].wheelchair = feed.stops[parent].wheelchair
        }
    }

    mutating func access(_ text: String, _ table: Table) -> Feed.Wheelchair {
        switch text {
        case "", "0": return .unknown
        case "1": return .yes
        case "2": return .no
        default:
            warning(table, "\"\(text)\" says nothing of wheelchairs: it is read as unknown.")
            return .unknown
        }
    }

    // MARK: Routes

    mutating func readRoutes() throws(FeedRefusal) {
        var table = try required("routes.txt", needs: ["route_id", "route_type"])
        let (id, agency) = (table.column("route_id"), table.column("agency_id"))
        let (short, long) = (table.column("route_short_name"), table.column("route_long_name"))
        let (type, color) = (table.column("route_type"), table.column("route_color"))
        while next(&table) {
            guard isNew(table[id], "route_id", in: routes, table) else { continue }
            guard let mode = Int(table[type]).flatMap(TransitMode.init(routeType:)) else {
                error(table, "route_type \"\(table[type])\" is none: the row is left out.")
                continue
            }
            if table[short].isEmpty, table[long].isEmpty {
                warning(table, "The route has neither a short nor a long name.")
            }
            let known = agencies[table[agency]]
            if known == nil, !table[agency].isEmpty || agencies.count > 1 {
                warning(
                    table, "agency_id \"\(table[agency])\" is not known: the first is meant then.")
            }
            routes[table[id]] = feed.routes.count
            feed.routes.append(
                .init(
                    id: table[id], agency: known ?? 0, shortName: table[short],
                    longName: table[long], mode: mode, color: table[color]))
        }
        guard !feed.routes.isEmpty else { throw refused("The feed has no route.") }
    }

    // MARK: Shapes

    mutating func readShapes() throws(FeedRefusal) {
        guard
            var table = try table(
                "shapes.txt",
                needs: ["shape_id", "shape_pt_lat", "shape_pt_lon", "shape_pt_sequence"])
        else { return }
        let (id, sequence) = (table.column("shape_id"), table.column("shape_pt_sequence"))
        let (latitude, longitude) = (table.column("shape_pt_lat"), table.column("shape_pt_lon"))
        var points: [[(sequence: Int, at: Coordinate)]] = []
        while next(&table) {
            guard let point = coordinate(table[latitude], table[longitude], table) else { continue }
            guard let number = Self.number(table[sequence], in: 0...Int(Int32.max)) else {
                error(
                    table,
                    "shape_pt_sequence \"\(table[sequence])\" is no number: the row is left out.")
                continue
            }
            let place = shapes[table[id]] ?? points.count
            if place == points.count {
                shapes[table[id]] = place
                points.append([])
            }
            points[place].append((number, point))
        }
        feed.shapes = points.map { points in
            let isSorted = zip(points, points.dropFirst()).allSatisfy { $0.sequence <= $1.sequence }
            return (isSorted ? points : points.sorted { $0.sequence < $1.sequence }).map(\.at)
        }
    }

    // MARK: Transfers

    mutating func readTransfers() throws(FeedRefusal) {
        guard var table = try table("transfers.txt", needs: ["transfer_type"]) else { return }
        let (from, to) = (table.column("from_stop_id"), table.column("to_stop_id"))
        let (type, least) = (table.column("transfer_type"), table.column("min_transfer_time"))
        let narrow = ["from_route_id", "to_route_id", "from_trip_id", "to_trip_id"].map(
            table.column)
        while next(&table) {
            guard let kind = Self.number(table[type], in: 0...5) else {
                error(table, "transfer_type \"\(table[type])\" is none: the row is left out.")
                continue
            }
            guard kind < 4 else {
                readLink(table, isInSeat: kind == 4)
                continue
            }
            guard narrow.allSatisfy({ table[$0].isEmpty }) else {
                warning(table, "Transfers of single routes and trips are not read: it is left out.")
                continue
            }
            guard let start = place(of: table[from], "from_stop_id", in: stops, table),
                let end = place(of: table[to], "to_stop_id", in: stops, table)
            else { continue }
            let seconds = table[least].isEmpty ? nil : Self.number(table[least], in: 0...86_400)
            if seconds == nil, kind == 2 {
                error(
                    table, "min_transfer_time \"\(table[least])\" is none: the row is left out.")
                continue
            }
            if seconds == nil, !table[least].isEmpty {
                warning(table, "min_transfer_time \"\(table[least])\" is none: it is left out.")
            }
            // With type 1 the departing vehicle waits, and leaves time enough to change.
            feed.transfers.append(
                .init(
                    from: start, to: end, isPossible: kind != 3,
                    minSeconds: kind == 1 ? 0 : kind == 2 ? seconds : nil))
        }
    }

    private mutating func readLink(_ table: Table, isInSeat: Bool) {
        let (from, to) = (table.column("from_trip_id"), table.column("to_trip_id"))
        guard let first = place(of: table[from], "from_trip_id", in: trips, table),
            let second = place(of: table[to], "to_trip_id", in: trips, table)
        else { return }
        feed.links.append(.init(from: first, to: second, isInSeat: isInSeat))
    }
}
