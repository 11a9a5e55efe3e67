import Blobs
import Contracts
import Foundation
import ServiceKit
import Support
import Testing

@testable import Accounts

@Suite struct PhotoTests {
    private let path = "/v1/me/photo"

    private func files(_ bench: Bench) -> [String] {
        let folder = bench.pictures.appending(path: "people")
        return (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    }

    @Test func aPictureIsShownByItsSignedAddressAndFreedOfMetadata() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let put = try await caller.put(path, picture: TestPictures.commentedPNG, token: token)
            let address = try put.expect(200, PhotoAnswer.self).photoURL
            let shown = try await caller.call(.get, address)
            #expect(shown.status == 200)
            #expect(shown.data == TestPictures.png)
            #expect(shown.headers[.contentType] == "image/png")
            #expect(shown.headers[.xContentTypeOptions] == "nosniff")
            #expect(shown.headers[.cacheControl]?.hasPrefix("private, max-age=") == true)
            #expect(shown.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
            let me = try await caller.call(.get, "/v1/me", token: token).expect(200, Account.self)
            #expect(me.photoURL == address)
        }
        let events = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(events.map { $0.photo != nil } == [false, true])
        #expect(events.map(\.version) == [1, 2])
        #expect(events.allSatisfy { $0.account.photoURL == nil })
    }

    @Test func withoutTheSignatureNothingIsShown() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let address = try await caller.put(path, picture: TestPictures.png, token: token)
                .expect(200, PhotoAnswer.self).photoURL
            let plain = String(address.prefix { $0 != "?" })
            try await caller.call(.get, plain).refused(403, "picture.address_invalid")
            try await caller.call(.get, plain, token: token)
                .refused(403, "picture.address_invalid")
            let expires = address.replacing("expires=", with: "expires=9")
            try await caller.call(.get, expires).refused(403, "picture.address_invalid")
            let query = address.drop { $0 != "?" }
            try await caller.call(.get, "/v1/pictures/people/\(PictureID.new())\(query)")
                .refused(403, "picture.address_invalid")
            try await caller.call(.get, "/v1/pictures/people/nothing\(query)")
                .refused(404, "request.not_found")
            bench.clock.advance(by: 901)
            try await caller.call(.get, address).refused(403, "picture.address_expired")
        }
    }

    @Test func aNewPictureReplacesTheOldWhoseBytesGo() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let first = try await caller.put(path, picture: TestPictures.png, token: token)
                .expect(200, PhotoAnswer.self).photoURL
            let second = try await caller.put(path, picture: TestPictures.png, token: token)
                .expect(200, PhotoAnswer.self).photoURL
            #expect(first != second)
            try await caller.call(.get, first).refused(404, "picture.unknown")
            #expect(try await caller.call(.get, second).status == 200)
            #expect(files(bench).count == 1)
            for _ in 1...2 {
                #expect(try await caller.call(.delete, path, token: token).status == 204)
            }
            try await caller.call(.get, second).refused(404, "picture.unknown")
            #expect(files(bench).isEmpty)
            let me = try await caller.call(.get, "/v1/me", token: token).expect(200, Account.self)
            #expect(me.photoURL == nil)
        }
        let events = try await outboxEvents(of: AccountChanged.self, in: bench.database)
        #expect(events.map { $0.photo != nil } == [false, true, true, false])
    }

    @Test func whatIsNoPictureOfOursChangesNothing() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let token = try await caller.customer().accessToken
            let bad: [(Data, String)] = [
                (Data(), "picture.empty"), (Data("GIF89a".utf8), "picture.unknown_type"),
                (TestPictures.webP, "picture.unknown_type"),
                (TestPictures.png.dropLast(20), "picture.truncated"),
                (TestPictures.bomb, "picture.too_large_dimensions"),
            ]
            for (picture, code) in bad {
                try await caller.put(path, picture: Data(picture), token: token)
                    .refused(422, code)
            }
            let large = TestPictures.png + Data(count: BodyLimit.portrait)
            try await caller.put(path, picture: large, token: token)
                .refused(413, "request.too_large")
            #expect(files(bench).isEmpty)
        }
        #expect(try await outboxEvents(of: AccountChanged.self, in: bench.database).count == 1)
    }

    @Test func bytesThatACrashLeftAreSwept() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let person = try await caller.customer().customer.id
            let photo = PictureID.new()
            let now = bench.clock.now
            try await bench.database.write { try $0.photos.prepare(photo, of: person, at: now) }
            try await bench.accounts.photos.put(
                photo, .init(data: TestPictures.png, contentType: "image/png"))
            #expect(files(bench).count == 1)
            try await bench.accounts.sweep()
            #expect(files(bench).count == 1)
            bench.clock.advance(by: PhotoStore.uploadTime + 1)
            try await bench.accounts.sweep()
            #expect(files(bench).isEmpty)
        }
    }

    @Test func anUploadThatTheSweeperOvertakesIsToBeTriedAgain() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let me = try await caller.customer().customer
            let session = try await bench.database.read { transaction in
                try transaction.row("SELECT id FROM sessions")?.get("id", as: SessionID.self)
            }
            let identity = Identity(
                person: me.id, roles: me.roles, session: try #require(session))
            let slow = SlowBlobs(blobs: try FolderBlobs(bench.pictures.path())) {
                bench.clock.advance(by: PhotoStore.uploadTime + 1)
                _ = try? await bench.accounts.sweep()
            }
            let accounts = AccountUseCases(
                bench.database, bench.accounts.keys, bench.environment, bench.accounts.hasher,
                slow, owners: bench.accounts.owners)
            await #expect {
                _ = try await accounts.setPhoto(TestPictures.png, of: identity)
            } throws: {
                Refusal.unavailable ~= $0
            }
            #expect(files(bench).isEmpty)
            #expect(try await bench.accounts.account(me.id).photoURL == nil)
        }
    }
}

/// A store that takes its time before it keeps anything.
private struct SlowBlobs: BlobStore {
    let blobs: any BlobStore
    let meanwhile: @Sendable () async -> Void

    func put(_ key: BlobKey, _ blob: Blob) async throws(BlobError) {
        await meanwhile()
        try await blobs.put(key, blob)
    }

    func get(_ key: BlobKey) async throws(BlobError) -> Blob? { try await blobs.get(key) }

    func delete(_ key: BlobKey) async throws(BlobError) { try await blobs.delete(key) }
}
