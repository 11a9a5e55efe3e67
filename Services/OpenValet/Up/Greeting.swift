import Foundation
import ServiceKit

/// The text that `up` prints when everything is ready: addresses and three next steps.
struct Greeting {
    let text: String

    init(_ processes: ServiceProcesses) {
        let plan = processes.plan
        let base = "http://127.0.0.1:\(plan.gatewayPort)"
        let seconds = String(format: "%.1f", (ContinuousClock.now - processes.start).seconds)
        let file = plan.secrets.passwordFile
        let password = file.map { "the password in the file \($0)" } ?? "your password"
        text = """

            \(processes.printer.bold("OpenValet is ready")), \(seconds) s after the start.

              Customer   \(base)/
              Valet      \(base)/valet
              Operator   \(base)/operator

              API        \(base)/openapi.yaml
              Events     \(base)/asyncapi.yaml
              Data       \(plan.folder.path)\(Self.engines(plan))
              Plates     \(Self.recogniser(plan))
              Maps       \(Self.maps(plan))
              GetALift   \(plan.url("getalift"))/api
              Sign in    operator \(plan.secrets.operatorPhone), password \(file.map { "in \($0)" } ?? "as you gave it")

            \(plan.demo == nil ? processes.printer.bold("Next steps") : Self.demo(processes.printer))
            \(plan.demo == nil ? Self.steps(base, plan.secrets.operatorPhone, password) : Self.demoSteps(base))

            Ctrl-C stops everything.

            """
    }

    private static func steps(_ base: String, _ phone: String, _ password: String) -> String {
        """
          1. Open \(base)/operator and sign in with \(phone) and
             \(password)
          2. There, under Valets, add the first valet; they sign in at \(base)/valet
          3. Open \(base)/ in another browser, sign up, and tap once.
          docs/api.md has the same journey with curl.
        """
    }

    private static func demo(_ printer: LinePrinter) -> String {
        """
        \(printer.bold("Try it:")) \(Demo.valets) simulated valets and \(Demo.customers) customers use the apps, \
        \(Demo.speed) times faster than the clock.
        Everyone who reaches the sign-in pages can use these accounts: don't use a demo for real customers.
        """
    }

    private static func demoSteps(_ base: String) -> String {
        """
          As a customer    \(base)/  Drop off a car, tell the valet the code, get it back, pay.
          As a valet       \(base)/valet  Start your shift; when a job comes, you are driven to it.
          As the operator  \(base)/operator  Watch the city live.
        """
    }

    /// A line for each engine that is not started here.
    private static func engines(_ plan: UpPlan) -> String {
        plan.outside.places.map { name, place in
            "\n  \(name.padding(toLength: 11, withPad: " ", startingAt: 0))your own at \(place)"
        }.joined()
    }

    private static func maps(_ plan: UpPlan) -> String {
        let names = plan.maps.maps().map(\.name)
        return names.isEmpty
            ? "none of your own: openvalet map --help" : names.joined(separator: ", ")
    }

    private static func recogniser(_ plan: UpPlan) -> String {
        guard let port = plan.recogniserStubPort else { return "your own recogniser" }
        return "a stub at http://127.0.0.1:\(port), controlled by POST /control"
    }
}
