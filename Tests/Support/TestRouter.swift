import AsyncHTTPClient
import Foundation
import Geo

/// The extract of OpenStreetMap that routers of tests are built from, the project's own, and places on it.
public enum TestMap {
    public static let extract = URL(filePath: ChildProcess.script("../data/helsinki.osm.pbf"))

    /// Beside Helsinki's railway station.
    public static let station = Coordinate(latitude: 60.1710, longitude: 24.9432)
    /// By one-way streets around the station: 0.4 km from it, and 1.4 by road, or 2.1 from the tunnel below.
    public static let around = Coordinate(latitude: 60.1680, longitude: 24.9396)
    /// Along the railway: 0.7 km from the station, by road as well.
    public static let along = Coordinate(latitude: 60.1770, longitude: 24.9414)
    /// In the middle of the streets.
    public static let middle = Coordinate(latitude: 60.1680, longitude: 24.9440)
}

/// A real router on a free port with the roads of `TestMap`; stops with its last reference.
public final class TestRouter: Sendable {
    public enum Kind: String, Sendable, CaseIterable { case valhalla, osrm }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    public let kind: Kind
    public let url: URL
    private let process: ChildProcess
    /// Seconds of work, which a busy machine makes minutes of.
    private static let buildLimit: Duration = .seconds(240)

    private init(_ kind: Kind, _ url: URL, _ process: ChildProcess) {
        (self.kind, self.url, self.process) = (kind, url, process)
    }

    /// Builds the roads, then serves as the house's own does. Arguments: programs, folder, map, port.
    private static let script: [Kind: String] = [
        .valhalla: """
        cd "$2" && python3 "$1/valhalla/valhalla_build_config.py" --mjolnir-tile-dir "$2/tiles" \\
            --httpd-service-listen "tcp://127.0.0.1:$4" \\
            --httpd-service-loopback "ipc://$2/loopback" \\
            --httpd-service-interrupt "ipc://$2/interrupt" --loki-service-proxy "ipc://$2/loki" \\
            --thor-service-proxy "ipc://$2/thor" --odin-service-proxy "ipc://$2/odin" \\
            --thor-source-to-target-algorithm timedistancematrix \\
            >config.json 2>>log &&
        "$1/valhalla/bin/valhalla_build_tiles" -c config.json "$3" >>log 2>&1
        "$1/valhalla/bin/valhalla_service" config.json 1 >>log 2>&1
        """,
        .osrm: """
        cd "$2" && ln -s "$3" map.osm.pbf &&
        "$1/osrm/bin/osrm-extract" -p "$1/osrm/share/profiles/car.lua" map.osm.pbf >>log 2>&1 &&
        "$1/osrm/bin/osrm-partition" map.osrm >>log 2>&1 &&
        "$1/osrm/bin/osrm-customize" map.osrm >>log 2>&1
        "$1/osrm/bin/osrm-routed" --algorithm mld --ip 127.0.0.1 --port "$4" map.osrm >>log 2>&1
        """,
    ]

    /// Any answer to this says that it serves, and has read its roads.
    private var probe: String {
        switch kind {
        case .valhalla:
            "/route?json=%7B%22costing%22%3A%22auto%22%2C%22locations%22%3A%5B"
                + "%7B%22lat%22%3A60.171%2C%22lon%22%3A24.9432%7D%2C"
                + "%7B%22lat%22%3A60.177%2C%22lon%22%3A24.9414%7D%5D%7D"
        case .osrm: "/nearest/v1/driving/24.9432,60.171"
        }
    }

    /// Returns once it answers: after some seconds, since it builds its roads first.
    public static func start(_ kind: Kind) async throws -> TestRouter {
        let programs = try ChildProcess.installed("routers")
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "openvalet-roads-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = try FreePort.find()
        guard let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw Failure(description: "no address")
        }
        let process = try ChildProcess(
            script[kind] ?? "", [programs, folder.path, TestMap.extract.path, String(port)],
            afterwards: #"rm -rf "$2""#)
        let router = TestRouter(kind, url, process)
        guard try await eventually(within: buildLimit, { await router.isServing() }) else {
            let log = try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)
            throw Failure(description: "no \(kind.rawValue): \(log?.suffix(2_000) ?? "")")
        }
        return router
    }

    /// Kills it, and waits until nobody listens at its address.
    public func stop() async throws {
        process.release()
        guard try await eventually({ await !isServing() }) else {
            throw Failure(description: "it does not stop")
        }
    }

    /// What it answers, in its own words.
    public func get(_ address: String) async throws -> Data {
        let request = HTTPClientRequest(url: url.absoluteString + address)
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
        return Data(try await answer.body.collect(upTo: 4 * 1_024 * 1_024).readableBytesView)
    }

    private func isServing() async -> Bool { (try? await get(probe)) != nil }
}
