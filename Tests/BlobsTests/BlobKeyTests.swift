import Foundation
import Testing

@testable import Blobs

@Suite struct BlobKeyTests {
    @Test(arguments: ["a", "vehicles/0190-a", "a.b_c/d", "..a"])
    func aPlainNameIsAKey(_ text: String) { #expect(BlobKey(text)?.description == text) }

    @Test(arguments: [
        "", "/a", "a/", "a//b", "..", "../a", "a/../b", "a/./b", "a b", "a%2e", "é", "a\\b", "a\0",
        String(repeating: "a", count: 201),
    ])
    func anythingElseIsNone(_ text: String) { #expect(BlobKey(text) == nil) }

    @Test func aFolderAndAnIdAreAKey() throws {
        let id = try #require(UUID(uuidString: "01900000-0000-7000-8000-00000000000A"))
        let key = BlobKey("vehicles", id)
        #expect(key.description == "vehicles/01900000-0000-7000-8000-00000000000a")
        #expect(BlobKey(key.description) == key)
    }
}
