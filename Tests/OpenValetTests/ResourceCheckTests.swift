import Foundation
import Testing

@testable import OpenValet

struct ResourceCheckTests {
    private func refusal(_ bytes: Int, _ resources: ResourceCheck) -> String? {
        do {
            try resources.require(bytes, of: "city.osm.pbf")
            return nil
        } catch {
            return error.description
        }
    }

    @Test func whatNeedsMoreDiskThanThereIsIsRefusedInNumbers() {
        let resources = ResourceCheck("/maps", disk: 700, memory: nil)
        #expect(refusal(100, resources) == nil)
        #expect(refusal(0, resources) == nil)
        #expect(refusal(101, resources) != nil)
        #expect(
            refusal(4_000_000_000, ResourceCheck("/maps", disk: 20_500_000_000, memory: nil))
                == "city.osm.pbf has 4.0 GB: a map of it needs about 28.0 GB on the disk of /maps, of which "
                + "20.5 GB are free. Nothing was changed. A smaller extract may do (osmium extract)."
        )
    }

    @Test func whatNeedsMoreMemoryThanThereIsIsRefusedInNumbers() {
        let resources = ResourceCheck("/maps", disk: .max, memory: 600_000_800)
        #expect(refusal(100, resources) == nil)
        #expect(refusal(101, resources) != nil)
        #expect(
            refusal(1_000_000_000, ResourceCheck("/maps", disk: .max, memory: 4_000_000_000))?
                .contains("needs about 8.6 GB of memory, of which 4.0 GB are free") == true)
        // However long it says it is.
        #expect(
            refusal(.max, resources) != nil
                && refusal(.max, ResourceCheck("/", disk: 0, memory: 0)) != nil)
    }

    @Test func memoryIsWhatTheSystemHasToGive() {
        let facts = """
            MemTotal:       24684112 kB
            MemFree:         9035712 kB
            MemAvailable:       1000 kB
            SwapFree:             24 kB
            """
        #expect(ResourceCheck.freeMemory(facts) == 1_024 * 1_024)
        #expect(ResourceCheck.freeMemory("MemAvailable: 1 kB") == 1_024)
        #expect(ResourceCheck.freeMemory("") == nil)
    }
}
