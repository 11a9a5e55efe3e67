import Contracts
import Foundation
import Geo
import Hummingbird
import ServiceKit

/// HTTP to use case, for service areas and tariffs.
struct AreaRoutes: Sendable {
    let areas: AreaUseCases

    func add(to router: Router<Context>) {
        router.on(AreaEndpoints.serviceAreas, use: list)
        router.on(AreaEndpoints.serviceArea, use: one)
        router.on(AreaEndpoints.putServiceArea, use: save)
        router.on(AreaEndpoints.putTariff, use: setTariff)
        router.get("/internal/service-areas", use: around)
    }

    /// For who has not heard of an area there yet.
    @Sendable private func around(_ request: Request, _ context: Context) async throws -> Reply {
        _ = try context.requireService()
        let point = Coordinate(
            latitude: try request.double("latitude", in: -90...90),
            longitude: try request.double("longitude", in: -180...180))
        return try Reply(.ok, await areas.all(around: point).map(\.changed))
    }

    @Sendable private func list(_ request: Request, _ context: Context) async throws -> Reply {
        try Reply(.ok, await areas.all())
    }

    /// For who wants to change it: the `ETag` is what `If-Match` asks for.
    @Sendable private func one(_ request: Request, _ context: Context) async throws -> Reply {
        guard let id = context.parameters.get("id").flatMap(ServiceAreaID.init) else {
            throw AreaError.unknown
        }
        return try reply(.ok, await areas.one(id))
    }

    @Sendable private func save(_ request: Request, _ context: Context) async throws -> Reply {
        let person = try context.person()
        guard let id = context.parameters.get("id").flatMap(ServiceAreaID.init) else {
            throw InvalidRequest("id", "1 to 40 lower-case letters, digits and hyphens.")
        }
        let feature = try await context.body(ServiceAreaFeature.self, of: request)
        let saved = try await areas.save(
            id, feature, ifVersion: condition(request), by: person.operatorID)
        return try reply(saved.isNew ? .created : .ok, saved.area)
    }

    @Sendable private func setTariff(
        _ request: Request, _ context: Context
    ) async throws -> Reply {
        let person = try context.person()
        guard let id = context.parameters.get("id").flatMap(ServiceAreaID.init) else {
            throw AreaError.unknown
        }
        let tariff = try await context.body(Tariff.self, of: request)
        let area = try await areas.setTariff(
            of: id, tariff, ifVersion: condition(request), by: person.operatorID)
        return try reply(.ok, area)
    }

    private func condition(_ request: Request) -> VersionCondition {
        request.headers[.ifMatch].map(ETag.versions) ?? .none
    }

    private func reply(_ status: HTTPResponse.Status, _ area: ServiceArea) throws -> Reply {
        try Reply(status, area.feature, headers: [.eTag: ETag.text(area.version)])
    }
}
