import ServiceKit
import ServiceLifecycle

/// Removes pictures whose rows are gone, or never came to be.
struct BlobSweeper: Service {
    /// Pictures that are looked up at a time.
    static let batch = 100
    static let interval: Duration = .seconds(300)

    let plates: PlateUseCases

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await plates.removeDoomed()
                // Cancelled in its sleep when the service stops.
                try? await Task.sleep(for: Self.interval)
            }
        }
    }
}
