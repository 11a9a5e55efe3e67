import ServiceKit

extension BlobsConfig {
    public func store(in environment: ServiceEnvironment) throws -> any BlobStore {
        guard let s3 else { return try FolderBlobs(Self.folder(in: environment)) }
        let settings = S3Settings(
            url: s3.url, region: s3.region, bucket: s3.bucket, keyID: s3.keyID, secret: s3.secret)
        return S3Blobs(settings, client: environment.httpClient)
    }
}
