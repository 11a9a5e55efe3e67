import CoreMetrics
import Foundation
import Synchronization

/// Stores the process's metrics and writes them in Prometheus' text format (version 0.0.4).
///
/// Each combination of a label and its dimensions is a series. Series are never removed, so dimensions must have few
/// values: no ids.
public final class PrometheusRegistry: MetricsFactory, Sendable {
    /// Maximum number of series; further ones are not recorded.
    static let mostSeries = 10_000

    private struct Key: Hashable {
        let name: String
        let labels: String
    }

    private enum Kind: String {
        case counter, gauge, histogram
    }

    private struct State {
        var kinds: [String: Kind] = [:]
        var series: [Key: any Series] = [:]
    }

    private let state = Mutex(State())

    public init() {}

    private func series<S: Series>(
        _ label: String, _ dimensions: [(String, String)], _ kind: Kind, make: () -> S
    ) -> S {
        let key = Key(name: Self.name(label), labels: Self.labels(dimensions))
        return state.withLock { state in
            if let known = state.series[key] as? S { return known }
            let made = make()
            if state.series.count < Self.mostSeries {
                state.kinds[key.name] = kind
                state.series[key] = made
            }
            return made
        }
    }

    /// All metrics as text, families sorted by name.
    public func text() -> String {
        let (kinds, series) = state.withLock { ($0.kinds, $0.series) }
        let families = Dictionary(grouping: series) { $0.key.name }
        var text = ""
        for (name, members) in families.sorted(by: { $0.key < $1.key }) {
            if let help = MetricText.of(name)?.help { text += "# HELP \(name) \(help)\n" }
            text += "# TYPE \(name) \(kinds[name]?.rawValue ?? "untyped")\n"
            for (key, series) in members.sorted(by: { $0.key.labels < $1.key.labels }) {
                text += series.lines(name: name, labels: key.labels)
            }
        }
        return text
    }

    /// Keeps letters, digits and underscores only, as the format demands.
    private static func name(_ label: String) -> String {
        String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { name, value in
            let escaped = value.replacingOccurrences(of: "\\", with: "\\\\")
                .replacingOccurrences(of: "\"", with: "\\\"")
                .replacingOccurrences(of: "\n", with: "\\n")
            return "\(Self.name(name))=\"\(escaped)\""
        }.joined(separator: ",")
    }

    // MARK: MetricsFactory

    public func makeCounter(
        label: String, dimensions: [(String, String)]
    ) -> any CounterHandler {
        series(label, dimensions, .counter) { NumberSeries() }
    }

    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, dimensions, .counter) { NumberSeries() }
    }

    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, .gauge) { NumberSeries() }
    }

    public func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else { return series(label, dimensions, .gauge) { NumberSeries() } }
        return histogram(label, dimensions)
    }

    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions)
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
        let bounds = MetricText.of(Self.name(label))?.bounds ?? MetricText.seconds
        return series(label, dimensions, .histogram) { HistogramSeries(bounds: bounds) }
    }

    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
}

private protocol Series: AnyObject, Sendable {
    func lines(name: String, labels: String) -> String
}

/// A counter or a gauge.
private final class NumberSeries: Series, CounterHandler, FloatingPointCounterHandler,
    RecorderHandler, MeterHandler
{
    private let value = Mutex(0.0)

    func increment(by amount: Int64) { value.withLock { $0 += Double(amount) } }
    func increment(by amount: Double) { value.withLock { $0 += amount } }
    func decrement(by amount: Double) { value.withLock { $0 -= amount } }
    func set(_ number: Int64) { value.withLock { $0 = Double(number) } }
    func set(_ number: Double) { value.withLock { $0 = number } }
    func record(_ number: Int64) { set(number) }
    func record(_ number: Double) { set(number) }
    func reset() { set(0.0) }

    func lines(name: String, labels: String) -> String {
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        let value = self.value.withLock { $0 }
        return "\(name)\(braces) \(value.isNaN ? "NaN" : "\(value)")\n"
    }
}

/// Counts in buckets; a timer's are in seconds.
private final class HistogramSeries: Series, RecorderHandler, TimerHandler {
    private struct State {
        var counts: [Int]
        var count = 0
        var sum = 0.0
    }

    /// Upper bounds of the buckets.
    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count)))
    }

    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        state.withLock { state in
            state.count += 1
            state.sum += value
            if let bucket = bounds.firstIndex(where: { value <= $0 }) {
                state.counts[bucket] += 1
            }
        }
    }

    func lines(name: String, labels: String) -> String {
        let (counts, count, sum) = state.withLock { ($0.counts, $0.count, $0.sum) }
        let prefix = labels.isEmpty ? "" : "\(labels),"
        let braces = labels.isEmpty ? "" : "{\(labels)}"
        var below = 0
        var text = ""
        for (bound, inBucket) in zip(bounds, counts) {
            below += inBucket
            text += "\(name)_bucket{\(prefix)le=\"\(bound)\"} \(below)\n"
        }
        text += "\(name)_bucket{\(prefix)le=\"+Inf\"} \(count)\n"
        text += "\(name)_sum\(braces) \(sum)\n\(name)_count\(braces) \(count)\n"
        return text
    }
}
