import Foundation

/// Where a service stores pictures; each service with pictures has these settings.
public struct BlobsConfig: Sendable {
    public struct S3: Sendable {
        public let url: URL
        public let region: String
        public let bucket: String
        public let keyID: String
        public let secret: String
    }

    public static let keys = [
        ConfigKey(
            "OPENVALET_BLOBS_S3_URL", default: "",
            "S3-compatible store for pictures, for example http://minio:9000; without it they are in "
                + "the data folder."),
        ConfigKey("OPENVALET_BLOBS_S3_REGION", default: "us-east-1", "Region of the store."),
        ConfigKey("OPENVALET_BLOBS_S3_BUCKET", default: "", "Bucket, which must exist."),
        ConfigKey("OPENVALET_BLOBS_S3_KEY_ID", default: "", "ID of the access key."),
        ConfigKey(
            "OPENVALET_BLOBS_S3_SECRET", default: "", secret: true, "Secret of the access key."),
    ]

    /// Nil if pictures are stored in a folder.
    public let s3: S3?

    public init(_ values: ConfigValues) throws {
        guard try values.optional("OPENVALET_BLOBS_S3_URL") != nil else {
            s3 = nil
            return
        }
        func required(_ name: String) throws -> String {
            guard let value = try values.optional(name) else {
                throw ConfigError("\(name) is missing, and OPENVALET_BLOBS_S3_URL is given")
            }
            return value
        }
        s3 = S3(
            url: try values.url("OPENVALET_BLOBS_S3_URL"),
            region: try required("OPENVALET_BLOBS_S3_REGION"),
            bucket: try required("OPENVALET_BLOBS_S3_BUCKET"),
            keyID: try required("OPENVALET_BLOBS_S3_KEY_ID"),
            secret: try required("OPENVALET_BLOBS_S3_SECRET"))
    }

    /// Folder of pictures in the data folder.
    public static func folder(in environment: ServiceEnvironment) -> String {
        "\(environment.common.dataFolder)/blobs"
    }
}

extension ServiceEnvironment {
    /// Makes and checks the addresses of pictures.
    public var signedAddresses: SignedAddresses { SignedAddresses(secret: common.serviceSecret) }
}
