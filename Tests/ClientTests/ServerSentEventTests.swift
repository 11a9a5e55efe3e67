import Testing

@testable import Client

@Suite struct ServerSentEventTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let what: String
        let text: String
        let events: [ServerSentEvent]
        var testDescription: String { what }
    }

    static func event(
        _ data: String, name: String = "message", id: String = ""
    ) -> ServerSentEvent {
        ServerSentEvent(name: name, data: data, lastEventID: id)
    }

    static let examples: [Example] = [
        Example(what: "nothing", text: "", events: []),
        Example(what: "one event", text: "data: a\n\n", events: [event("a")]),
        Example(what: "no space", text: "data:a\n\n", events: [event("a")]),
        Example(what: "one space of two", text: "data:  a\n\n", events: [event(" a")]),
        Example(what: "lines of data", text: "data: a\ndata: b\n\n", events: [event("a\nb")]),
        Example(what: "data without a colon", text: "data\ndata\n\n", events: [event("\n")]),
        Example(what: "empty data", text: "data:\n\n", events: [event("")]),
        Example(
            what: "a name and an id", text: "event: order\nid: 7\ndata: {}\n\n",
            events: [event("{}", name: "order", id: "7")]),
        Example(
            what: "the name holds for one event, the id for all that follow",
            text: "id: 7\nevent: x\ndata: a\n\ndata: b\n\n",
            events: [event("a", name: "x", id: "7"), event("b", id: "7")]),
        Example(
            what: "an empty id takes the id away", text: "id: 7\ndata: a\n\nid\ndata: b\n\n",
            events: [event("a", id: "7"), event("b")]),
        Example(
            what: "an id alone counts", text: "id: 9\n\ndata: a\n\n",
            events: [event("a", id: "9")]),
        Example(
            what: "an id with a NUL does not count", text: "id: 4\u{0}2\ndata: a\n\n",
            events: [event("a")]),
        Example(what: "a comment", text: ": alive\n\ndata: a\n\n", events: [event("a")]),
        Example(what: "a name without data", text: "event: x\n\ndata: a\n\n", events: [event("a")]),
        Example(what: "an unknown field", text: "colour: red\ndata: a\n\n", events: [event("a")]),
        Example(what: "a field is lower case", text: "Data: a\n\n", events: []),
        Example(
            what: "carriage returns", text: "data: a\r\rdata: b\r\r",
            events: [event("a"), event("b")]),
        Example(
            what: "both", text: "data: a\r\n\r\ndata: b\r\n\r\n",
            events: [event("a"), event("b")]),
        Example(what: "a byte order mark", text: "\u{FEFF}data: a\n\n", events: [event("a")]),
        Example(what: "only one of them", text: "\u{FEFF}\u{FEFF}data: a\n\n", events: []),
        Example(what: "an unfinished event", text: "data: a\n", events: []),
        Example(what: "beyond ASCII", text: "data: 代客泊車 🚗\n\n", events: [event("代客泊車 🚗")]),
        Example(what: "colons in the data", text: "data: a: b\n\n", events: [event("a: b")]),
    ]

    @Test(arguments: examples)
    func theStandardIsFollowed(_ example: Example) throws {
        var parser = ServerSentEventParser()
        #expect(try parser.feed(Array(example.text.utf8)) == example.events)
    }

    @Test(arguments: examples)
    func whereTheBytesAreCutDoesNotMatter(_ example: Example) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for byte in example.text.utf8 { events += try parser.feed([byte]) }
        #expect(events == example.events)
    }

    @Test func anIdOfAnEventThatHasNotEndedIsNotGoneOnFrom() throws {
        var parser = ServerSentEventParser(lastEventID: "3")
        _ = try parser.feed(Array("id: 4\ndata: a\n".utf8))
        #expect(parser.lastEventID == "3")
        _ = try parser.feed(Array("\n".utf8))
        #expect(parser.lastEventID == "4")
    }

    @Test func aNewConnectionForgetsWhatWasNotFinishedButNotWhereToGoOn() throws {
        var parser = ServerSentEventParser()
        _ = try parser.feed(Array("retry: 50\nid: 1\ndata: a\n\nid: 2\ndata: b".utf8))
        parser.restart()
        #expect(parser.lastEventID == "1")
        #expect(parser.retryMilliseconds == 50)
        #expect(try parser.feed(Array("data: c\n\n".utf8)) == [Self.event("c", id: "1")])
    }

    @Test func aRetryOfDigitsIsKeptAndAnythingElseIsNot() throws {
        var parser = ServerSentEventParser()
        _ = try parser.feed(Array("retry: 2500\n".utf8))
        #expect(parser.retryMilliseconds == 2_500)
        _ = try parser.feed(Array("retry: soon\nretry: -1\nretry:\n".utf8))
        #expect(parser.retryMilliseconds == 2_500)
    }

    @Test func aLineWithoutAnEndIsRefused() {
        var parser = ServerSentEventParser()
        let line = [UInt8](repeating: 0x61, count: ServerSentEventParser.lineLimitBytes + 1)
        #expect(throws: ServerSentEventError.lineTooLong) { try parser.feed(line) }
    }

    @Test func anEventWithoutAnEndIsRefused() throws {
        var parser = ServerSentEventParser()
        let line = Array("data: \(String(repeating: "a", count: 200_000))\n".utf8)
        #expect(throws: ServerSentEventError.eventTooLong) {
            for _ in 0..<10 { _ = try parser.feed(line) }
        }
    }
}
