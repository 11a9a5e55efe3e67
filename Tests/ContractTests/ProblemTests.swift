import Contracts
import Foundation
import Testing

struct ProblemTests {
    /// Codes of the previous release, and those that replace them.
    static let retiredCodes = [
        ("account.order_unfinished", "account.engagement_open"),
        ("payment.order_unknown", "payment.bill_unknown"),
        ("plates.order_unknown", "plates.engagement_unknown"),
        ("rating.order_unknown", "rating.engagement_unknown"),
    ]

    private func problem(_ code: String, _ members: String = "") throws -> Problem {
        let common = #""type":"about:blank","title":"No.","status":409"#
        let text = #"{\#(common),"code":"\#(code)"\#(members)}"#
        return try Problem(answer: Data(text.utf8))
    }

    @Test(arguments: retiredCodes)
    func aRetiredCodeIsReadAsTheOneThatReplacesIt(retired: String, code: String) throws {
        #expect(try problem(retired) == problem(code))
        #expect(try problem(code).code == code)
    }

    @Test func noEndpointRefusesWithARetiredCode() {
        let codes = Set(allServices.flatMap(\.endpoints).flatMap(\.codes))
        for (retired, code) in Self.retiredCodes {
            #expect(!codes.contains(retired))
            #expect(codes.contains(code))
        }
    }

    @Test func anEngagementIsReadByBothNamesAndSentWithBoth() throws {
        let id = EngagementID.new()
        for members in [
            #","orderId":"\#(id)""#, #","engagementId":"\#(id)""#,
            #","engagementId":"\#(id)","orderId":"\#(OrderID.new())""#,
        ] {
            #expect(try problem("payment.due", members).engagementId == id)
        }
        let refusal = Refusal.paymentDue.because { $0.engagementId = id }
        let sent = try JSONSerialization.jsonObject(with: Wire.encode(refusal.problem))
        let members = try #require(sent as? [String: Any])
        #expect(members["engagementId"] as? String == id.description)
        #expect(members["orderId"] as? String == id.description)
    }

    @Test func everyMemberIsReadAsItWasWritten() throws {
        var whole = Problem(title: "No.", status: 409, code: "payment.due")
        whole.detail = "A fee is due."
        whole.field = "dropOff"
        whole.errors = [WrongField(field: "dropOff", detail: "Too far.")]
        whole.instance = "urn:trace:1"
        whole.engagementId = .new()
        whole.bookingId = .new()
        whole.reportId = .new()
        whole.personId = .new()
        whole.amount = Money(amount: 5_000, currency: "HKD")
        whole.servicePoint = Place(latitude: 22.28, longitude: 114.15)
        whole.challenge = "b3BhcXVl"
        whole.methods = [.known(.totp), .unknown("palm")]
        whole.retryAfterSeconds = 2
        for member in Mirror(reflecting: whole).children {
            #expect("\(member.value)" != "nil", "\(member.label ?? "")")
        }
        #expect(try Wire.decode(Problem.self, from: Wire.encode(whole)) == whole)
    }
}
