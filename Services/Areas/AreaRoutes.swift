import Contracts
import Hummingbird
import ServiceKit

/// The routes of service areas and tariffs.
struct AreaRoutes: Sendable {
    let areas: AreaUseCases

    func add(to router: Router<Context>) {
        router.on(AreaEndpoints.serviceAreas) { _ in try await areas.all() }
        router.on(AreaEndpoints.serviceArea) {
            try await reply(areas.one($0.id(or: .serviceAreaUnknown)))
        }
        // People choose the ids, which are checked before the body; so the body is read here.
        router.on(AreaEndpoints.putServiceArea.taking(Bytes.self)) { call in
            let id: ServiceAreaID = try call.id(
                or: .invalid("id", "1 to 40 lower-case letters, digits and hyphens."))
            let saved = try await areas.save(
                id, call.context.body(of: call.request), ifVersion: call.ifMatch,
                by: call.person.operatorID)
            return try reply(saved.area, saved.isNew ? .created : .ok)
        }
        router.on(AreaEndpoints.putTariff.taking(Bytes.self)) { call in
            try await reply(
                areas.setTariff(
                    of: call.id(or: .serviceAreaUnknown), call.context.body(of: call.request),
                    ifVersion: call.ifMatch, by: call.person.operatorID))
        }
        router.on(InternalEndpoints.serviceAreas) {
            try await areas.all(around: $0.query.point).map(\.changed)
        }
    }

    /// Adds the `ETag`, which a change sends back as `If-Match`.
    private func reply(
        _ area: ServiceArea, _ status: HTTPResponse.Status = .ok
    ) throws -> Reply<ServiceAreaFeature> {
        try Reply(area.feature, status: status, headers: [.eTag: ETag.text(area.version)])
    }
}
