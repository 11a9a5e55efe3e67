/// Second factors: setting them up and signing in with them.
extension AccountEndpoints {
    public static let secondFactors = Endpoint<Void, SecondFactors>(
        .get, "/v1/me/second-factors", id: "secondFactors",
        "My second factors",
        answer: "Those that are on, and how many recovery codes are left.",
        refuses: [.sessionEnded])
    public static let beginTOTP = Endpoint<PasswordBody, TOTPSetup>(
        .post, "/v1/me/second-factors/totp", id: "beginTOTP", "Set up an authenticator app",
        """
        It is on once its first code is confirmed, within ten minutes. A repeat creates another secret.
        """,
        rate: .strict, answer: Success("The secret for the app.", status: 201),
        refuses: [
            .sessionEnded, .secondFactorExists, .accountUnknown, .wrongPassword,
            .tooManyAttempts,
        ])
    public static let confirmTOTP = Endpoint<SecondFactorCodeBody, RecoveryCodes>(
        .post, "/v1/me/second-factors/totp/confirm", id: "confirmTOTP",
        "Turn on the authenticator app",
        rate: .strict, answer: firstFactor,
        refuses: [
            .sessionEnded, .secondFactorExists, .secondFactorSetupEnded, .wrongVerificationCode,
        ])
    public static let beginSMS = Endpoint<PasswordBody, Void>(
        .post, "/v1/me/second-factors/sms", id: "beginSMS", "Set up codes by text message",
        rate: .strict,
        answer: Success("We send a code to the account's number.", status: 202),
        refuses: [
            .sessionEnded, .secondFactorExists, .phoneMissing, .accountUnknown, .wrongPassword,
            .codeTooSoon, .tooManyAttempts,
        ])
    public static let confirmSMS = Endpoint<SecondFactorCodeBody, RecoveryCodes>(
        .post, "/v1/me/second-factors/sms/confirm", id: "confirmSMS",
        "Turn on codes by text message", rate: .strict, answer: firstFactor,
        refuses: [
            .sessionEnded, .secondFactorExists, .phoneMissing, .wrongVerificationCode,
        ])
    public static let removeSecondFactor = Endpoint<SecondFactorRemovalBody, SecondFactors>(
        .post, "/v1/me/second-factors/removal", id: "removeSecondFactor",
        "Turn off a second factor", "Turning off the last one deletes the recovery codes, too.",
        rate: .strict, answer: "The second factors that are still on.",
        refuses: [
            .sessionEnded, .secondFactorUnknown,
            .lastSecondFactor,
            .accountUnknown, .wrongPassword, .tooManyAttempts,
        ])
    public static let renewRecoveryCodes = Endpoint<PasswordBody, RecoveryCodes>(
        .post, "/v1/me/second-factors/recovery-codes", id: "renewRecoveryCodes",
        "Get new recovery codes", rate: .strict,
        answer: "The new codes; the old ones no longer work.",
        refuses: [
            .sessionEnded, .secondFactorUnknown, .accountUnknown, .wrongPassword,
            .tooManyAttempts,
        ])
    public static let removeSecondFactors = Endpoint<Void, Void>(
        .delete, "/v1/admin/people/{id}/second-factors", id: "removeSecondFactors",
        "Remove a person's second factors",
        "For someone who lost both phone and recovery codes. Check their identity first.",
        by: [.operator],
        answer: "They sign in with their password alone; we notify them.",
        refuses: [
            .sessionEnded, .accountUnknown,
            .ownSecondFactors,
        ])

    public static let answerChallenge = Endpoint<SecondFactorBody, SignedIn>(
        .post, "/v1/sessions/second-factor", id: "answerChallenge",
        "Sign in with the second factor",
        """
        Send the `challenge` from the answer to the password (401 `account.second_factor_required`). It is valid for \
        five minutes, five attempts and one success; a code is valid for one success.
        """, by: .anybody, rate: .strict, answer: Success("Signed in.", status: 201),
        refuses: [
            .challengeEnded, .suspended, .secondFactorUnknown, .wrongVerificationCode,
            .tooManyAttempts,
        ])
    public static let sendChallengeMessage = Endpoint<ChallengeBody, Void>(
        .post, "/v1/sessions/second-factor/message", id: "sendChallengeMessage",
        "Request a sign-in code by text message", by: .anybody, rate: .strict,
        answer: Success("We send the code.", status: 202),
        refuses: [.challengeEnded, .secondFactorUnknown, .codeTooSoon])
    public static let beginEnrolment = Endpoint<ChallengeBody, TOTPSetup>(
        .post, "/v1/sessions/second-factor/enrolment", id: "beginEnrolment",
        "Set up the second factor that signing in needs",
        "For a challenge without methods: the account must have a second factor but has none.",
        by: .anybody, rate: .strict, answer: Success("The secret for the app.", status: 201),
        refuses: [.challengeEnded, .secondFactorExists])
    public static let confirmEnrolment = Endpoint<EnrolmentBody, Enrolled>(
        .post, "/v1/sessions/second-factor/enrolment/confirm", id: "confirmEnrolment",
        "Turn on the second factor and sign in", by: .anybody, rate: .strict,
        answer: Success("Signed in.", status: 201),
        refuses: [
            .challengeEnded, .suspended, .secondFactorExists, .secondFactorSetupEnded,
            .wrongVerificationCode, .tooManyAttempts,
        ])

    private static let firstFactor: Success = """
        Signing in now needs a code. The first second factor creates recovery codes and ends all other sessions.
        """
}
