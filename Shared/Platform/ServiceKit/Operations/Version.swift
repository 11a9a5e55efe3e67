extension ServiceProgram {
    /// The version of this release (https://semver.org): `--version` prints it, and the API documents name it. Between
    /// two releases it is the next one, with `-dev`.
    public static let version = "1.1.0-dev"
}
