import Contracts
import HTTPTypes
import ServiceKit

/// What accounts refuses, in its own words.
enum AccountError: ServiceError, Equatable {
    /// Nil where it is nobody's business who has the number.
    case phoneTaken(by: PersonID?)
    case emailTaken
    case lastContact
    case credentialsMismatch
    case suspended
    case sessionEnded
    case wrongCode(CodeVerdict)
    /// `field` is where it stood.
    case wrongPassword(field: String)
    case sessionUnknown
    /// Something is unfinished, or not paid.
    case engaged(EngagementID)
    case lastOperator
    case pictureUnknown
    case unknown
    /// The password was right; `challenge` is for the step after it.
    case secondFactorRequired(challenge: String, [SecondFactorMethod])
    case challengeEnded
    case secondFactorUnknown
    case secondFactorExists
    /// What was set up has run out, or nothing was.
    case setupEnded
    case lastSecondFactor
    /// An operator's own, by the way for others'.
    case ownSecondFactors
    case phoneMissing
    case vehicleUnknown
    case tooManyVehicles
    case tooManyBlocks
    case reportUnknown
    /// One about the same is open.
    case reportOpen(ReportID)
    case reportClosed

    var status: HTTPResponse.Status {
        switch self {
        case .phoneTaken, .emailTaken, .lastContact, .tooManyVehicles, .engaged, .lastOperator,
            .secondFactorExists, .setupEnded, .lastSecondFactor, .ownSecondFactors, .phoneMissing,
            .tooManyBlocks, .reportOpen, .reportClosed:
            .conflict
        case .credentialsMismatch, .sessionEnded, .secondFactorRequired, .challengeEnded:
            .unauthorized
        case .suspended: .forbidden
        case .wrongCode, .wrongPassword: .unprocessableContent
        case .unknown, .vehicleUnknown, .sessionUnknown, .pictureUnknown, .secondFactorUnknown,
            .reportUnknown:
            .notFound
        }
    }

    var code: String {
        switch self {
        case .phoneTaken: "account.phone_taken"
        case .emailTaken: "account.email_taken"
        case .lastContact: "account.last_contact"
        case .credentialsMismatch: "account.credentials_mismatch"
        case .suspended: "account.suspended"
        case .sessionEnded: "account.session_ended"
        case .wrongCode: "account.wrong_code"
        case .wrongPassword: "account.wrong_password"
        case .sessionUnknown: "account.session_unknown"
        case .engaged: "account.order_unfinished"
        case .lastOperator: "account.last_operator"
        case .pictureUnknown: "picture.unknown"
        case .unknown: "account.unknown"
        case .secondFactorRequired: "account.second_factor_required"
        case .challengeEnded: "account.challenge_ended"
        case .secondFactorUnknown: "account.second_factor_unknown"
        case .secondFactorExists: "account.second_factor_exists"
        case .setupEnded: "account.second_factor_setup_ended"
        case .lastSecondFactor: "account.last_second_factor"
        case .ownSecondFactors: "account.second_factors_own"
        case .phoneMissing: "account.phone_missing"
        case .vehicleUnknown: "account.vehicle_unknown"
        case .tooManyVehicles: "account.too_many_vehicles"
        case .tooManyBlocks: "account.too_many_blocks"
        case .reportUnknown: "report.unknown"
        case .reportOpen: "report.open_exists"
        case .reportClosed: "report.closed"
        }
    }

    var title: String {
        switch self {
        case .phoneTaken: "Somebody has an account with this phone number already."
        case .emailTaken: "Somebody has an account with this e-mail address already."
        case .lastContact:
            "An account keeps one phone number or e-mail address, and a valet's its phone number."
        case .credentialsMismatch: "Nobody has this number or address with this password."
        case .suspended: "This account is suspended."
        case .sessionEnded: "This session has ended: sign in again."
        case .wrongCode: "The code is wrong, or no longer valid."
        case .wrongPassword: "This is not the account's password."
        case .sessionUnknown: "There is no such session."
        case .engaged: "Something is unfinished, or a bill is not paid."
        case .lastOperator: "The last operator's account stays."
        case .pictureUnknown: "There is no such picture."
        case .unknown: "There is no such account."
        case .secondFactorRequired: "This account has, or needs, a second factor."
        case .challengeEnded: "This sign-in is over: begin with the password."
        case .secondFactorUnknown: "The account has no such second factor."
        case .secondFactorExists: "This second factor is on already."
        case .setupEnded: "Nothing is set up, or not any more: begin anew."
        case .lastSecondFactor: "An operator's account keeps a second factor."
        case .ownSecondFactors: "One's own second factors are turned off with one's password."
        case .phoneMissing: "The account has no phone number."
        case .vehicleUnknown: "There is no such vehicle."
        case .tooManyVehicles: "There are as many vehicles as an account can have."
        case .tooManyBlocks: "There are as many blocked people as an account can have."
        case .reportUnknown: "There is no such report."
        case .reportOpen: "You have reported this, and it is still being looked at."
        case .reportClosed: "This report was closed with another outcome."
        }
    }

    var detail: String? {
        guard case .wrongCode(.usedUp) = self else { return nil }
        return "A wrong code was typed \(VerificationCodes.mostTries) times: ask for a new one."
    }

    var field: String? {
        switch self {
        case .phoneTaken: "phone"
        case .emailTaken: "email"
        case .wrongCode: "code"
        case .wrongPassword(let field): field
        case .credentialsMismatch, .suspended, .sessionEnded, .unknown, .vehicleUnknown,
            .tooManyVehicles, .sessionUnknown, .engaged, .lastContact, .lastOperator,
            .pictureUnknown, .secondFactorRequired, .challengeEnded, .secondFactorUnknown,
            .secondFactorExists, .setupEnded, .lastSecondFactor, .ownSecondFactors, .phoneMissing,
            .tooManyBlocks, .reportUnknown, .reportOpen, .reportClosed:
            nil
        }
    }

    func complete(_ problem: inout Problem) {
        switch self {
        case .engaged(let id): problem.orderId = .init(uuid: id.uuid)
        case .phoneTaken(let person): problem.personId = person
        case .reportOpen(let id): problem.reportId = id
        case .secondFactorRequired(let challenge, let methods):
            problem.challenge = challenge
            problem.methods = methods.map(Open.init)
        case .credentialsMismatch, .suspended, .sessionEnded, .wrongCode, .wrongPassword,
            .sessionUnknown, .emailTaken, .lastContact, .lastOperator, .pictureUnknown, .unknown,
            .vehicleUnknown, .tooManyVehicles, .challengeEnded, .secondFactorUnknown,
            .secondFactorExists, .setupEnded, .lastSecondFactor, .ownSecondFactors, .phoneMissing,
            .tooManyBlocks, .reportUnknown, .reportClosed:
            break
        }
    }

    /// 429: a code was sent a moment ago, or as many as an hour allows.
    static func codeTooSoon(retryAfterSeconds: Int) -> TooManyRequests {
        TooManyRequests(
            "account.code_too_soon", "A code was asked for a moment ago.",
            retryAfterSeconds: retryAfterSeconds)
    }

    /// 429: too many wrong passwords for one number or address, whether anybody has it or not.
    static func tooManyAttempts(retryAfterSeconds: Int) -> TooManyRequests {
        TooManyRequests(
            "account.too_many_attempts", "Too many attempts to sign in.",
            retryAfterSeconds: retryAfterSeconds)
    }

    /// 429: somebody has written as many reports as a day has.
    static func tooManyReports(retryAfterSeconds: Int) -> TooManyRequests {
        TooManyRequests(
            "report.too_many", "You have written as many reports as a day has.",
            retryAfterSeconds: retryAfterSeconds)
    }
}
