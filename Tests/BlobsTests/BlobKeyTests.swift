import Blobs
import Testing

@Test(arguments: ["", "/", "a//b", "../a", "a/../b", "a b", "ä"])
func aKeyCannotClimb(_ text: String) { #expect(BlobKey(text) == nil) }
