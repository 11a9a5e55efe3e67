import Kafka
import Logging
import Support
import Testing

@testable import EventBus

@Suite(.withoutDatabase) struct KafkaLogTests {
    private func line(_ message: String, client: String = "orders#producer-1") -> KafkaLogLine {
        KafkaLogLine(severity: 4, facility: "ERROR", client: client, message: message)
    }

    @Test func aLineArrivesWithLevelFacilityAndClient() {
        let written = Recorder<WrittenLine>()
        let logger = Logger(label: "test") { _ in RecordingLog(written: written) }
        logger.kafkaHandler(line("Kafka can't be reached: kafka:9092"))
        #expect(written.all.map(\.level) == [.warning])
        #expect(written.all.map(\.text) == ["Kafka can't be reached: kafka:9092"])
        #expect(
            written.all.first?.metadata == ["facility": "ERROR", "client": "orders#producer-1"])
    }

    @Test func linesBelowTheLevelAreLeftOut() {
        let written = Recorder<WrittenLine>()
        var logger = Logger(label: "test") { _ in RecordingLog(written: written) }
        logger.logLevel = .error
        logger.kafkaHandler(line("Kafka can't be reached"))
        #expect(written.count == 0)
    }

    @Test func everyClientOfTheProcessTogetherSaysAThingOnceAMinute() {
        let repeats = RepeatedLines()
        let start = ContinuousClock.now
        #expect(repeats.omitted(before: line("Connect failed (after 1 ms)"), at: start) == 0)
        for number in 2...5 {
            let again = line("Connect failed (after \(number) ms)", client: "orders#consumer-2")
            #expect(repeats.omitted(before: again, at: start + .seconds(number)) == nil)
        }
        #expect(repeats.omitted(before: line("Another"), at: start + .seconds(6)) == 0)
        let later = start + RepeatedLines.interval
        #expect(repeats.omitted(before: line("Connect failed (after 6 ms)"), at: later) == 4)
        #expect(repeats.omitted(before: line("Connect failed (after 7 ms)"), at: later) == nil)
    }

    @Test func itRemembersOnlySoMany() {
        let repeats = RepeatedLines()
        let names = (0...RepeatedLines.most).map { String(repeating: "x", count: $0) }
        for name in names { #expect(repeats.omitted(before: line(name)) == 0) }
        #expect(repeats.omitted(before: line(names[0])) == 0, "forgotten, so it is written again")
    }

    @Test(arguments: [
        (0, Logger.Level.critical), (2, .critical), (3, .error), (4, .warning), (5, .notice),
        (6, .info), (7, .debug),
    ]) func severitiesAreLevels(severity: Int, level: Logger.Level) {
        #expect(Logger.Level(severity: severity) == level)
    }
}

private struct WrittenLine: Sendable {
    let level: Logger.Level
    let text: String
    let metadata: Logger.Metadata
}

private struct RecordingLog: LogHandler {
    let written: Recorder<WrittenLine>
    var logLevel = Logger.Level.trace
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        written.add(
            WrittenLine(
                level: event.level, text: "\(event.message)", metadata: event.metadata ?? [:]))
    }
}
