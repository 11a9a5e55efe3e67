import ServiceKit

@main struct App {
    static func main() async { await Boot.run("gateway", GatewayConfig.self, build) }
}
