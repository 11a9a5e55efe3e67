import Foundation

/// Pictures of one pixel, and what only looks like one.
enum TestPictures {
    static let png = data(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
    )
    /// The same with the comment "at home".
    static let commentedPNG = data(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAAD3RFWHRDb21tZW50AGF0IGhvbWUjp62GAAAADElEQVR4"
            + "nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC")
    /// 100,000 pixels a side, if it were unfolded.
    static let bomb = data(
        "iVBORw0KGgoAAAANSUhEUgABhqAAAYagCAIAAAAnMJyfAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
    )
    static let webP = data("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")

    private static func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
