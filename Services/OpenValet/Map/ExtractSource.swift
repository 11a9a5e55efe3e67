import ArgumentParser
import AsyncHTTPClient
import Foundation
import NIOCore

/// The source of an extract: a file on this machine, or an address to download it from.
enum ExtractSource: ExpressibleByArgument, Sendable {
    case file(String)
    case address(URL)

    init?(argument: String) {
        if let url = URL(string: argument), ["http", "https"].contains(url.scheme?.lowercased()) {
            guard url.host?.isEmpty == false else { return nil }
            self = .address(url)
        } else {
            self = .file(argument)
        }
    }

    /// The path or address, for messages.
    var text: String {
        switch self {
        case .file(let path): path
        case .address(let url): url.absoluteString
        }
    }

    var isHere: Bool { if case .file = self { true } else { false } }

    /// `malta` of `/data/Malta.osm.pbf` and of `https://…/malta-latest.osm.pbf`.
    var mapName: String {
        let last = (URL(string: text)?.lastPathComponent ?? text).split(separator: "/").last ?? ""
        let name = String(last.lowercased().prefix { $0 != "." }).replacing("_", with: "-")
        return name.hasSuffix("-latest") ? String(name.dropLast(7)) : name
    }

    /// Throws if it is a file, but not an extract.
    func check() throws {
        if case .file(let path) = self { try Extract.check(path, named: path) }
    }

    /// Copies it to a new file; throws if the machine has too little disk or memory for the map.
    func copy(to path: String, into resources: ResourceCheck) async throws {
        switch self {
        case .file(let file):
            let facts = try FileManager.default.attributesOfItem(atPath: file)
            try resources.require((facts[.size] as? NSNumber)?.intValue ?? 0, of: text)
            try FileManager.default.copyItem(atPath: file, toPath: path)
        case .address(let url): try await Self.fetch(url, to: path, into: resources)
        }
    }

    /// How long a server may take to answer, and how long a download may stall.
    private static let (answerLimit, silenceLimit) = (
        TimeAmount.seconds(60), TimeAmount.seconds(30)
    )
    /// The client of all downloads, used until the tool ends.
    private static let client = HTTPClient(
        configuration: .init(timeout: .init(connect: .seconds(10), read: silenceLimit)))

    private static func fetch(_ url: URL, to path: String, into resources: ResourceCheck)
        async throws
    {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.headers.add(name: "user-agent", value: "openvalet-map")
        let failed = { (reason: String) in
            ToolError("\(url.absoluteString) can't be fetched: \(reason). Nothing was changed.")
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        let answer: HTTPClientResponse
        do {
            answer = try await client.execute(request, deadline: .now() + answerLimit)
        } catch {
            throw failed(reason(error))
        }
        guard answer.status == .ok else { throw failed("the server says \(answer.status)") }
        // Both the announced size and the real one count.
        let length = answer.headers.first(name: "content-length").flatMap { Int($0) }
        try resources.require(length ?? 0, of: url.absoluteString)
        var (parts, bytes) = (answer.body.makeAsyncIterator(), 0)
        while true {
            let part: ByteBuffer?
            do { part = try await parts.next() } catch { throw failed(reason(error)) }
            guard let part else { return }
            bytes += part.readableBytes
            try resources.require(bytes, of: url.absoluteString)
            try file.write(contentsOf: Data(part.readableBytesView))
        }
    }

    private static func reason(_ error: any Error) -> String {
        (error as? HTTPClientError)?.shortDescription ?? "the server doesn't answer"
    }
}
