import Contracts
import Hummingbird
import ServiceKit

/// The routes of second factors: a person's own, those of a sign-in, and their removal for a lost phone.
extension AccountRoutes {
    func addSecondFactors(to router: Router<Context>) {
        router.on(AccountEndpoints.secondFactors) {
            try await accounts.secondFactors(of: $0.person)
        }
        router.on(AccountEndpoints.beginTOTP) { call in
            let setup = try await accounts.beginTOTP(
                call.body, of: call.person, from: call.request.clientAddress)
            return try Reply(setup, headers: Self.notKept)
        }
        router.on(AccountEndpoints.confirmTOTP) { call in
            let codes = try await accounts.confirmTOTP(call.body, of: call.person)
            return try Reply(codes, headers: Self.notKept)
        }
        router.on(AccountEndpoints.beginSMS) {
            try await accounts.beginSMS($0.body, of: $0.person, from: $0.request.clientAddress)
        }
        router.on(AccountEndpoints.confirmSMS) { call in
            let codes = try await accounts.confirmSMS(call.body, of: call.person)
            return try Reply(codes, headers: Self.notKept)
        }
        router.on(AccountEndpoints.removeSecondFactor) {
            try await accounts.remove($0.body, of: $0.person, from: $0.request.clientAddress)
        }
        router.on(AccountEndpoints.renewRecoveryCodes) { call in
            let codes = try await accounts.renewRecoveryCodes(
                call.body, of: call.person, from: call.request.clientAddress)
            return try Reply(codes, headers: Self.notKept)
        }
        router.on(AccountEndpoints.removeSecondFactors) {
            try await accounts.removeSecondFactors(of: $0.id(), by: $0.person)
        }
    }

    func addChallenges(to router: Router<Context>) {
        router.on(AccountEndpoints.answerChallenge) { call in
            let signedIn = try await accounts.answer(
                call.body, on: call.clientName, from: call.request.clientAddress)
            return try Reply(signedIn, headers: Self.notKept)
        }
        router.on(AccountEndpoints.sendChallengeMessage) {
            try await accounts.sendMessage($0.body)
        }
        router.on(AccountEndpoints.beginEnrolment) { call in
            try Reply(try await accounts.beginEnrolment(call.body), headers: Self.notKept)
        }
        router.on(AccountEndpoints.confirmEnrolment) { call in
            let enrolled = try await accounts.confirmEnrolment(
                call.body, on: call.clientName, from: call.request.clientAddress)
            return try Reply(enrolled, headers: Self.notKept)
        }
    }
}
