import Contracts
import Foundation
import Kafka
import Store
import Support
import Testing

@testable import EventBus

@Suite(.withoutDatabase) struct LoggableTests {
    private static let secret = "+44 7700 900123"

    private enum Fault: Error {
        case empty
        case named(String)
        case caused(by: any Error)
    }

    private struct Quoting: Error, CustomStringConvertible {
        let description = "\(secret) is wrong"
    }

    private struct Body: Decodable {
        let phones: [Int]
    }

    private struct Guests: Codable {
        let seats: [String: Double]
    }

    @Test(
        arguments: [
            (StoreError(.busy, "orders"), "busy: orders"),
            (KafkaError(.retriable, "no broker"), "retriable: no broker"),
            (Refusal.notFound.because(secret), "404 request.not_found"),
            (CancellationError(), "cancelled"),
        ] as [(any Error, String)])
    func aKnownErrorTellsItsReason(error: any Error, reason: String) {
        #expect(loggable(error) == reason)
    }

    @Test func anErrorOfAnyTypeIsNamedWithoutItsText() {
        #expect(loggable(Fault.empty).hasSuffix("Fault: empty"))
        #expect(loggable(Fault.named(Self.secret)).hasSuffix("Fault: named"))
        #expect(loggable(Quoting()).hasSuffix("Quoting"))
        #expect(loggable(Quoting()).contains("EventBusTests"))
        let caused = loggable(Fault.caused(by: StoreError(.full, "orders")))
        #expect(caused.hasSuffix("Fault: caused: full: orders"))
    }

    @Test func anUnreadableBodyTellsWhereWithoutTheValue() {
        let body = Data(#"{"phones": ["\#(Self.secret)"]}"#.utf8)
        #expect {
            try JSONDecoder().decode(Body.self, from: body)
        } throws: { error in
            loggable(error) == "another type at phones.[]"
        }
    }

    @Test(arguments: [secret, "anna"])
    func aKeyOfADictionaryIsNotTold(key: String) {
        let body = Data(#"{"seats": {"\#(key)": "two"}}"#.utf8)
        #expect {
            try JSONDecoder().decode(Guests.self, from: body)
        } throws: { error in
            loggable(error) == "another type at seats.*"
        }
    }

    @Test func aMissingFieldIsNamed() {
        #expect {
            try JSONDecoder().decode([Body].self, from: Data(#"[{}]"#.utf8))
        } throws: { error in
            loggable(error) == "no field at [].phones"
        }
    }

    @Test func anUnwritableBodyTellsWhereWithoutTheValue() {
        #expect {
            try JSONEncoder().encode(Guests(seats: [Self.secret: .infinity]))
        } throws: { error in
            loggable(error) == "a value without an encoding at seats.*"
        }
    }

    @Test func anErrorOfTheSystemTellsItsCode() {
        #expect(loggable(POSIXError(.ENOSPC)) == "NSPOSIXErrorDomain \(ENOSPC)")
        let url = URLError(.timedOut, userInfo: ["url": Self.secret])
        #expect(loggable(url) == "NSURLErrorDomain \(URLError.Code.timedOut.rawValue)")
    }
}
