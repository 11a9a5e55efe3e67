import Foundation
import ServiceKit

/// What a person reads when everything is ready: where things are, and three next steps.
struct Greeting {
    let text: String

    init(_ house: Household) {
        let plan = house.plan
        let base = "http://127.0.0.1:\(plan.gatewayPort)"
        let seconds = String(format: "%.1f", (ContinuousClock.now - house.start).seconds)
        let file = plan.secrets.passwordFile
        let password = file.map { "the password that this shows: cat '\($0)'" } ?? "your password"
        text = """

            \(house.printer.bold("OpenValet is ready")), \(seconds) s after the start.

              Customer   \(base)/
              Valet      \(base)/valet
              Operator   \(base)/operator

              API        \(base)/openapi.yaml
              Events     \(base)/asyncapi.yaml
              Data       \(plan.folder.path)
              Plates     \(Self.recogniser(plan))
              Maps       \(Self.maps(plan))
              Sign in    operator \(plan.secrets.operatorPhone), password \(file.map { "in \($0)" } ?? "as you gave it")
            \(plan.demo.map(Self.demo) ?? "")
            \(house.printer.bold("Next steps"))
              1. Open \(base)/operator and sign in with \(plan.secrets.operatorPhone) and
                 \(password)
              2. There, under Valets, add the first valet; they sign in at \(base)/valet
              3. Open \(base)/ in another browser, sign up, and tap once.
              From a terminal: README.md has the same journey with curl.

            Ctrl-C stops everything.

            """
    }

    private static func demo(_ demo: Demo) -> String {
        let settings = Demo.gatewaySettings.map { "\($0)=\($1)" }.joined(separator: " ")
        return """
                         customer \(demo.customer.phone), password \(demo.customer.password)
                         valet    \(demo.valet.phone), password \(demo.valet.password)
              Demo       \(Demo.valets) valets and \(Demo.customers) customers live in \(Demo.area), \
            \(Demo.speed) times as fast as the clock
                         (for them \(settings), unless you set it)

            """
    }

    private static func maps(_ plan: UpPlan) -> String {
        let names = plan.maps.maps().map(\.name)
        return names.isEmpty
            ? "none of your own: openvalet map --help" : names.joined(separator: ", ")
    }

    private static func recogniser(_ plan: UpPlan) -> String {
        guard let port = plan.recogniserStubPort else { return "the recogniser that you named" }
        return "a stub at http://127.0.0.1:\(port), led by POST /control"
    }
}
