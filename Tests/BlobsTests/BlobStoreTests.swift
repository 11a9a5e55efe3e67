import AsyncHTTPClient
import Foundation
import ServiceKit
import Support
import Testing

@testable import Blobs

/// What both engines promise.
private func behaves(_ store: some BlobStore) async throws {
    let key = BlobKey("vehicles", UUID())
    #expect(try await store.get(key) == nil)
    try await store.delete(key)

    let first = Blob(data: Data("first\nwith a line".utf8), contentType: "image/jpeg")
    try await store.put(key, first)
    #expect(try await store.get(key) == first)

    let second = Blob(data: Data([0, 1, 2, 255]), contentType: "image/png")
    try await store.put(key, second)
    #expect(try await store.get(key) == second, "replaced")

    let large = Blob(data: Data(repeating: 7, count: 8 * 1_024 * 1_024), contentType: "image/webp")
    let other = BlobKey("people", UUID())
    try await store.put(other, large)
    #expect(try await store.get(other) == large)
    #expect(try await store.get(key) == second, "keys are apart")

    try await store.delete(key)
    #expect(try await store.get(key) == nil)
    try await store.delete(key)
    #expect(try await store.get(other) == large)
}

@Suite struct FolderBlobsTests {
    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test func whatIsPutIsGotUntilItIsDeleted() async throws {
        let folder = try TestFolder("blobs")
        try await behaves(FolderBlobs(folder.path))
    }

    @Test func filesAreForTheOwnersEyesAndNoDraftsRemain() async throws {
        let folder = try TestFolder("blobs")
        let pictures = folder.url.appending(path: "pictures")
        let store = try FolderBlobs(pictures.path)
        let key = try #require(BlobKey("vehicles/a"))
        for text in ["one", "two"] {
            try await store.put(key, Blob(data: Data(text.utf8), contentType: "image/png"))
        }
        #expect(try mode(pictures) == 0o700)
        #expect(try mode(pictures.appending(path: "vehicles")) == 0o700)
        #expect(try mode(pictures.appending(path: "vehicles/a")) == 0o600)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: pictures.appending(path: "vehicles").path)
        #expect(files == ["a"])
    }

    @Test func anotherStoreOfTheSameFolderSeesTheSame() async throws {
        let folder = try TestFolder("blobs")
        let key = try #require(BlobKey("a"))
        let blob = Blob(data: Data([1, 2]), contentType: "image/png")
        try await FolderBlobs(folder.path).put(key, blob)
        #expect(try await FolderBlobs(folder.path).get(key) == blob)
    }

    @Test func manyAtOnceAreEachWhole() async throws {
        let folder = try TestFolder("blobs")
        let store = try FolderBlobs(folder.path)
        let key = try #require(BlobKey("same"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 as Range<UInt8> {
                let blob = Blob(
                    data: Data(repeating: number, count: 10_000), contentType: "image/png")
                group.addTask { try await store.put(key, blob) }
            }
            try await group.waitForAll()
        }
        let data = try #require(try await store.get(key)).data
        #expect(data.count == 10_000)
        #expect(Set(data).count == 1)
    }

    @Test func aTypeThatIsNoneIsRefused() async throws {
        let folder = try TestFolder("blobs")
        let store = try FolderBlobs(folder.path)
        let key = try #require(BlobKey("a"))
        for type in ["", "image/png\nx"] {
            await #expect(throws: BlobError.self) {
                try await store.put(key, Blob(data: Data(), contentType: type))
            }
        }
        #expect(try await store.get(key) == nil)
    }

    @Test func aFolderThatCanNotBeMadeIsSaid() {
        #expect(throws: BlobError.self) { try FolderBlobs("/dev/null/blobs") }
    }
}

@Suite(.serialized) struct S3BlobsTests {
    private static func settings(_ port: Int, bucket: String = "pictures") throws -> S3Settings {
        S3Settings(
            url: try #require(URL(string: "http://127.0.0.1:\(port)")), region: "us-east-1",
            bucket: bucket, keyID: "key", secret: "secret")
    }

    @Test func whatIsPutIsGotUntilItIsDeleted() async throws {
        try await MotoServer.run { port in
            let store = S3Blobs(try Self.settings(port), client: .shared)
            try await store.makeBucket()
            try await behaves(store)
        }
    }

    @Test func aBucketThatIsNotThereIsRefusedNotTakenForNothing() async throws {
        try await MotoServer.run { port in
            let store = S3Blobs(try Self.settings(port, bucket: "nowhere"), client: .shared)
            let key = try #require(BlobKey("a"))
            for call in [
                { _ = try await store.get(key) },
                { try await store.put(key, Blob(data: Data(), contentType: "image/png")) },
            ] as [@Sendable () async throws -> Void] {
                let error = await #expect(throws: BlobError.self) { try await call() }
                #expect(error?.kind == .refused)
            }
        }
    }

    @Test func aStoreThatIsAwayIsUnavailable() async throws {
        let store = S3Blobs(
            try Self.settings(1), client: try ServiceEnvironment.test("blobs").httpClient)
        let key = try #require(BlobKey("a"))
        let error = await #expect(throws: BlobError.self) { _ = try await store.get(key) }
        #expect(error?.kind == .unavailable)
    }

    @Test func whatPassesIsTriedAgain() async throws {
        let answers = FlakyStore(failures: 2)
        try await withServer(answers.router) { port in
            let store = S3Blobs(try Self.settings(port), client: .shared)
            let key = try #require(BlobKey("a"))
            try await store.put(key, Blob(data: Data([1]), contentType: "image/png"))
            #expect(answers.asked == 3)
        }
    }

    @Test func whatStaysIsSaidAfterThreeTries() async throws {
        let answers = FlakyStore(failures: 100)
        try await withServer(answers.router) { port in
            let store = S3Blobs(try Self.settings(port), client: .shared)
            let key = try #require(BlobKey("a"))
            let error = await #expect(throws: BlobError.self) { try await store.delete(key) }
            #expect(error?.kind == .unavailable)
            #expect(answers.asked == 3)
        }
    }
}
