import Foundation

/// A TCP port of 127.0.0.1 that nobody uses, and that no other test takes for as long as this process lives.
public enum FreePort {
    public struct NoneFound: Error {}

    /// Below those of outgoing connections, one of which could take it before it is used, and beside those of
    /// `openvalet up`.
    private static let range = 30_000..<32_768
    /// What is taken is marked by the UDP port of a number that is so much lower, which nobody uses and the system
    /// takes back with this process. Tests/BrowserTests/system.py does the same.
    private static let toMark = 20_000

    public static func find() throws -> Int {
        for port in range.shuffled() {
            guard let listener = try? Listener(port: port),
                Listener.bound(to: port - toMark, stream: false) != nil
            else { continue }
            return listener.port
        }
        throw NoneFound()
    }
}

/// A socket that accepts connections at 127.0.0.1 in the kernel, and never answers.
public final class Listener: Sendable {
    public let port: Int
    private let descriptor: Int32

    /// 0 is any that is free.
    public init(port: Int = 0) throws {
        guard let (descriptor, port) = Self.bound(to: port, stream: true) else {
            throw FreePort.NoneFound()
        }
        (self.descriptor, self.port) = (descriptor, port)
        guard listen(descriptor, 16) == 0 else { throw FreePort.NoneFound() }
    }

    deinit { close(descriptor) }

    /// How many have connected since this was last asked; they are hung up on.
    public func connections() -> Int {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var count = 0
        while case let connection = accept(descriptor, nil, nil), connection >= 0 {
            close(connection)
            count += 1
        }
        return count
    }

    /// A TCP or UDP socket, which no program that is started from here has as well, and its port.
    fileprivate static func bound(to port: Int, stream: Bool) -> (descriptor: Int32, port: Int)? {
        #if canImport(Darwin)
        let descriptor = socket(AF_INET, stream ? SOCK_STREAM : SOCK_DGRAM, 0)
        #else
        let kind = stream ? SOCK_STREAM : SOCK_DGRAM
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }
}
