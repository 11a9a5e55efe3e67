import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Builds the service.
func build(_ config: WebConfig, _ environment: ServiceEnvironment) async throws -> [any Service] {
    let routes = try WebRoutes(config)
    if try !routes.source.files().hasLeaflet {
        environment.logger.notice(
            "Leaflet is missing, so the web apps have no maps (OPENVALET_WEB_LEAFLET)")
    }
    return [environment.server(webRouter(routes, environment))]
}

/// All routes of web.
func webRouter(_ routes: WebRoutes, _ environment: ServiceEnvironment) -> Router<Context> {
    let router = environment.router(readsIdempotencyKeys: false)
    routes.add(to: router)
    ClientErrors(environment.logger, environment.clock).add(to: router)
    if let demo = routes.demo { Demo(demo).add(to: router) }
    return router
}
