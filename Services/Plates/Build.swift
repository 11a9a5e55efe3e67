import Blobs
import Hummingbird
import ServiceKit
import ServiceLifecycle

/// Everything that plates is made of. Later services need earlier ones; they stop in reverse.
func build(_ config: PlatesConfig, _ house: House) async throws -> [any Service] {
    let plates = try plateUseCases(config, house, blobs: try blobStore(config.blobs, house))
    let bus = try house.bus(plates.database, reactions: plateReactions(plates))
    let doom = Periodic(
        "removing pictures", every: .seconds(300), of: plates.database, logger: house.logger
    ) {
        try await plates.removeDoomed()
    }
    return bus + [doom, house.server(plateRouter(plates, house))]
}

/// All endpoints of plates.
func plateRouter(_ plates: PlateUseCases, _ house: House) -> Router<Context> {
    let router = house.router(largestBody: PlateRoutes.largestPicture)
    PlateRoutes(plates: plates).add(to: router)
    return router
}

func plateUseCases(
    _ config: PlatesConfig, _ house: House, blobs: any BlobStore
) throws -> PlateUseCases {
    PlateUseCases(
        database: try house.database(plateMigrations), blobs: blobs,
        recogniser: AlprRecogniser(config.alpr, client: house.httpClient),
        addresses: house.signedAddresses, clock: house.clock, logger: house.logger)
}

private func blobStore(_ config: BlobsConfig, _ house: House) throws -> any BlobStore {
    guard let s3 = config.s3 else { return try FolderBlobs(BlobsConfig.folder(in: house)) }
    let settings = S3Settings(
        url: s3.url, region: s3.region, bucket: s3.bucket, keyID: s3.keyID, secret: s3.secret)
    return S3Blobs(settings, client: house.httpClient)
}
