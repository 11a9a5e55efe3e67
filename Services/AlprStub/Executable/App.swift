import AlprStub

@main struct App {
    static func main() async { await StubCommand.main() }
}
