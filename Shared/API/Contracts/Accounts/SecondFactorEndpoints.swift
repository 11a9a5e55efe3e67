/// What is asked for besides the password: setting it up, and showing it.
extension AccountEndpoints {
    public static let secondFactors = Endpoint<Void, SecondFactors>(
        .get, "/v1/me/second-factors", id: "secondFactors",
        "What I sign in with besides my password",
        answer: "Which are on, and how many recovery codes are left.",
        refuses: [.sessionEnded])
    public static let beginTOTP = Endpoint<PasswordBody, TOTPSetup>(
        .post, "/v1/me/second-factors/totp", id: "beginTOTP", "Set up an app that makes codes",
        """
        It is not on before its first code is confirmed, within ten minutes. Asking again makes another secret.
        """,
        rate: .strict, answer: Success("What the app is given.", status: 201),
        refuses: [
            .sessionEnded, .secondFactorExists, .accountUnknown, .wrongPassword,
            .tooManyAttempts,
        ])
    public static let confirmTOTP = Endpoint<SecondFactorCodeBody, RecoveryCodes>(
        .post, "/v1/me/second-factors/totp/confirm", id: "confirmTOTP", "Turn the app's codes on",
        rate: .strict, answer: firstFactor,
        refuses: [
            .sessionEnded, .secondFactorExists, .secondFactorSetupEnded, .wrongVerificationCode,
        ])
    public static let beginSMS = Endpoint<PasswordBody, Void>(
        .post, "/v1/me/second-factors/sms", id: "beginSMS", "Set up codes by text message",
        rate: .strict,
        answer: Success("A code is on its way to the account's number.", status: 202),
        refuses: [
            .sessionEnded, .secondFactorExists, .phoneMissing, .accountUnknown, .wrongPassword,
            .codeTooSoon, .tooManyAttempts,
        ])
    public static let confirmSMS = Endpoint<SecondFactorCodeBody, RecoveryCodes>(
        .post, "/v1/me/second-factors/sms/confirm", id: "confirmSMS",
        "Turn codes by text message on", rate: .strict, answer: firstFactor,
        refuses: [
            .sessionEnded, .secondFactorExists, .phoneMissing, .wrongVerificationCode,
        ])
    public static let removeSecondFactor = Endpoint<SecondFactorRemovalBody, SecondFactors>(
        .post, "/v1/me/second-factors/removal", id: "removeSecondFactor",
        "Turn a second factor off", "With the last of them the recovery codes go, too.",
        rate: .strict, answer: "Those that are left.",
        refuses: [
            .sessionEnded, .secondFactorUnknown,
            .lastSecondFactor,
            .accountUnknown, .wrongPassword, .tooManyAttempts,
        ])
    public static let renewRecoveryCodes = Endpoint<PasswordBody, RecoveryCodes>(
        .post, "/v1/me/second-factors/recovery-codes", id: "renewRecoveryCodes",
        "Get new recovery codes", rate: .strict,
        answer: "The new ones; those from before are void.",
        refuses: [
            .sessionEnded, .secondFactorUnknown, .accountUnknown, .wrongPassword,
            .tooManyAttempts,
        ])
    public static let removeSecondFactors = Endpoint<Void, Void>(
        .delete, "/v1/admin/people/{id}/second-factors", id: "removeSecondFactors",
        "Remove somebody's second factors",
        "For who has lost their phone and their recovery codes.", by: [.operator],
        answer: "They sign in with their password alone, and are told.",
        refuses: [
            .sessionEnded, .accountUnknown,
            .ownSecondFactors,
        ])

    public static let answerChallenge = Endpoint<SecondFactorBody, SignedIn>(
        .post, "/v1/sessions/second-factor", id: "answerChallenge",
        "Sign in with the second factor",
        """
        With the `challenge` that the password was answered with (401 `account.second_factor_required`). It is good \
        for five minutes, five tries and one success; so is a code for one success.
        """, by: .anybody, rate: .strict, answer: Success("Signed in.", status: 201),
        refuses: [
            .challengeEnded, .suspended, .secondFactorUnknown, .wrongVerificationCode,
            .tooManyAttempts,
        ])
    public static let sendChallengeMessage = Endpoint<ChallengeBody, Void>(
        .post, "/v1/sessions/second-factor/message", id: "sendChallengeMessage",
        "Ask for a code of the sign-in by text message", by: .anybody, rate: .strict,
        answer: Success("It is on its way.", status: 202),
        refuses: [.challengeEnded, .secondFactorUnknown, .codeTooSoon])
    public static let beginEnrolment = Endpoint<ChallengeBody, TOTPSetup>(
        .post, "/v1/sessions/second-factor/enrolment", id: "beginEnrolment",
        "Set up the second factor that signing in needs",
        "For a challenge without methods: the account has no second factor, and needs one.",
        by: .anybody, rate: .strict, answer: Success("What the app is given.", status: 201),
        refuses: [.challengeEnded, .secondFactorExists])
    public static let confirmEnrolment = Endpoint<EnrolmentBody, Enrolled>(
        .post, "/v1/sessions/second-factor/enrolment/confirm", id: "confirmEnrolment",
        "Turn it on, and sign in", by: .anybody, rate: .strict,
        answer: Success("Signed in.", status: 201),
        refuses: [
            .challengeEnded, .suspended, .secondFactorExists, .secondFactorSetupEnded,
            .wrongVerificationCode, .tooManyAttempts,
        ])

    private static let firstFactor: Success = """
        They are asked for from now on. The first second factor brings recovery codes, and ends all other \
        sessions.
        """
}
