import Contracts
import Foundation
import HTTPTypes
import ServiceKit
import Support
import Testing

@testable import Web

@Suite struct DemoTests {
    private static let view = DemoView(accounts: [
        .init(app: "customer", phone: "+17905550101", password: "a password"),
        .init(app: "operator", phone: "+85290000000", password: "another"),
    ])
    private static let order = "01900000-0000-7000-8000-000000000001"
    private static let street = "/v1/demo/orders/\(order)/code"

    private func run(_ body: (TestWeb) async throws -> Void) async throws {
        let text = String(decoding: try Wire.encode(Self.view), as: UTF8.self)
        try await TestWeb.run(settings: ["DEMO": text], body)
    }

    private func readOut(
        _ test: TestWeb, _ body: String, _ address: String = street
    ) async throws -> TestWeb.Answer {
        try await test.send(
            .put, address, headers: [.contentType: "application/json"], body: body)
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/v1/demo"), (.get, "\(street)?leg=dropOff"), (.put, street),
    ])
    func withoutTheSettingItsAddressesAreUnknown(
        method: HTTPRequest.Method, address: String
    ) async throws {
        try await TestWeb.run { test in
            let answer = try await test.send(
                method, address, headers: [.contentType: "application/json"],
                body: method == .put ? #"{"leg":"dropOff","code":"4821"}"# : nil)
            let unknown = try await test.send(.get, "/v1/nothing")
            #expect(answer.status == .notFound)
            #expect(answer.problem?.code == "request.not_found")
            #expect(answer.problem?.title == unknown.problem?.title)
            #expect(try await !test.send(.get, "/").text.contains("openvalet:demo"))
        }
    }

    @Test func whoReachesADemoMayBeItsPeople() async throws {
        try await run { test in
            let answer = try await test.send(.get, "/v1/demo")
            #expect(answer.status == .ok)
            let view: DemoView = try Wire.decode(from: Data(answer.body.readableBytesView))
            #expect(view == Self.view)
            let page = try await test.send(.get, "/valet").text
            #expect(page.contains(#"<meta name="openvalet:demo" content="yes">"#))
            // The page's source does not contain the accounts: they have to be asked for.
            #expect(!page.contains("a password"))
        }
    }

    @Test func whatIsReadOutIsHeardAtThatHandOverOnly() async throws {
        try await run { test in
            #expect(try await test.send(.get, "\(Self.street)?leg=dropOff").status == .noContent)
            let answer = try await readOut(test, #"{"leg":"dropOff","code":"4821"}"#)
            #expect(answer.status == .noContent)
            let heard = try await test.send(.get, "\(Self.street)?leg=dropOff")
            #expect(heard.text == #"{"code":"4821","leg":"dropOff"}"#)
            #expect(try await test.send(.get, "\(Self.street)?leg=return").status == .noContent)
            let other = Self.street.replacing("000000000001", with: "000000000002")
            #expect(try await test.send(.get, "\(other)?leg=dropOff").status == .noContent)
            // The newest counts: a code is renewed when another valet comes.
            _ = try await readOut(test, #"{"leg":"dropOff","code":"0007"}"#)
            #expect(
                try await test.send(.get, "\(Self.street)?leg=dropOff").text.contains("0007"))
        }
    }

    @Test(arguments: [
        (#"{"leg":"dropOff","code":"48211"}"#, 422, "code"),
        (#"{"leg":"dropOff","code":"48２1"}"#, 422, "code"),
        (#"{"leg":"dropOff","code":""}"#, 422, "code"),
        (#"{"leg":"away","code":"4821"}"#, 400, "leg"), (#"{"code":"4821"}"#, 400, "leg"),
        ("no JSON", 400, ""),
    ])
    func garbageIsRefused(body: String, status: Int, field: String) async throws {
        try await run { test in
            let answer = try await readOut(test, body)
            #expect(answer.status.code == status)
            #expect(answer.problem?.field == field)
        }
    }

    @Test func anAddressThatIsNoneIsRefused() async throws {
        try await run { test in
            let body = #"{"leg":"dropOff","code":"4821"}"#
            #expect(try await readOut(test, body, "/v1/demo/orders/1/code").status == .notFound)
            #expect(
                try await test.send(.get, "/v1/demo/orders/1/code?leg=return").status == .notFound)
            for query in ["", "?leg=", "?leg=both"] {
                let answer = try await test.send(.get, Self.street + query)
                #expect(answer.status == .unprocessableContent)
                #expect(answer.problem?.field == "leg")
            }
        }
    }

    @Test func theOldestHandOverIsForgottenForTheNext() throws {
        let demo = Demo(Self.view)
        let orders = (0...Demo.mostHandOvers).map { _ in OrderID.new() }
        for order in orders {
            try demo.readOut(SpokenCode(leg: .return, code: "1234"), of: order)
            try demo.readOut(SpokenCode(leg: .return, code: "4321"), of: order)
        }
        #expect(demo.spokenCode(.return, of: orders[0]) == nil)
        #expect(demo.spokenCode(.return, of: orders[1]) == "4321")
        #expect(demo.spokenCode(.return, of: orders[Demo.mostHandOvers]) == "4321")
    }

    @Test(arguments: [
        "yes", #"{"people":[]}"#,
        #"{"accounts":[{"app":"kitchen","phone":"+1","password":"x"}]}"#,
    ])
    func aSettingThatNamesNobodyStopsTheStart(text: String) throws {
        #expect(throws: ConfigError.self) { try TestWeb.config(["DEMO": text]) }
    }
}
