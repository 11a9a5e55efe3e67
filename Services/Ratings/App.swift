import ServiceKit

@main struct App {
    static func main() async { await Boot.run("ratings", RatingsConfig.self, build) }
}
