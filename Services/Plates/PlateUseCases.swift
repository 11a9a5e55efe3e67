import Blobs
import Contracts
import Crypto
import EventBus
import Foundation
import Logging
import Metrics
import Pictures
import ServiceKit
import Store

/// The use cases of plates; each is one transaction, after the calls to other services.
struct PlateUseCases: Sendable {
    /// How long a picture waits for an event that may be late.
    static let patience: Duration = .seconds(1)
    /// The most photos per engagement.
    static let mostPhotos = 40
    /// The most recognitions per engagement's vehicle; valets try again in bad light.
    static let mostRecognitions = 20
    /// Seconds after which a picture without a row is deleted, because its request was interrupted.
    static let grace: TimeInterval = 600
    /// The most items of each kind in a person's export.
    static let mostOfAPerson = 1_000

    let database: Database
    let blobs: any BlobStore
    let recogniser: AlprRecogniser
    let addresses: SignedAddresses
    let clock: ServiceClock
    let logger: Logger
    var owners = Owners([])
    var patience = Self.patience

    /// Stores the newest version of an engagement, and the confirmation of its recognition. Without a delivery, the
    /// engagement is the answer to a request.
    func apply(_ engagement: Engagement, _ delivery: Delivery? = nil) async throws {
        let now = clock.now
        let outcomes: Outcomes? = try await database.write { transaction in
            guard try delivery.map({ try transaction.isFirst($0) }) ?? true,
                try engagements.keep(
                    engagement, of: engagement.id, version: engagement.version, at: now,
                    in: transaction)
            else { return nil }
            return try Self.confirm(engagement, transaction)
        }
        for (field, outcome) in outcomes ?? [:] {
            Counter(
                label: "openvalet_plates_confirmations_total",
                dimensions: [("field", field.rawValue), ("outcome", outcome.rawValue)]
            ).increment()
        }
    }

    private typealias Outcomes = [ProposedField: ProposedField.Outcome]

    private static func confirm(
        _ engagement: Engagement, _ transaction: Transaction
    ) throws -> Outcomes? {
        guard let confirmed = engagement.photos?.confirmed,
            let made = try transaction.recognitions.find(confirmed.recognition),
            engagement.participant(made.valet.as(PersonID.self)) != nil,
            made.engagement == nil || made.engagement == engagement.id,
            try transaction.recognitions.confirm(made.id, as: confirmed.vehicle)
        else { return nil }
        return made.proposal.outcomes(against: confirmed.vehicle)
    }

    /// Deletes what shows the person's vehicles; the picture data follows.
    func forget(_ event: AccountDeleted, _ delivery: Delivery) async throws {
        let now = clock.now
        try await database.apply(delivery) { transaction in
            try transaction.keepStanding(event)
            try transaction.pictures.forget(event.account, at: now)
        }
    }
}

// MARK: Recognitions

extension PlateUseCases {
    /// Recognises a picture and stores both. Nothing is stored without an answer.
    func recognise(
        _ data: Data, of id: EngagementID?, by valet: ValetID, key: IdempotencyKey?
    ) async throws -> Recognition {
        let id = try await database.answer(once: key) {
            try await make(data, of: id, by: valet, key: key)
        }
        return try await recognition(id)
    }

    private func make(
        _ data: Data, of id: EngagementID?, by valet: ValetID, key: IdempotencyKey?
    ) async throws -> RecognitionID {
        // Checked before the recogniser is paid, and again with its answer.
        try await database.read { try $0.requireStanding(of: valet.as(PersonID.self), as: .valet) }
        let picture = try KeptPictures.checked(data)
        let engagement: Engagement? =
            if let id { try await check(id, recognisedBy: valet) } else { nil }
        let proposal = try await propose(data)
        let now = clock.now
        let made = StoredRecognition(
            id: .new(at: now), engagement: id, owner: engagement?.photos?.owner, valet: valet,
            proposal: proposal, madeAt: now)
        try await keep(picture.withoutMetadata(), picture.type, as: made.picture)
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: valet.as(PersonID.self), as: .valet)
            if let id, try transaction.recognitions.count(of: id) >= Self.mostRecognitions {
                throw Refusal.tooManyRecognitions
            }
            try transaction.recognitions.save(made)
            try transaction.pictures.keep(made.picture)
            try transaction.publish(made.event, at: now)
            return made.id
        }
    }

    private func check(
        _ id: EngagementID, recognisedBy valet: ValetID
    ) async throws -> Engagement {
        let engagement = try await engagement(id) {
            $0.refusal(ofRecognitionBy: valet.as(PersonID.self))
        }
        let made = try await database.read { try $0.recognitions.count(of: id) }
        guard made < Self.mostRecognitions else {
            throw Refusal.tooManyRecognitions.because("The limit is \(Self.mostRecognitions).")
        }
        return engagement
    }

    private func propose(_ data: Data) async throws -> Proposal {
        do {
            let proposal = try await recogniser.propose(data)
            count(proposal.plate == nil ? "nothing" : "found")
            return proposal
        } catch let error as Refusal {
            count(error.code)
            if [.recogniserMisconfigured, .recogniserNoCredits].contains(error) {
                logger.error(
                    "the recogniser refused our request", metadata: ["code": "\(error.code)"])
            }
            throw error
        }
    }

    private func count(_ outcome: String) {
        Counter(
            label: "openvalet_plates_recognitions_total", dimensions: [("outcome", outcome)]
        ).increment()
    }

    private func recognition(_ id: RecognitionID) async throws -> Recognition {
        guard let made = try await database.read({ try $0.recognitions.find(id) }) else {
            // The owner has deleted their account meanwhile.
            throw Refusal.nothingToPhotograph
        }
        return made.body(at: address(of: made.picture))
    }
}

extension StoredRecognition {
    func body(at address: String) -> Recognition {
        var body = Recognition(
            id: id, photoURL: address, isStub: proposal.isStub, createdAt: madeAt)
        body.plate = proposal.plate?.text
        body.confidence = proposal.plate?.confidence
        body.region = proposal.region
        body.make = proposal.make?.text
        body.makeConfidence = proposal.make?.confidence
        body.model = proposal.model?.text
        body.modelConfidence = proposal.model?.confidence
        body.colour = proposal.colour?.text
        body.colourConfidence = proposal.colour?.confidence
        body.bodyType = proposal.bodyType
        body.year = proposal.year
        body.candidates = proposal.candidates.map {
            Recognition.Candidate(plate: $0.text, confidence: $0.confidence)
        }
        return body
    }
}

// MARK: Photos

/// The details given with a photo.
struct PhotoDraft: Sendable {
    var engagement: EngagementID
    var moment: PhotoMoment
    var place: Place?
}

extension PlateUseCases {
    /// Stores a participant's photo of a vehicle's condition.
    func takePhoto(
        _ data: Data, _ draft: PhotoDraft, by person: Identity, key: IdempotencyKey?
    ) async throws -> VehiclePhoto {
        let id = try await database.answer(once: key) {
            try await make(data, draft, by: person, key: key)
        }
        return try await photo(id)
    }

    private func make(
        _ data: Data, _ draft: PhotoDraft, by person: Identity, key: IdempotencyKey?
    ) async throws -> PictureID {
        let picture = try KeptPictures.checked(data)
        let now = clock.now
        let engagement = try await engagement(draft.engagement) { engagement in
            guard engagement.opensPhotos(to: person) else { return .nothingToPhotograph }
            return engagement.refusal(of: draft.moment, at: now)
        }
        let content = picture.withoutMetadata()
        let digest = SHA256.hash(data: content).hex
        let photo = StoredPhoto(
            id: .new(at: now), engagement: engagement.id, product: engagement.product,
            owner: engagement.photos?.owner, moment: draft.moment, sha256: digest,
            place: draft.place, author: person.person, role: engagement.role(of: person),
            takenAt: now)
        try await checkRoom(in: draft.engagement)
        try await keep(content, picture.type, as: photo.id)
        return try await database.write(once: key) { transaction in
            try transaction.requireStanding(of: person.person, as: photo.role)
            guard try transaction.photos.count(of: draft.engagement) < Self.mostPhotos else {
                throw Refusal.tooManyVehiclePhotos
            }
            try transaction.photos.save(photo)
            try transaction.pictures.keep(photo.id)
            try transaction.publish(photo.event, at: now)
            return photo.id
        }
    }

    /// Checked first, so that no picture is written only to be deleted.
    private func checkRoom(in engagement: EngagementID) async throws {
        let taken = try await database.read { try $0.photos.count(of: engagement) }
        guard taken < Self.mostPhotos else {
            throw Refusal.tooManyVehiclePhotos.because("The limit is \(Self.mostPhotos).")
        }
    }

    private func photo(_ id: PictureID) async throws -> VehiclePhoto {
        guard let photo = try await database.read({ try $0.photos.find(id) }) else {
            // As above.
            throw Refusal.nothingToPhotograph
        }
        return body(of: photo)
    }

    /// Newest first, with signed URLs that are valid for a while.
    func photos(
        of id: EngagementID, for person: Identity, _ page: PageRequest
    ) async throws -> Page<VehiclePhoto> {
        _ = try await engagement(id) { $0.opensPhotos(to: person) ? nil : .nothingToPhotograph }
        let found = try await database.read { try $0.photos.all(of: id, page) }
        return page.page(of: found, cursor: \.id, body)
    }

    private func body(of photo: StoredPhoto) -> VehiclePhoto {
        VehiclePhoto(
            id: photo.id, moment: photo.moment, sha256: photo.sha256, place: photo.place,
            by: photo.author, role: photo.role, takenAt: photo.takenAt,
            photoURL: address(of: photo.id))
    }
}

extension StoredPhoto {
    var event: PhotoTaken {
        PhotoTaken(
            photo: id, engagement: engagement, product: product, moment: moment, sha256: sha256,
            place: place, by: author, role: role, takenAt: takenAt)
    }
}

// MARK: Pictures

extension PlateUseCases {
    private func address(of picture: PictureID) -> String {
        addresses.sign(SignedAddresses.path(vehicle: picture), at: clock.now)
    }

    /// Stores a picture and schedules its deletion, so that an interrupted request leaves none behind; storing its
    /// row cancels that.
    private func keep(_ data: Data, _ type: PictureType, as id: PictureID) async throws {
        let due = clock.now.addingTimeInterval(Self.grace)
        try await database.write { try $0.pictures.deleteLater(id, at: due) }
        try await pictures.put(data, type, as: id)
    }

    /// The picture's data, for anyone with its signed URL.
    func picture(_ id: PictureID) async throws -> Blob {
        let isKnown = try await database.read { try $0.pictures.isKnown(id) }
        guard isKnown else { throw Refusal.pictureUnknown }
        guard let blob = try await pictures.get(id) else { throw Refusal.pictureUnknown }
        return blob
    }

    /// Deletes a picture without a row.
    func remove(_ picture: PictureID) async throws { try await pictures.delete(picture) }

    private var pictures: KeptPictures { KeptPictures("vehicles", in: blobs, logger: logger) }
}

// MARK: Export of personal data

/// All data that plates holds about a person.
struct PlatesRecord: Codable, Sendable {
    struct Photo: Codable, Sendable {
        var engagement: EngagementID
        var photo: VehiclePhoto
    }

    struct Made: Codable, Sendable {
        var engagement: EngagementID?
        var proposed: Recognition
        var confirmed: VehicleDescription?
    }

    var photos: [Photo]
    var recognitions: [Made]
}

extension PlateUseCases {
    func record(of person: PersonID) async throws -> PlatesRecord {
        let (photos, made) = try await database.read { transaction in
            (
                try transaction.photos.all(concerning: person, most: Self.mostOfAPerson),
                try transaction.recognitions.all(concerning: person, most: Self.mostOfAPerson)
            )
        }
        return PlatesRecord(
            photos: photos.map { .init(engagement: $0.engagement, photo: body(of: $0)) },
            recognitions: made.map {
                .init(
                    engagement: $0.engagement, proposed: $0.body(at: address(of: $0.picture)),
                    confirmed: $0.confirmed)
            })
    }
}

// MARK: Late events

extension PlateUseCases {
    /// The engagement if it allows the photo. Otherwise waits a moment for a late event, then asks the engagement's
    /// product.
    private func engagement(
        _ id: EngagementID, _ refusal: @escaping @Sendable (Engagement) -> Refusal?
    ) async throws -> Engagement {
        let known = try await engagements.value(of: id, in: database, within: patience) {
            refusal($0) == nil
        }
        if let known, refusal(known) == nil { return known }
        let newest = try await owners.newest(id)
        if let newest { try await apply(newest) }
        guard let engagement = newest ?? known else { throw Refusal.nothingToPhotograph }
        if let error = refusal(engagement) { throw error }
        return engagement
    }
}
