import Foundation

extension FeedReader {
    private static let weekdays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]

    /// Reads one of the two tables, or both.
    mutating func readServices() throws(FeedRefusal) {
        let regular = try table(
            "calendar.txt", needs: ["service_id"] + Self.weekdays + ["start_date", "end_date"])
        let exceptions = try table(
            "calendar_dates.txt", needs: ["service_id", "date", "exception_type"])
        guard regular != nil || exceptions != nil else {
            report.add(
                .error, "calendar.txt", nil,
                "It is missing, and so is calendar_dates.txt: no trip runs on any day.")
            throw refused("The feed has no calendar.")
        }
        if let regular { readCalendar(regular) }
        if let exceptions { readExceptions(exceptions) }
    }

    private mutating func readCalendar(_ table: Table) {
        var table = table
        let id = table.column("service_id")
        let days = Self.weekdays.map(table.column)
        let (start, end) = (table.column("start_date"), table.column("end_date"))
        while next(&table) {
            guard isNew(table[id], "service_id", in: services, table) else { continue }
            guard let first = day(table[start], "start_date", table),
                let last = day(table[end], "end_date", table)
            else { continue }
            guard first <= last else {
                error(table, "end_date is before start_date: the row is left out.")
                continue
            }
            guard days.allSatisfy({ ["0", "1"].contains(table[$0]) }) else {
                error(table, "A day of the week is neither 0 nor 1: the row is left out.")
                continue
            }
            var service = Feed.Service(id: table[id])
            service.days = first...last
            for (place, column) in days.enumerated() where table[column] == "1" {
                service.weekdays |= 1 << UInt8(place)
            }
            services[service.id] = feed.services.count
            feed.services.append(service)
        }
    }

    private mutating func readExceptions(_ table: Table) {
        var table = table
        let (id, date) = (table.column("service_id"), table.column("date"))
        let type = table.column("exception_type")
        while next(&table) {
            guard let day = day(table[date], "date", table) else { continue }
            guard !table[id].isEmpty, ["1", "2"].contains(table[type]) else {
                error(
                    table,
                    table[id].isEmpty
                        ? "service_id is empty: the row is left out."
                        : "exception_type \"\(table[type])\" is none: the row is left out.")
                continue
            }
            let place = services[table[id]] ?? feed.services.count
            if place == feed.services.count {
                services[table[id]] = place
                feed.services.append(.init(id: table[id]))
            }
            if table[type] == "1" {
                feed.services[place].added.insert(day)
            } else {
                feed.services[place].removed.insert(day)
            }
        }
    }

    private mutating func day(_ text: String, _ column: String, _ table: Table) -> ServiceDay? {
        if let day = ServiceDay(text) { return day }
        error(table, "\(column) \"\(text)\" is no date: the row is left out.")
        return nil
    }
}
