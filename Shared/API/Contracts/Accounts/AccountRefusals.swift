extension Refusal {
    public static let vehicleUnknown = Refusal(
        404, "vehicle.unknown", "This is not one of your vehicles.", field: "vehicleId")

    public static let phoneTaken = Refusal(
        409, "account.phone_taken", "There is already an account with this phone number.",
        field: "phone")
    public static let emailTaken = Refusal(
        409, "account.email_taken", "There is already an account with this e-mail address.",
        field: "email")
    public static let lastContact = Refusal(
        409, "account.last_contact",
        "Keep at least one phone number or e-mail address. Valets must keep their phone number.",
        when: "It is the last one to sign in with, or a valet's phone number.")
    public static let credentialsMismatch = Refusal(
        401, "account.credentials_mismatch", "Wrong phone number, e-mail address or password."
    )
    public static let sessionEnded = Refusal(
        401, "account.session_ended", "Your session has ended. Sign in again.",
        when: "The session has ended, or the token was already used.")
    public static let wrongVerificationCode = Refusal(
        422, "account.wrong_code", "The code is wrong or has expired.", field: "code",
        when: """
            The code is wrong, was used before or has expired. Five wrong attempts invalidate it; `detail` says so.
            """)
    public static let wrongPassword = Refusal(
        422, "account.wrong_password", "Wrong password.",
        when: "The password is wrong. It counts as a failed attempt to sign in.")
    public static let sessionUnknown = Refusal(
        404, "account.session_unknown", "There is no such session.",
        when: "There is no such session, or it is someone else's.")
    public static let accountEngaged = Refusal(
        409, "account.engagement_open", "Finish what is open and pay your bills first.",
        when:
            "An order or a stay is open, or a bill or a fine unpaid; `engagementId` names it."
    )
    public static let lastOperator = Refusal(
        409, "account.last_operator", "The last operator can't delete their account.")
    public static let accountUnknown = Refusal(404, "account.unknown", "There is no such account.")
    public static let secondFactorRequired = Refusal(
        401, "account.second_factor_required", "Signing in to this account needs a second factor.",
        when: """
            The password is right (after a reset it is set), and the account has a second factor: send `challenge` and \
            one of `methods` to `POST /v1/sessions/second-factor`. Without methods the account must set one up: \
            `POST /v1/sessions/second-factor/enrolment`.
            """)
    public static let challengeEnded = Refusal(
        401, "account.challenge_ended", "This sign-in has ended. Start again with your password.",
        when: "The challenge has expired, was tried too often or was used. Start with the password."
    )
    public static let secondFactorUnknown = Refusal(
        404, "account.second_factor_unknown", "The account has no such second factor.")
    public static let secondFactorExists = Refusal(
        409, "account.second_factor_exists", "This second factor is already on.")
    public static let secondFactorSetupEnded = Refusal(
        409, "account.second_factor_setup_ended", "The set-up has ended. Start again.")
    public static let lastSecondFactor = Refusal(
        409, "account.last_second_factor", "Operators must keep a second factor.",
        when: "The platform's settings require operators to have one.")
    public static let ownSecondFactors = Refusal(
        409, "account.second_factors_own",
        "Turn off your own second factors in your profile, with your password.")
    public static let phoneMissing = Refusal(
        409, "account.phone_missing", "The account has no phone number.")
    public static let ownVehicleUnknown = Refusal(
        404, "account.vehicle_unknown", "There is no such vehicle.",
        when: "There is no such vehicle, or it is someone else's.")
    public static let tooManyVehicles = Refusal(
        409, "account.too_many_vehicles",
        "You have reached the limit of vehicles. Remove one first.")
    public static let tooManyBlocks = Refusal(
        409, "account.too_many_blocks",
        "You have reached the limit of blocked people. Unblock someone first.")
    public static let reportUnknown = Refusal(404, "report.unknown", "There is no such report.")
    public static let reportExists = Refusal(
        409, "report.open_exists",
        "You have already reported this, and we are still looking at it.",
        when: """
            Your report about the same person and subject is still open; `reportId` names it.
            """)
    public static let reportClosed = Refusal(
        409, "report.closed", "This report was closed with a different outcome.")

    public static let codeTooSoon = Refusal(
        429, "account.code_too_soon",
        "You requested a code a moment ago. Wait before you request another.",
        when: "A code was requested a moment ago, or the limit per hour or day is reached.")
    public static let tooManyAttempts = Refusal(
        429, "account.too_many_attempts", "Too many attempts to sign in. Try again later.",
        when: "Too many wrong passwords or codes.")
    public static let tooManyReports = Refusal(
        429, "report.too_many", "You have reached the limit of reports per day.")
}
