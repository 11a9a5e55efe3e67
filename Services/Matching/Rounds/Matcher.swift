import Contracts
import EventBus
import Threads
import Foundation
import ServiceKit
import ServiceLifecycle

/// Runs a loop for each area with requests.
struct Matcher: Service {
    /// How often to look for requests that a crashed replica has left behind, or that were open when this one started:
    /// they cause no signal.
    static let sweepInterval = Duration.seconds(1)

    let parts: MatchingParts

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await sweep() }
                for await (area, wake) in parts.areas.discovered {
                    group.addTask { await loop(area, wake) }
                }
            }
        }
    }

    private func loop(_ area: ServiceAreaID, _ wake: Signal) async {
        var matcher = AreaMatcher(area, parts)
        var pause: Duration?
        while true {
            let isCalled = await wake.isRaised(within: pause)
            if Task.isCancelled { return }
            pause = await matcher.round(isCalled: isCalled)
        }
    }

    private func sweep() async {
        while !Task.isCancelled {
            do {
                for area in try await parts.store.unattendedAreas() { parts.areas.call(area) }
            } catch {
                parts.logger.warning(
                    "open requests could not be read",
                    metadata: ["error": "\(loggable(error))"])
            }
            try? await Task.sleep(for: Self.sweepInterval)
        }
    }
}
