import Foundation
import Metrics
import Synchronization

/// The processor time, memory and open files of this process, under the names of Prometheus' own clients.
final class ProcessMetrics: Sendable {
    static let pause: Duration = .seconds(5)

    private let processor = FloatingPointCounter(label: "process_cpu_seconds_total")
    private let resident = Gauge(label: "process_resident_memory_bytes")
    private let virtual = Gauge(label: "process_virtual_memory_bytes")
    private let openFiles = Gauge(label: "process_open_fds")
    private let mostFiles = Gauge(label: "process_max_fds")
    private let countedSeconds = Mutex(0.0)

    init(startedAt start: Date = Date()) {
        Gauge(label: "process_start_time_seconds").record(start.timeIntervalSince1970)
    }

    func measure() throws {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        let seconds = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        let further = countedSeconds.withLock { counted in
            defer { counted = max(counted, seconds) }
            return max(0, seconds - counted)
        }
        processor.increment(by: further)
        openFiles.record(try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count)
        mostFiles.record(ProcessRights.mostOpenFiles)
        #if os(Linux)
        // "size resident shared …" in pages (proc(5)).
        let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            .split(separator: " ").prefix(2).compactMap { Int($0) }
        guard pages.count == 2 else { return }
        let pageBytes = sysconf(Int32(_SC_PAGESIZE))
        virtual.record(pages[0] * pageBytes)
        resident.record(pages[1] * pageBytes)
        #endif
    }
}
