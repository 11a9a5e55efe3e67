import Contracts
import Foundation
import Support

/// `PUT /v1/me/location` under wrk, and the same request to a route that does nothing.
struct PositionBench {
    private static let connections = 50
    private static let people = 100

    let system: RunningSystem
    let binaries: URL
    let seconds: Int

    /// Requests a second.
    func run() async throws -> (gateway: Double, bare: Double) {
        let people = try await BenchPeople(system, customers: Self.people, valets: 0)
        var tokens: [String] = []
        for customer in people.customers {
            _ = try await customer.client(AccountEndpoints.me())
            if let token = await customer.client.session.tokens?.accessToken {
                tokens.append(token)
            }
        }
        let script = system.folder.appending(path: "positions.lua")
        try Self.lua(tokens).write(to: script, atomically: true, encoding: .utf8)
        let gateway = try wrk(script, port: system.baseURL.port ?? 0)

        let port = try FreePort.find()
        let bare = Process()
        bare.executableURL = binaries.appending(path: "Bench")
        bare.arguments = ["bare", "--port", String(port)]
        try bare.run()
        defer { bare.terminate() }
        try await Task.sleep(for: .seconds(1))
        return (gateway, try wrk(script, port: port))
    }

    private func wrk(_ script: URL, port: Int) throws -> Double {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "wrk", "-t1", "-c\(Self.connections)", "-d\(seconds)s", "-s", script.path,
            "http://127.0.0.1:\(port)/v1/me/location",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: data, as: UTF8.self)
        if let refused = text.firstMatch(of: /refused ([1-9][0-9]*)/) {
            throw RunningSystem.Failure(description: "\(refused.1) requests were refused:\n\(text)")
        }
        guard let rate = text.firstMatch(of: /Requests\/sec:\s+([0-9.]+)/).flatMap({ Double($0.1) })
        else { throw RunningSystem.Failure(description: "wrk said:\n\(text)") }
        return rate
    }

    /// Every person walks a little with each request.
    private static func lua(_ tokens: [String]) -> String {
        """
        local tokens = { \(tokens.map { "\"\($0)\"" }.joined(separator: ", ")) }
        local steps, refused = 0, 0
        wrk.method = "PUT"
        function request()
          steps = steps + 1
          local body = string.format(
            '{"latitude":%.6f,"longitude":%.6f,"accuracyMeters":5}',
            22.2819 + (steps % 1000) * 1e-6, 114.1556 + (steps % 777) * 1e-6)
          return wrk.format(nil, nil, {
            ["content-type"] = "application/json",
            ["authorization"] = "Bearer " .. tokens[steps % #tokens + 1] }, body)
        end
        local threads = {}
        function setup(thread) table.insert(threads, thread) end
        function response(status) if status ~= 204 then refused = refused + 1 end end
        function done()
          local sum = 0
          for _, thread in ipairs(threads) do sum = sum + (tonumber(thread:get("refused")) or 0) end
          print("refused " .. sum)
        end
        """
    }
}
