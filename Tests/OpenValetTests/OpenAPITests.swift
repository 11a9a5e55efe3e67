import Foundation
import Testing

@testable import OpenValet

struct OpenAPITests {
    private let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func theDocumentIsWhatTheSourcesSay() throws {
        let kept = try String(
            contentsOf: repository.appending(path: OpenAPIDocument.path), encoding: .utf8)
        let isTheSame = try OpenAPIDocument(repository).text == kept
        #expect(isTheSame, "run make documents")
    }
}
