import Contracts
import Foundation
import Kafka
import Store
import Support
import Testing

@testable import EventBus

@Suite(.withoutDatabase) struct TraceContextTests {
    let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func aTraceparentIsReadAndWritten() throws {
        let trace = try #require(TraceContext(text))
        #expect(trace.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(trace.spanID == "00f067aa0ba902b7")
        #expect(trace.isSampled)
        #expect(trace.text == text)
        let unsampled = try #require(TraceContext(text.dropLast(2) + "02"))
        #expect(!unsampled.isSampled)
        #expect(unsampled.text.hasSuffix("-00"))
    }

    @Test(arguments: [
        "", "00", "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
        "00-4bf92f3577b34da6a3ce929d0e0e47360-0f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e473é-00f067aa0ba902b-01",
    ])
    func anythingElseIsNot(_ text: String) {
        #expect(TraceContext(text) == nil)
    }

    @Test func aStepKeepsTheTraceAndHasASpanOfItsOwn() throws {
        let root = TraceContext.root()
        let child = root.child()
        #expect(child.traceID == root.traceID)
        #expect(child.spanID != root.spanID)
        #expect(TraceContext(root.text) == root)
        #expect(TraceContext(child.text) == child)
    }
}

@Suite(.withoutDatabase) struct BackoffTests {
    @Test func itDoublesUpToALimitAndIsNeverInStep() {
        var backoff = Backoff(first: .milliseconds(50), most: .seconds(2))
        var whole = Duration.milliseconds(50)
        for _ in 0..<40 {
            let time = backoff.next()
            #expect(time >= whole / 2 && time <= whole)
            whole = min(.seconds(2), whole * 2)
        }
        backoff.reset()
        #expect(backoff.next() <= .milliseconds(50))
    }
}

@Suite(.withoutDatabase) struct ReactionsTests {
    @Test func topicsFollowFromTheTypes() async throws {
        let reactions = Reactions {
            when(Ticked.self) { _, _ in }
            when(Tocked.self) { _, _ in }
        }
        #expect(reactions.topics == [.orders, .payments])
        #expect(throws: Never.self) { try reactions.requireOneEach() }
        #expect(Reactions {}.topics.isEmpty)
    }

    @Test func twoReactionsToOneTypeAreRefused() {
        let reactions = Reactions {
            when(Ticked.self) { _, _ in }
            when(Ticked.self) { _, _ in }
        }
        #expect(throws: BusError.severalReactions(type: Ticked.type)) {
            try reactions.requireOneEach()
        }
    }

    @Test func aTypeThatIsNotNamedIsSkipped() async throws {
        let heard = Recorder<Int>()
        let reactions = Reactions { when(Ticked.self) { event, _ in heard.add(event.number) } }
        let other = Tocked(owner: "a", number: 1)
        try await reactions.receive(other, .of(other, at: noon))
        let own = Ticked(owner: "a", number: 2)
        try await reactions.receive(own, .of(own, at: noon))
        #expect(heard.all == [2])
    }
}

@Suite(.withoutDatabase) struct RecordProgressTests {
    private func record(_ offset: Int64, partition: Int32 = 0) -> ReceivedRecord {
        ReceivedRecord(
            topic: "orders", partition: partition, offset: offset, key: nil, value: Data())
    }

    @Test func nothingIsDoneBeforeWhatCameEarlier() {
        let progress = RecordProgress(limit: 10)
        let tickets = (0..<4).map { progress.begin(record(Int64($0))) }
        let other = progress.begin(record(9, partition: 1))
        #expect(progress.takeDone().isEmpty)
        progress.finish(tickets[1])
        progress.finish(tickets[3])
        #expect(progress.takeDone().isEmpty)
        progress.finish(tickets[0])
        progress.finish(other)
        #expect(Set(progress.takeDone().map(\.offset)) == [1, 9])
        #expect(progress.takeDone().isEmpty)
        progress.finish(tickets[2])
        #expect(progress.takeDone().map(\.offset) == [3])
    }

    @Test func itIsFullUntilSomethingIsDoneWithoutAGap() async {
        let progress = RecordProgress(limit: 2)
        let tickets = (0..<2).map { progress.begin(record(Int64($0))) }
        #expect(progress.isFull)
        progress.finish(tickets[1])
        _ = progress.takeDone()
        #expect(progress.isFull)
        progress.finish(tickets[0])
        await progress.waitForFinished()
        _ = progress.takeDone()
        #expect(!progress.isFull)
    }

    @Test func aWaitAfterACancelledOneWaits() async throws {
        let progress = RecordProgress(limit: 10)
        let ticket = progress.begin(record(0))
        let cancelled = Task { await progress.waitForFinished() }
        cancelled.cancel()
        await cancelled.value
        let order = Recorder<String>()
        let next = Task {
            await progress.waitUntilAllFinished()
            order.add("waited")
        }
        try await Task.sleep(for: .milliseconds(50))
        order.add("finished")
        progress.finish(ticket)
        await next.value
        #expect(order.all == ["finished", "waited"])
    }

    @Test func aRecordThatIsReadAgainIsAnotherOne() {
        let progress = RecordProgress(limit: 10)
        let first = progress.begin(record(5))
        let again = progress.begin(record(5))
        progress.finish(again)
        #expect(progress.takeDone().isEmpty)
        progress.finish(first)
        #expect(progress.takeDone().map(\.offset) == [5])
    }
}

@Suite(.withoutDatabase) struct LossWatchTests {
    @Test func aLossIsActedUponAtOnce() {
        let watch = LossWatch()
        #expect(!watch.isDue(at: .now))
        watch.note(.offsets)
        #expect(watch.isDue(at: .now))
    }

    @Test func aLossSoonAfterAnotherWaitsAndIsNotForgotten() {
        let start = ContinuousClock.now
        let watch = LossWatch(restarted: start)
        #expect(!watch.isDue(at: start + LossWatch.interval))
        watch.note(.offsets)
        watch.note(.otherCluster)
        #expect(!watch.isDue(at: start + LossWatch.interval - .seconds(1)))
        #expect(watch.loss == .offsets)
        #expect(watch.isDue(at: start + LossWatch.interval))
    }
}

@Suite(.withoutDatabase) struct WavesTests {
    @Test func aWaveHasOneRecordOfEachKeyAndTheirOrderStays() {
        let records = ["a1", "b1", "a2", "a3", "c1", "b2"].map { name in
            KafkaRecord(topic: "t", key: String(name.prefix(1)), value: Data(name.utf8))
        }
        let waves = OutboxRelay.waves(records).map { wave in
            wave.map { String(decoding: $0.value, as: UTF8.self) }
        }
        #expect(waves == [["a1", "b1", "c1"], ["a2", "b2"], ["a3"]])
        #expect(OutboxRelay.waves([]).isEmpty)
    }
}

@Suite(.withoutDatabase) struct RetriesTests {
    @Test func aFailureIsTriedABoundedNumberOfTimes() async {
        let failures = Recorder<Int>()
        let tries = Recorder<Int>()
        let outcome = await Retries { _, attempt in failures.add(attempt) }.run { attempt in
            tries.add(attempt)
            throw Broken()
        }
        guard case .failed(let error, let attempts) = outcome else {
            Issue.record("it did not fail")
            return
        }
        #expect(error is Broken)
        #expect(attempts == Retries.most + 1)
        #expect(tries.all == Array(1...Retries.most + 1))
        #expect(failures.all == Array(1...Retries.most))
    }

    @Test func aDependencyThatIsAwayDoesNotCount() async {
        let outcome = await Retries { _, _ in }.run { attempt in
            switch attempt {
            case 1...4: throw Away()
            case 5: throw StoreError(.busy, "")
            case 6: throw Broken()
            default: return
            }
        }
        guard case .succeeded = outcome else {
            Issue.record("it did not succeed")
            return
        }
    }

    @Test func aTaskThatIsCancelledGivesUp() async {
        let outcome = await withTaskGroup(of: Retries.Outcome.self) { group in
            group.cancelAll()
            group.addTask { await Retries { _, _ in }.run { _ in throw Away() } }
            return await group.next()
        }
        guard case .stopped = outcome else {
            Issue.record("it did not stop")
            return
        }
    }

    @Test func theStoresAndKafkasErrorsSayWhetherToTryAgain() {
        #expect(StoreError(.busy, "").isRetriable)
        #expect(StoreError(.full, "").isRetriable)
        #expect(!StoreError(.uniqueViolation, "").isRetriable)
        #expect(KafkaError(.retriable, "").isRetriable)
        #expect(!KafkaError(.permanent, "").isRetriable)
    }
}
