import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that web is made of.
func build(_ config: WebConfig, _ house: House) async throws -> [any Service] {
    let routes = try WebRoutes(config)
    if try !routes.source.files().hasLeaflet {
        house.logger.notice(
            "Leaflet is missing: the web apps have no maps (OPENVALET_WEB_LEAFLET)")
    }
    return [house.server(webRouter(routes, house))]
}

/// All addresses of web.
func webRouter(_ routes: WebRoutes, _ house: House) -> Router<Context> {
    let router = house.router(readsIdempotencyKeys: false)
    routes.add(to: router)
    return router
}
