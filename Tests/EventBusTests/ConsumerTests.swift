import Contracts
import Foundation
import Kafka
import ServiceContextModule
import ServiceLifecycle
import Store
import Support
import Synchronization
import Testing

@testable import EventBus

@Suite struct ConsumerTests {
    let broker: Broker
    let producer: KafkaProducer

    init() throws {
        broker = try Broker.start()
        producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
    }

    private func consumer(
        _ group: String = "readers", @ReactionBuilder _ reactions: () -> [Reaction]
    ) -> EventConsumer {
        EventConsumer(
            broker.configuration, group: group, signatures: signatures,
            reactions: Reactions(reactions), dead: producer,
            logger: silent)
    }

    @Test(.withoutDatabase) func aPoisonedRecordDiesWithItsReasonAndStopsNobody() async throws {
        let heard = Recorder<Int>()
        let tries = Recorder<Int>()
        let graves = Recorder<ReceivedRecord>()
        let consumer = consumer {
            when(Ticked.self) { event, delivery in
                if event.number == 2 {
                    tries.add(delivery.attempt)
                    throw Broken()
                }
                heard.add(event.number)
            }
        }
        let id = EventID.new()
        let reader = broker.reader(of: ["orders.dead"], graves)
        try await running([ProducerService(producer), consumer, reader]) { [producer] in
            try await producer.send(Ticked(owner: "a", number: 1))
            try await producer.send(Ticked(owner: "a", number: 2), id: id)
            try await producer.send(Ticked(owner: "a", number: 3))
            try await until { heard.count >= 2 && graves.count >= 1 }
        }
        #expect(heard.all == [1, 3])
        #expect(tries.all == [1, 2, 3, 4, 5, 6])
        let grave = try #require(graves.all.first)
        #expect(grave.key == "a")
        #expect(grave.event(Ticked.self) == Ticked(owner: "a", number: 2))
        #expect(grave.headers["ce_id"] == id.description)
        #expect(grave.headers[DeadHeader.consumer] == "readers")
        #expect(grave.headers[DeadHeader.attempts] == "6")
        #expect(grave.headers[DeadHeader.reason] == "EventBusTests.Broken")
        #expect(grave.headers[DeadHeader.id].flatMap(DeadLetterID.init) != nil)
    }

    @Test(.withoutDatabase) func whatIsMalformedDiesAtOnceAndWhatIsUnknownIsSkipped() async throws {
        let heard = Recorder<Int>()
        let graves = Recorder<ReceivedRecord>()
        let consumer = consumer { when(Ticked.self) { event, _ in heard.add(event.number) } }
        let reader = broker.reader(of: ["orders.dead"], graves)
        try await running([ProducerService(producer), consumer, reader]) { [producer] in
            let tick = Ticked(owner: "a", number: 1)
            try await producer.send(tick, body: Data("not JSON".utf8))
            try await producer.send(tick, body: Data(#"{"owner":"a"}"#.utf8))
            try await producer.send(tick, body: Data(#"{"owner":"a","number":"7700"}"#.utf8))
            try await producer.send(tick, headers: ["ce_id": "1"])
            try await producer.send(tick, headers: ["ce_time": nil])
            try await producer.send(tick, body: Data(), headers: ["ce_type": "orders.new.v9"])
            let more = Data(#"{"owner":"a","number":7,"text":"","surprise":[1]}"#.utf8)
            try await producer.send(tick, body: more)
            try await until { heard.count >= 1 && graves.count >= 5 }
        }
        #expect(heard.all == [7])
        #expect(graves.all.allSatisfy { $0.headers[DeadHeader.attempts] == "0" })
        // Without what was found: it may be somebody's.
        #expect(
            graves.all.map { $0.headers[DeadHeader.reason] } == [
                "The body is malformed: an invalid value",
                "The body is malformed: no field at number",
                "The body is malformed: another type at number",
                "The envelope is malformed", "The envelope is malformed",
            ])
    }

    @Test(.withoutDatabase) func whatAValueOfALaterReleaseMakesMeaninglessIsLeftAlone() async throws
    {
        let heard = Recorder<Int>()
        let graves = Recorder<ReceivedRecord>()
        let consumer = consumer {
            when(Ticked.self) { event, _ in
                heard.add(event.number)
                _ = try Open<Role>(rawValue: event.number == 1 ? "pilot" : "valet").required("role")
            }
        }
        let reader = broker.reader(of: ["orders.dead"], graves)
        try await running([ProducerService(producer), consumer, reader]) { [producer] in
            try await producer.send(Ticked(owner: "a", number: 1))
            try await producer.send(Ticked(owner: "a", number: 2))
            try await until { heard.count >= 2 }
        }
        #expect(heard.all == [1, 2], "once each")
        #expect(graves.count == 0)
    }

    @Test(.withoutDatabase) func aDependencyThatIsAwayIsWaitedFor() async throws {
        let heard = Recorder<Int>()
        let tries = Atomic(0)
        let graves = Recorder<ReceivedRecord>()
        let tryCount = Retries.most + 3
        let consumer = consumer {
            when(Ticked.self) { event, _ in
                let count = tries.wrappingAdd(1, ordering: .relaxed).newValue
                if count < tryCount { throw Away() }
                heard.add(event.number)
            }
        }
        let reader = broker.reader(of: ["orders.dead"], graves)
        try await running([ProducerService(producer), consumer, reader]) { [producer] in
            try await producer.send(Ticked(owner: "a", number: 1))
            try await until { heard.count >= 1 }
        }
        #expect(graves.count == 0)
    }

    @Test(.withoutDatabase) func whatIsNotDoneWhenWeStopIsReadAgain() async throws {
        let tried = Recorder<Int>()
        let first = consumer {
            when(Ticked.self) { event, _ in
                if event.number == 2 {
                    tried.add(2)
                    throw Away()
                }
            }
        }
        try await running([ProducerService(producer), first]) { [producer] in
            for number in 1...3 { try await producer.send(Ticked(owner: "a", number: number)) }
            try await until { tried.count > 1 }
        }
        #expect(!first.status.isAssigned)
        let next = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let heard = Recorder<Int>()
        let second = EventConsumer(
            broker.configuration, group: "readers", signatures: signatures,
            reactions: Reactions { when(Ticked.self) { event, _ in heard.add(event.number) } },
            dead: next, logger: silent)
        try await running([ProducerService(next), second]) {
            try await until { heard.count >= 2 }
        }
        #expect(heard.all == [2, 3])
    }

    @Test(.withoutDatabase) func aGroupGoesOnWhereItStopped() async throws {
        let heard = Recorder<Int>()
        func reading(_ producer: KafkaProducer) -> EventConsumer {
            EventConsumer(
                broker.configuration, group: "readers", signatures: signatures,
                reactions: Reactions { when(Ticked.self) { event, _ in heard.add(event.number) } },
                dead: producer, logger: silent)
        }
        try await running([ProducerService(producer), reading(producer)]) { [producer] in
            try await producer.send(Ticked(owner: "a", number: 1))
            try await until { heard.count >= 1 }
        }
        let next = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        try await running([ProducerService(next), reading(next)]) {
            try await next.send(Ticked(owner: "a", number: 2))
            try await until { heard.count >= 2 }
        }
        #expect(heard.all == [1, 2])
    }

    @Test(.withoutDatabase) func aDeadLetterThatCannotBeWrittenIsTriedAgain() async throws {
        let graves = Recorder<ReceivedRecord>()
        let consumer = consumer {
            when(Ticked.self) { [broker] event, delivery in
                if event.number == 1 { return }
                if delivery.attempt > Retries.most {
                    // What is produced next is the dead letter.
                    try broker.cluster.failProducing(.invalidRecord, .invalidRecord)
                }
                throw Broken()
            }
        }
        let reader = broker.reader(of: ["orders.dead"], graves)
        try await running([ProducerService(producer), consumer, reader]) { [producer] in
            try await producer.send(Ticked(owner: "a", number: 2))
            try await until { graves.count >= 1 }
        }
        #expect(graves.all.first?.event(Ticked.self)?.number == 2)
    }

    @Test func whatAReactionPublishesContinuesTheTrace() async throws {
        let (sender, receiver) = (try busDatabase(), try busDatabase())
        let relay = OutboxRelay(sender, producer: producer, logger: silent)
        let consumer = consumer {
            when(Ticked.self) { event, delivery in
                try await receiver.apply(delivery) { transaction in
                    let answer = Tocked(owner: event.owner, number: event.number)
                    try transaction.publish(answer, at: noon)
                }
            }
        }
        let trace = TraceContext.root()
        var context = ServiceContext.topLevel
        context.traceContext = trace
        try await ServiceContext.$current.withValue(context) {
            try await sender.publish(Ticked(owner: "a", number: 1))
        }
        try await running([ProducerService(producer), relay, consumer]) {
            try await until { try await receiver.pending() == 1 }
        }
        let entry = try #require(try await Outbox.unsent(1, in: receiver).first)
        let header = try #require(entry.record.headers.first { $0.name == "traceparent" })
        #expect(TraceContext(header.value)?.traceID == trace.traceID)
    }

    @Test(.withoutDatabase) func twoReactionsToOneTypeStopTheStart() async throws {
        let consumer = consumer {
            when(Ticked.self) { _, _ in }
            when(Ticked.self) { _, _ in }
        }
        await #expect(throws: BusError.self) { try await consumer.run() }
    }

    @Test(.withoutDatabase) func aReactionThatHangsHoldsUpOnlyItsOwnKeys() async throws {
        let heard = Recorder<Int>()
        let consumer = consumer {
            when(Ticked.self) { event, _ in
                if event.owner == "stuck" { throw Away() }
                heard.add(event.number)
            }
        }
        try await running([ProducerService(producer), consumer]) { [producer] in
            try await producer.send(Ticked(owner: "stuck", number: 0))
            for number in 0..<100 {
                try await producer.send(Ticked(owner: "\(number)", number: number))
            }
            // One lane of them is behind the one that is stuck.
            try await until { heard.count > 50 }
        }
    }

    @Test func aSecondProcessOfAGroupTakesItsShareAndNothingIsAppliedTwice() async throws {
        let database = try busDatabase()
        var shared = broker.configuration
        shared.isSoleReader = false
        let consumers = (0..<2).map { [shared] _ in
            EventConsumer(
                shared, group: "shared", signatures: signatures,
                reactions: applyingTicks(to: database),
                dead: producer, logger: silent)
        }
        let (owners, half) = (8, 25)
        let publish: @Sendable (Range<Int>) async throws -> Void = { [producer] numbers in
            for number in numbers {
                for owner in 0..<owners {
                    try await producer.send(Ticked(owner: "\(owner)", number: number))
                }
            }
        }
        try await running([ProducerService(producer), consumers[0]]) {
            try await until { consumers[0].status.isAssigned }
            try await publish(0..<half)
            try await running([consumers[1]]) {
                try await publish(half..<half * 2)
                try await until { consumers.allSatisfy(\.status.isAssigned) }
                try await publish(half * 2..<half * 3)
                for owner in 0..<owners {
                    try await until {
                        try await database.ticks(of: "\(owner)").count == half * 3
                    }
                }
            }
        }
        for owner in 0..<owners {
            let ticks = try await database.ticks(of: "\(owner)")
            #expect(ticks == Array(0..<half * 3))
        }
    }
}

@Suite(.withoutDatabase) struct ReaderTests {
    @Test func everyProcessHearsABroadcastFromNowOn() async throws {
        let broker = try Broker.start()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let recorders = [Recorder<Int>(), Recorder<Int>()]
        let consumers = recorders.map { recorder in
            BroadcastConsumer(
                broker.configuration, topics: [.orders], signatures: signatures, logger: silent
            ) { record in
                guard let event = record.event(Ticked.self) else { return }
                recorder.add(event.number)
                if event.number == 2 { throw Broken() }
            }
        }
        let services: [any Service] = [ProducerService(producer)] + consumers
        try await running([ProducerService(producer)]) {
            try await producer.send(Ticked(owner: "a", number: 1))
        }
        let next = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        try await running([ProducerService(next)] + services.dropFirst()) {
            try await until { consumers.allSatisfy(\.status.isAssigned) }
            for number in 2...4 { try await next.send(Ticked(owner: "a", number: number)) }
            try await until { recorders.allSatisfy { $0.all == [2, 3, 4] } }
        }
    }

    @Test func aRawReaderSkipsWhatKeepsFailing() async throws {
        let broker = try Broker.start()
        let producer = try KafkaProducer(broker.configuration, prepare: signatures.sign)
        let heard = Recorder<String>()
        let reader = RawConsumer(
            broker.configuration, group: "raw", topics: ["orders.dead", "payments.dead"],
            logger: silent
        ) { record in
            let text = String(decoding: record.value, as: UTF8.self)
            if text == "bad" { throw Broken() }
            heard.add(text)
        }
        try await running([ProducerService(producer), reader]) {
            for (topic, text) in [
                ("orders.dead", "one"), ("orders.dead", "bad"), ("orders.dead", "two"),
                ("payments.dead", "three"),
            ] {
                let record = KafkaRecord(topic: topic, key: "k", value: Data(text.utf8))
                try await producer.send(record)
            }
            try await until { heard.count >= 3 }
        }
        #expect(Set(heard.all) == ["one", "two", "three"])
    }
}
