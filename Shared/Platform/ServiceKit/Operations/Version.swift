extension ServiceProgram {
    /// The version of this release (https://semver.org): `--version` prints it, and the API documents name it.
    public static let version = "1.0.0"
}
