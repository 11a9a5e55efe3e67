import Foundation
import Testing

@testable import OpenValet

struct MapRoomTests {
    private func refusal(_ bytes: Int, _ room: MapRoom) -> String? {
        do {
            try room.require(bytes, of: "city.osm.pbf")
            return nil
        } catch {
            return error.description
        }
    }

    @Test func whatNeedsMoreDiskThanThereIsIsRefusedInNumbers() {
        let room = MapRoom("/maps", disk: 700, memory: nil)
        #expect(refusal(100, room) == nil)
        #expect(refusal(0, room) == nil)
        #expect(refusal(101, room) != nil)
        #expect(
            refusal(4_000_000_000, MapRoom("/maps", disk: 20_500_000_000, memory: nil))
                == "city.osm.pbf has 4.0 GB: a map of it needs about 28.0 GB on the disk of /maps, of which "
                + "20.5 GB are free. Nothing was changed. A smaller extract may do (osmium extract)."
        )
    }

    @Test func whatNeedsMoreMemoryThanThereIsIsRefusedInNumbers() {
        let room = MapRoom("/maps", disk: .max, memory: 600_000_800)
        #expect(refusal(100, room) == nil)
        #expect(refusal(101, room) != nil)
        #expect(
            refusal(1_000_000_000, MapRoom("/maps", disk: .max, memory: 4_000_000_000))?
                .contains("needs about 8.6 GB of memory, of which 4.0 GB are free") == true)
        // However long it says it is.
        #expect(
            refusal(.max, room) != nil && refusal(.max, MapRoom("/", disk: 0, memory: 0)) != nil)
    }

    @Test func memoryIsWhatTheSystemHasToGive() {
        let facts = """
            MemTotal:       24684112 kB
            MemFree:         9035712 kB
            MemAvailable:       1000 kB
            SwapFree:             24 kB
            """
        #expect(MapRoom.freeMemory(facts) == 1_024 * 1_024)
        #expect(MapRoom.freeMemory("MemAvailable: 1 kB") == 1_024)
        #expect(MapRoom.freeMemory("") == nil)
    }
}
