import Pictures
import Testing

@Test func aTypeIsItsMediaType() { #expect(PictureType(rawValue: "image/png") == .png) }
