extension ServiceManifest {
    public static let accounts = ServiceManifest(
        "accounts", [.database, .blobs, .personalData, .asksEngagements],
        endpoints: AccountEndpoints.all,
        events: [
            AccountChanged.self, AccountDeleted.self, SessionsEnded.self, VehicleChanged.self,
            CodeRequested.self, PersonBlocked.self,
        ], tells: [.people, .vehicles, .blocks])
}

/// Accounts: sign-up, sign-in, profiles, vehicles and valets.
public enum AccountEndpoints {
    public static let signUp = Endpoint<SignUpBody, SignedUp>(
        .post, "/v1/customers", id: "signUp", "Sign up", by: .anybody, rate: .strict,
        with: [.idempotencyKey], answer: Success("Signed up, and signed in.", status: 201),
        refuses: [
            .phoneTaken, .emailTaken,
            .tooManyAttempts.when(
                "Too many sign-ups from your network address used a number or address that has an account."
            ),
        ])
    public static let requestCode = Endpoint<ContactBody, Void>(
        .post, "/v1/verifications", id: "requestCode", "Request a verification code", by: .anybody,
        rate: .strict,
        answer: Success(
            "We send a code by text message or mail if an account has the number or address.",
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
                Too many wrong passwords for this number or address, from your network address or from many together.
                """),
        ])
    public static let refresh = Endpoint<RefreshBody, Tokens>(
        .post, "/v1/sessions/refresh", id: "refresh", "Get the next tokens",
        """
        A refresh token works once; using it again ends the session. The exception is a repeat with the \
        `Idempotency-Key` of its first use, until the next token is used: it gets the same answer, so a lost answer \
        ends no session. Store the key on the device before you send the request.
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
        "Request a code to reset the password", by: .anybody, rate: .strict,
        answer: Success(
            """
            We send a code by text message or mail if an account has the number or address: verified, or with \
            nothing else verified. If no account has it, or a code was requested in the last 30 seconds, the answer \
            is the same and takes the same time.
            """, status: 202))
    public static let confirmPasswordReset = Endpoint<ResetConfirmBody, SignedIn>(
        .post, "/v1/password-resets/confirm", id: "confirmPasswordReset",
        "Set a new password with the code",
        "The code is valid for ten minutes, five attempts and one success.", by: .anybody,
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
        .put, "/v1/me/address", id: "setAddress", "Set my postal address",
        answer: "The account as it is now.", refuses: [.accountUnknown])
    public static let removeAddress = Endpoint<Void, Account>(
        .delete, "/v1/me/address", id: "removeAddress", "Remove my postal address",
        answer: "The account as it is now.", refuses: [.accountUnknown])
    public static let requestContactCode = Endpoint<ContactBody, Void>(
        .post, "/v1/me/contacts/code", id: "requestContactCode",
        "Request a code for a new phone number or e-mail address", rate: .strict,
        answer: Success("We send the code.", status: 202),
        refuses: [.sessionEnded, .codeTooSoon])
    public static let setContact = Endpoint<ContactChangeBody, Account>(
        .put, "/v1/me/contacts", id: "setContact", "Set my phone number or e-mail address",
        """
        Needs the code that we sent there. The number or address is then verified and replaces the previous one. \
        Another account loses it if it has not verified it and has another contact.
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
        answer: "The password is changed; all other sessions have ended.",
        refuses: [
            .sessionEnded,
            .accountUnknown, .wrongPassword,
            .tooManyAttempts,
        ])
    public static let sessions = Endpoint<PageQuery, Page<SessionRecord>>(
        .get, "/v1/me/sessions", id: "sessions", "My sessions",
        answer: "Sessions, newest first. Ended sessions are not listed.",
        refuses: [.sessionEnded])
    public static let signOutEverywhere = Endpoint<Void, Void>(
        .delete, "/v1/me/sessions", id: "signOutEverywhere", "Sign out everywhere",
        answer: """
            All sessions have ended, including this one. Their access tokens stay valid until they expire, within \
            15 minutes; none can be renewed.
            """)
    public static let endSession = Endpoint<Void, Void>(
        .delete, "/v1/me/sessions/{id}", id: "endSession", "End a session",
        answer: """
            The session has ended. Its access token stays valid until it expires, within 15 minutes.
            """,
        refuses: [
            .sessionUnknown
        ])
    public static let setPhoto = Endpoint<Bytes, PhotoAnswer>(
        .put, "/v1/me/photo", id: "setPhoto", "Set my profile picture",
        "Send the bytes as they are, up to 5 MB; the content determines the type.",
        bodyLimit: BodyLimit.portrait, takes: [.jpeg, .png],
        answer: "The picture is shown, without its metadata; the previous one is deleted.",
        refuses: [
            .sessionEnded, .accountUnknown,
            .pictureEmpty, .pictureTypeUnknown.when("Neither JPEG nor PNG."), .pictureTruncated,
            .pictureTooLarge,
            .pictureMalformed,
        ])
    public static let removePhoto = Endpoint<Void, Void>(
        .delete, "/v1/me/photo", id: "removePhoto", "Remove my profile picture",
        answer: "The picture is deleted.", refuses: [.accountUnknown])
    public static let deleteMe = Endpoint<DeletionBody, Void>(
        .post, "/v1/me/deletion", id: "deleteMe", "Delete my account", rate: .strict,
        answer: Success(
            """
            The account is deleted, and its number and address are free. All services delete its data, except for \
            records that the law requires, which lose the name. Its access tokens are refused as soon as the gateway \
            knows of it, and its streams end.
            """, status: 202),
        refuses: [
            .sessionEnded,
            .accountEngaged,
            .lastOperator,
            .accountUnknown, .wrongPassword, .tooManyAttempts,
        ])
    public static let exportMe = Endpoint<Void, Export>(
        .get, "/v1/me/export", id: "exportMe", "Export my data",
        "Complete or not at all: 503 while a service is not answering.", rate: .strict,
        answer: Success("The data of each service, by its name.", [.contentDisposition]),
        refuses: [.accountUnknown])
    public static let personPicture = Endpoint<SignatureQuery, Bytes>(
        .get, "/v1/pictures/people/{id}", id: "personPicture", "A profile picture",
        """
        The signature in the address grants access; people who may see the picture get it as `photoURL`.
        """, by: .anybody,
        answer: Success(
            "The picture; cache it as long as the address is valid.", as: [.jpeg, .png]),
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
        answer: "The vehicle is removed.", refuses: [.ownVehicleUnknown])
    public static let addValet = Endpoint<NewValetBody, ValetRecord>(
        .post, "/v1/admin/valets", id: "addValet", "Add a valet", by: [.operator],
        with: [.idempotencyKey], answer: Success("The valet.", status: 201),
        refuses: [
            .sessionEnded,
            .phoneTaken.when(
                """
                There is already an account with this number; use its `personId` with `PUT /v1/admin/valets/{id}`.
                """),
        ])
    public static let grantValet = Endpoint<Void, ValetRecord>(
        .put, "/v1/admin/valets/{id}", id: "grantValet", "Make a person a valet",
        """
        `id` is the id of a person with an account, who keeps their other roles. A repeat gets the same answer.
        """, by: [.operator],
        answer: """
            The valet. Their next access token has the role: when they sign in, or when their app renews it, \
            within 15 minutes.
            """,
        refuses: [
            .sessionEnded, .accountUnknown,
            .phoneMissing,
        ])
    public static let valets = Endpoint<PageQuery, Page<ValetRecord>>(
        .get, "/v1/admin/valets", id: "valets", "Valets and their positions", by: [.operator],
        answer: "Newest first; status and position are null while location is not answering.")
    public static let changeValet = Endpoint<ValetChange, ValetRecord>(
        .patch, "/v1/admin/valets/{id}", id: "changeValet", "Suspend or reinstate a valet",
        by: [.operator],
        answer: """
            The valet as they are now. A suspended valet is signed out everywhere and gets no jobs; access tokens \
            stay valid until they expire, within 15 minutes, and none can be renewed. Valets who are also customers \
            can still sign in as customers.
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
