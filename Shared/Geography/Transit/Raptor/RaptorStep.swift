/// One layer in one round of a search, as plain memory: a search reads it millions of times, and must not count at each
/// who else holds its arrays.
struct RaptorStep {
    /// The search's.
    let layer: Int32
    let round: Int
    /// Of the day, from the moment that was asked for.
    let start: Int32
    let patterns: UnsafeBufferPointer<PatternSet.Pattern>
    let stops: UnsafeBufferPointer<Int32>
    let flags: UnsafeBufferPointer<UInt8>
    let arrivals: UnsafeBufferPointer<Int32>
    let departures: UnsafeBufferPointer<Int32>
    /// The day's trips, as `DayTrips` has them.
    let offsets: UnsafeBufferPointer<Int32>
    let runs: UnsafeBufferPointer<Int32>
    /// By stop; empty: all.
    let isAllowed: UnsafeBufferPointer<Bool>

    /// Lends the body a layer for as long as it runs.
    static func with(
        _ search: RaptorSearch, layer number: Int, round: Int, _ body: (RaptorStep) -> Void
    ) {
        let layer = search.layers[number]
        layer.patterns.patterns.withUnsafeBufferPointer { patterns in
            layer.patterns.stops.withUnsafeBufferPointer { stops in
                layer.patterns.flags.withUnsafeBufferPointer { flags in
                    layer.patterns.arrivals.withUnsafeBufferPointer { arrivals in
                        layer.patterns.departures.withUnsafeBufferPointer { departures in
                            layer.trips.offsets.withUnsafeBufferPointer { offsets in
                                layer.trips.runs.withUnsafeBufferPointer { runs in
                                    (search.isAllowed ?? []).withUnsafeBufferPointer { isAllowed in
                                        body(
                                            RaptorStep(
                                                layer: Int32(number), round: round,
                                                start: layer.start, patterns: patterns,
                                                stops: stops, flags: flags, arrivals: arrivals,
                                                departures: departures, offsets: offsets,
                                                runs: runs, isAllowed: isAllowed))
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    @inline(__always)
    func isOpen(_ stop: Int) -> Bool { isAllowed.isEmpty || isAllowed[stop] }

    /// The first trip of the range of `runs` that departs at that time or later; the range's end when none does.
    /// - Parameter place: Of the first run's departure.
    @inline(__always)
    func earliest(_ range: Range<Int>, at place: Int, _ length: Int, _ time: Int32) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if departures[place + Int(runs[middle]) * length] < time {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
