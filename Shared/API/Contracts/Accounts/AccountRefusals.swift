extension Refusal {
    public static let vehicleUnknown = Refusal(
        404, "vehicle.unknown", "This is not one of your vehicles.", field: "vehicleId")

    public static let phoneTaken = Refusal(
        409, "account.phone_taken", "Somebody has an account with this phone number already.",
        field: "phone")
    public static let emailTaken = Refusal(
        409, "account.email_taken", "Somebody has an account with this e-mail address already.",
        field: "email")
    public static let lastContact = Refusal(
        409, "account.last_contact",
        "An account keeps one phone number or e-mail address, and a valet's its phone number.",
        when: "It is the last by which one could sign in, or a valet's phone number.")
    public static let credentialsMismatch = Refusal(
        401, "account.credentials_mismatch", "Nobody has this number or address with this password."
    )
    public static let sessionEnded = Refusal(
        401, "account.session_ended", "This session has ended: sign in again.",
        when: "The session has ended, or the token was used before.")
    public static let wrongVerificationCode = Refusal(
        422, "account.wrong_code", "The code is wrong, or no longer valid.", field: "code",
        when: """
            The code is wrong, was used before, or is no longer valid; after five wrong ones it is used up, and \
            `detail` says so.
            """)
    public static let wrongPassword = Refusal(
        422, "account.wrong_password", "This is not the account's password.",
        when: "The password is wrong. Wrong ones count as those of the sign-in do.")
    public static let sessionUnknown = Refusal(
        404, "account.session_unknown", "There is no such session.",
        when: "There is no such session, or it is not yours.")
    public static let accountEngaged = Refusal(
        409, "account.engagement_open", "Something is unfinished, or a bill is not paid.",
        when:
            "An order or a stay is unfinished, or a bill or a fine unpaid; `engagementId` says which."
    )
    public static let lastOperator = Refusal(
        409, "account.last_operator", "The last operator's account stays.")
    public static let accountUnknown = Refusal(404, "account.unknown", "There is no such account.")
    public static let secondFactorRequired = Refusal(
        401, "account.second_factor_required", "This account has, or needs, a second factor.",
        when: """
            The password is right (and set, where it was reset), and the account has a second factor: `challenge` and \
            `methods` are for `POST /v1/sessions/second-factor`. Without methods it needs one: \
            `POST /v1/sessions/second-factor/enrolment`.
            """)
    public static let challengeEnded = Refusal(
        401, "account.challenge_ended", "This sign-in is over: begin with the password.",
        when: "The challenge took too long, was tried too often or used. Begin with the password.")
    public static let secondFactorUnknown = Refusal(
        404, "account.second_factor_unknown", "The account has no such second factor.")
    public static let secondFactorExists = Refusal(
        409, "account.second_factor_exists", "This second factor is on already.")
    public static let secondFactorSetupEnded = Refusal(
        409, "account.second_factor_setup_ended", "Nothing is set up, or not any more: begin anew.")
    public static let lastSecondFactor = Refusal(
        409, "account.last_second_factor", "An operator's account keeps a second factor.",
        when: "Operators keep one, where the house says so.")
    public static let ownSecondFactors = Refusal(
        409, "account.second_factors_own",
        "One's own second factors are turned off with one's password.")
    public static let phoneMissing = Refusal(
        409, "account.phone_missing", "The account has no phone number.")
    public static let ownVehicleUnknown = Refusal(
        404, "account.vehicle_unknown", "There is no such vehicle.",
        when: "There is no such vehicle, or it is not yours.")
    public static let tooManyVehicles = Refusal(
        409, "account.too_many_vehicles", "There are as many vehicles as an account can have.")
    public static let tooManyBlocks = Refusal(
        409, "account.too_many_blocks", "There are as many blocked people as an account can have.")
    public static let reportUnknown = Refusal(404, "report.unknown", "There is no such report.")
    public static let reportExists = Refusal(
        409, "report.open_exists", "You have reported this, and it is still being looked at.",
        when: """
            One of yours about the same person and the same subject is open already; `reportId` says which.
            """)
    public static let reportClosed = Refusal(
        409, "report.closed", "This report was closed with another outcome.")

    public static let codeTooSoon = Refusal(
        429, "account.code_too_soon", "A code was asked for a moment ago.",
        when: "A code was asked for a moment ago, or as many as an hour or a day has.")
    public static let tooManyAttempts = Refusal(
        429, "account.too_many_attempts", "Too many attempts to sign in.",
        when: "Too many wrong passwords or codes.")
    public static let tooManyReports = Refusal(
        429, "report.too_many", "You have written as many reports as a day has.")
}
