import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import Maps
import NIOCore
import Routing
import ServiceKit

/// The tiles of the installation's own maps, and the index for the apps. Maps may change while web runs.
struct OwnTiles: Sendable {
    static let index = "/tiles"
    static let type = "application/vnd.mapbox-vector-tile"
    /// One day: the index gives another URL after each change.
    private static let cacheControl = "public, max-age=86400"

    private let book: TileBook?

    init(_ config: MapsConfig) { book = config.folder.map { TileBook(MapFolder($0)) } }

    func add(to router: Router<Context>) {
        router.get(RouterPath(Self.index)) { request, _ in try await index(request) }
        router.get("/tiles/:z/:x/:y") { request, context in try await tile(request, context) }
    }

    private func index(_ request: Request) async throws -> Response {
        let maps = await book?.maps() ?? []
        let version = maps.map(\.version).joined(separator: "-")
        let index = MapIndex(
            tiles: maps.isEmpty ? nil : "\(Self.index)/{z}/{x}/{y}?version=\(version)",
            mostZoom: TileAddress.mostZoom,
            maps: maps.map { version, facts in
                .init(
                    name: facts.name, bounds: facts.bounds, attribution: facts.attribution,
                    version: version)
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return WebFile(type: "application/json; charset=utf-8", try encoder.encode(index))
            .answer(request, [:])
    }

    /// 204 outside the maps: an app draws nothing and reports no error.
    private func tile(_ request: Request, _ context: Context) async throws -> Response {
        let numbers = ["z", "x", "y"].compactMap { name in
            context.parameters.get(name).flatMap { Int($0) }
        }
        guard numbers.count == 3,
            let address = TileAddress(zoom: numbers[0], x: numbers[1], y: numbers[2])
        else { throw Refusal.notFound }
        var headers: HTTPFields = [.cacheControl: Self.cacheControl]
        guard let tile = try await book?.tile(address) else {
            return Response(status: .noContent, headers: headers)
        }
        headers[.eTag] = "\"\(tile.version)\""
        if request.knows("\"\(tile.version)\"") {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = Self.type
        headers[.contentEncoding] = "gzip"
        return Response(
            status: .ok, headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: tile.bytes)))
    }
}
