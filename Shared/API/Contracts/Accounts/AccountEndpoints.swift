extension ServiceManifest {
    public static let accounts = ServiceManifest(
        "accounts", [.database, .blobs, .personalData, .asksEngagements],
        endpoints: AccountEndpoints.all,
        events: [
            AccountChanged.self, AccountDeleted.self, SessionsEnded.self, VehicleChanged.self,
            CodeRequested.self, PersonBlocked.self,
        ])
}

/// Accounts: sign-up, sign-in, profiles, vehicles and valets.
public enum AccountEndpoints {
    public static let signUp = Endpoint<SignUpBody, SignedUp>(
        .post, "/v1/customers", id: "signUp", "Sign up", by: .anybody, rate: .strict,
        with: [.idempotencyKey], answer: Success("Signed up, and signed in.", status: 201),
        refuses: [.phoneTaken, .emailTaken])
    public static let requestCode = Endpoint<ContactBody, Void>(
        .post, "/v1/verifications", id: "requestCode", "Ask for a verification code", by: .anybody,
        rate: .strict,
        answer: Success(
            "A code is on its way by text message or mail, if anybody has the number or address.",
            status: 202),
        refuses: [.codeTooSoon])
    public static let confirmCode = Endpoint<ConfirmCodeBody, Void>(
        .post, "/v1/verifications/confirm", id: "confirmCode",
        "Confirm the phone number or e-mail address",
        by: .anybody, rate: .strict, answer: "It is verified.",
        refuses: [.wrongVerificationCode])
    public static let signIn = Endpoint<SignInBody, SignedIn>(
        .post, "/v1/sessions", id: "signIn", "Sign in", by: .anybody, rate: .strict,
        answer: Success("Signed in.", status: 201),
        refuses: [
            .credentialsMismatch,
            .secondFactorRequired, .suspended,
            .tooManyAttempts.when(
                """
                Too many wrong passwords for this number or address from where you are, or from many places together.
                """),
        ])
    public static let refresh = Endpoint<RefreshBody, Tokens>(
        .post, "/v1/sessions/refresh", id: "refresh", "Get the next tokens",
        """
        A refresh token works once; used again it ends the session. Only with the `Idempotency-Key` of its first use, \
        which the device keeps before it asks, the same refresh token is answered again, until that is used: so an \
        answer that was lost ends no session.
        """, by: .anybody, with: [.idempotencyKey],
        answer: Success("The next tokens; the refresh token has changed.", status: 201),
        refuses: [
            .sessionEnded
        ])
    public static let signOut = Endpoint<Void, Void>(
        .delete, "/v1/sessions/current", id: "signOut", "Sign out", answer: "The session has ended."
    )
    public static let requestPasswordReset = Endpoint<ContactBody, Void>(
        .post, "/v1/password-resets", id: "requestPasswordReset",
        "Ask for a code to reset the password", by: .anybody, rate: .strict,
        answer: Success(
            """
            A code is on its way by text message or mail, if anybody has the number or address: verified, or with \
            nothing else verified. The answer is the same, and takes the same time, if nobody has, or if a code was \
            asked for in the last 30 seconds.
            """, status: 202))
    public static let confirmPasswordReset = Endpoint<ResetConfirmBody, SignedIn>(
        .post, "/v1/password-resets/confirm", id: "confirmPasswordReset",
        "Set a new password with the code",
        "The code is good for ten minutes, five tries and one success.", by: .anybody,
        rate: .strict,
        answer: Success(
            """
            The password is set, all other sessions have ended, the number or address is verified, and this is a \
            new session.
            """, status: 201),
        refuses: [
            .secondFactorRequired, .suspended,
            .wrongVerificationCode,
            .tooManyAttempts.when("Too many wrong codes in a day."),
        ])
    public static let me = Endpoint<Void, Account>(
        .get, "/v1/me", id: "me", "My profile", answer: "The account.", refuses: [.accountUnknown])
    public static let changeMe = Endpoint<ProfileChange, Account>(
        .patch, "/v1/me", id: "changeMe", "Change my profile", answer: "The account as it is now.",
        refuses: [.accountUnknown])
    public static let setAddress = Endpoint<PostalAddress, Account>(
        .put, "/v1/me/address", id: "setAddress", "Give my postal address",
        answer: "The account as it is now.", refuses: [.accountUnknown])
    public static let removeAddress = Endpoint<Void, Account>(
        .delete, "/v1/me/address", id: "removeAddress", "Take my postal address back",
        answer: "The account as it is now.", refuses: [.accountUnknown])
    public static let requestContactCode = Endpoint<ContactBody, Void>(
        .post, "/v1/me/contacts/code", id: "requestContactCode",
        "Ask for a code to a new phone number or e-mail address", rate: .strict,
        answer: Success("It is on its way.", status: 202),
        refuses: [.sessionEnded, .codeTooSoon])
    public static let setContact = Endpoint<ContactChangeBody, Account>(
        .put, "/v1/me/contacts", id: "setContact", "Set my phone number or e-mail address",
        """
        With the code that came there; it is verified, and takes the place of the one before. Somebody else who has \
        not verified it, and has another, loses it.
        """,
        rate: .strict, answer: "The account as it is now.",
        refuses: [
            .sessionEnded, .phoneTaken, .emailTaken, .wrongVerificationCode,
            .accountUnknown, .lastSecondFactor, .wrongPassword, .tooManyAttempts,
        ])
    public static let removeContact = Endpoint<ContactRemovalBody, Account>(
        .post, "/v1/me/contacts/removal", id: "removeContact",
        "Remove my phone number or e-mail address", rate: .strict,
        answer: "The account as it is now.",
        refuses: [
            .sessionEnded,
            .lastContact,
            .accountUnknown, .lastSecondFactor, .wrongPassword, .tooManyAttempts,
        ])
    public static let changePassword = Endpoint<PasswordChangeBody, Void>(
        .post, "/v1/me/password", id: "changePassword", "Change my password", rate: .strict,
        answer: "It is changed; all other sessions have ended.",
        refuses: [
            .sessionEnded,
            .accountUnknown, .wrongPassword,
            .tooManyAttempts,
        ])
    public static let sessions = Endpoint<PageQuery, Page<SessionRecord>>(
        .get, "/v1/me/sessions", id: "sessions", "Where I am signed in",
        answer: "Sessions, newest first. One that has ended is not kept.",
        refuses: [.sessionEnded])
    public static let signOutEverywhere = Endpoint<Void, Void>(
        .delete, "/v1/me/sessions", id: "signOutEverywhere", "Sign out everywhere",
        answer: """
            All sessions have ended, this one too. Access tokens that they gave out are good until they expire, \
            15 minutes at most; none is renewed.
            """)
    public static let endSession = Endpoint<Void, Void>(
        .delete, "/v1/me/sessions/{id}", id: "endSession", "Sign out somewhere",
        answer: """
            The session has ended. Its access token is good until it expires, 15 minutes at most.
            """,
        refuses: [
            .sessionUnknown
        ])
    public static let setPhoto = Endpoint<Bytes, PhotoAnswer>(
        .put, "/v1/me/photo", id: "setPhoto", "Show a profile picture",
        "The bytes as they are, up to 5 MB; their type is told by their content.",
        bodyLimit: BodyLimit.portrait, takes: [.jpeg, .png],
        answer: "It is shown; what a camera wrote into it is gone, and so is the picture before.",
        refuses: [
            .sessionEnded, .accountUnknown,
            .pictureEmpty, .pictureTypeUnknown.when("Neither JPEG nor PNG."), .pictureTruncated,
            .pictureTooLarge,
            .pictureMalformed,
        ])
    public static let removePhoto = Endpoint<Void, Void>(
        .delete, "/v1/me/photo", id: "removePhoto", "Show no profile picture",
        answer: "None is shown, and its bytes are deleted.", refuses: [.accountUnknown])
    public static let deleteMe = Endpoint<DeletionBody, Void>(
        .post, "/v1/me/deletion", id: "deleteMe", "Delete my account", rate: .strict,
        answer: Success(
            """
            The account is gone, its number and address free; all services forget what they hold, but for what the \
            law makes them keep, which loses the name. Access tokens are good until they expire, 15 minutes at most; \
            none is renewed.
            """, status: 202),
        refuses: [
            .sessionEnded,
            .accountEngaged,
            .lastOperator,
            .accountUnknown, .wrongPassword, .tooManyAttempts,
        ])
    public static let exportMe = Endpoint<Void, Export>(
        .get, "/v1/me/export", id: "exportMe", "All that is held on me",
        "The whole or nothing: 503 while a service does not answer.", rate: .strict,
        answer: Success("What each service holds, by its name.", [.contentDisposition]),
        refuses: [.accountUnknown])
    public static let personPicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/people/{id}", id: "personPicture", "A profile picture",
        """
        Opened by the signature in the address, which answers with a `photoURL` give to those who may see \
        it.
        """, by: .anybody,
        answer: Success(
            "The picture, to be cached as long as the address is good.", as: [.jpeg, .png]),
        refuses: Refusal.signedPicture)
    public static let vehicles = Endpoint<PageQuery, Page<Vehicle>>(
        .get, "/v1/me/vehicles", id: "vehicles", "My vehicles", by: [.customer],
        answer: "Vehicles, newest first.")
    public static let addVehicle = Endpoint<VehicleDescription, Vehicle>(
        .post, "/v1/me/vehicles", id: "addVehicle", "Add a vehicle", by: [.customer],
        with: [.idempotencyKey], answer: Success("The vehicle.", status: 201),
        refuses: [
            .accountUnknown,
            .tooManyVehicles,
        ])
    public static let changeVehicle = Endpoint<VehicleChange, Vehicle>(
        .patch, "/v1/me/vehicles/{id}", id: "changeVehicle", "Change a vehicle", by: [.customer],
        answer: "The vehicle as it is now.", refuses: [.ownVehicleUnknown])
    public static let removeVehicle = Endpoint<Void, Void>(
        .delete, "/v1/me/vehicles/{id}", id: "removeVehicle", "Remove a vehicle", by: [.customer],
        answer: "It is gone.", refuses: [.ownVehicleUnknown])
    public static let addValet = Endpoint<NewValetBody, ValetRecord>(
        .post, "/v1/admin/valets", id: "addValet", "A new valet", by: [.operator],
        with: [.idempotencyKey], answer: Success("The valet.", status: 201),
        refuses: [
            .sessionEnded,
            .phoneTaken.when(
                """
                Somebody has an account with this number already; `personId` says who, for \
                `PUT /v1/admin/valets/{id}`.
                """),
        ])
    public static let grantValet = Endpoint<Void, ValetRecord>(
        .put, "/v1/admin/valets/{id}", id: "grantValet", "Make somebody a valet",
        """
        `id` is that of a person with an account, who stays what they are besides. Again: the same answer.
        """, by: [.operator],
        answer: """
            The valet. Their next access token has the role: when they sign in, or at their app's next \
            renewal, 15 minutes at most.
            """,
        refuses: [
            .sessionEnded, .accountUnknown,
            .phoneMissing,
        ])
    public static let valets = Endpoint<PageQuery, Page<ValetRecord>>(
        .get, "/v1/admin/valets", id: "valets", "Valets, and where they are", by: [.operator],
        answer: "Newest first; status and position are null while location is away.")
    public static let changeValet = Endpoint<ValetChange, ValetRecord>(
        .patch, "/v1/admin/valets/{id}", id: "changeValet", "Suspend a valet, or not",
        by: [.operator],
        answer: """
            The valet as they are now. A suspended one is signed out everywhere and gets no jobs; access tokens \
            are good until they expire, 15 minutes at most, and none is renewed. Who is a customer besides may \
            sign in as that.
            """,
        refuses: [
            .sessionEnded, .accountUnknown,
        ])
    public static let all: [AnyEndpoint] = [
        signUp.untyped, requestCode.untyped, confirmCode.untyped, signIn.untyped, refresh.untyped,
        signOut.untyped, requestPasswordReset.untyped, confirmPasswordReset.untyped, me.untyped,
        changeMe.untyped, setAddress.untyped, removeAddress.untyped, requestContactCode.untyped,
        setContact.untyped, removeContact.untyped, changePassword.untyped, sessions.untyped,
        signOutEverywhere.untyped,
        endSession.untyped, setPhoto.untyped, removePhoto.untyped, deleteMe.untyped,
        exportMe.untyped, personPicture.untyped, vehicles.untyped, addVehicle.untyped,
        changeVehicle.untyped, removeVehicle.untyped, addValet.untyped, valets.untyped,
        grantValet.untyped, changeValet.untyped,
        secondFactors.untyped, beginTOTP.untyped, confirmTOTP.untyped, beginSMS.untyped,
        confirmSMS.untyped, removeSecondFactor.untyped, renewRecoveryCodes.untyped,
        removeSecondFactors.untyped, answerChallenge.untyped, sendChallengeMessage.untyped,
        beginEnrolment.untyped, confirmEnrolment.untyped,
        blocks.untyped, block.untyped, unblock.untyped, report.untyped, reports.untyped,
        closeReport.untyped,
    ]
}
