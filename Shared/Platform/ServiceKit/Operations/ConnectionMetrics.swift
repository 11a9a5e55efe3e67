import Metrics
import Store

extension DatabaseConnections {
    /// Tells the metrics how many connections are open, and how many of them are in use.
    func record() {
        for (state, count) in [("used", inUse), ("idle", max(0, open - inUse))] {
            Gauge(label: "openvalet_sql_connections", dimensions: [("state", state)]).record(count)
        }
        Gauge(label: "openvalet_sql_connections_max").record(most)
        Gauge(label: "openvalet_sql_waiting").record(waiting)
    }
}
