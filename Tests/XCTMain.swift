import Testing

/// Where the program of all tests begins.
///
/// Without this file, whose name SwiftPM knows, each build would index all sources to look for tests of XCTest.
@main struct Tests {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
