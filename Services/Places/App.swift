import ServiceKit

@main struct App {
    static func main() async { await Boot.run(PlacesConfig.self, build) }
}
