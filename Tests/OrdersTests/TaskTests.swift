import Answers
import Contracts
import Foundation
import Support
import Testing

@testable import Orders

/// Wash and refuel of parked vehicles: who may do them, and what is billed.
struct TaskTests {
    private let wash = TaskBody(kind: .wash)
    private let refuel = TaskBody(kind: .refuel)

    private func parked(
        _ caller: Caller, _ extras: [Extra] = [.wash, .refuel]
    ) async throws -> OrderID {
        try await caller.bench.become(.available, .vera)
        return try await caller.order(in: .parked, extras: extras).id
    }

    private func tasks(
        _ caller: Caller, _ query: String = "", as person: TestPerson
    ) async throws -> [TaskListing] {
        try await caller.call(.get, "/v1/tasks\(query)", as: person)
            .expect(200, Page<TaskListing>.self).items
    }

    @Test func extrasBecomeOpenTasksWhenTheVehicleIsParked() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller)
            let order = try await caller.read(id, as: .alice)
            #expect(
                order.tasks == [
                    OrderTask(kind: .wash, status: .open), OrderTask(kind: .refuel, status: .open),
                ])
            #expect(try await bench.published(VehicleParked.self).first?.order.tasks?.count == 2)
            let listed = try await tasks(caller, as: .vera)
            #expect(listed.map(\.task.kind.known) == [.refuel, .wash])
            #expect(listed.first?.parked == .garage)
            #expect(listed.first?.ticket == order.ticket)
            #expect(listed.first?.vehicle?.plate == "AB 1234")
        }
    }

    @Test func aTaskIsTakenAndDoneByAValetWhoStaysFree() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller)
            let taken = try await caller.act("take-task", id, wash, as: .vera)
            #expect(taken.tasks.first?.status.known == .taken)
            #expect(taken.tasks.first?.valet == TestPerson.vera.valet)
            #expect(taken.handoverCode == nil)
            #expect(try await caller.act("take-task", id, wash, as: .vera).version == taken.version)
            #expect(try await caller.call(.get, "/v1/orders/current", as: .vera).status == 204)
            // A job comes all the same.
            let other = try await caller.place(as: .bob)
            try await bench.match(other.id, .vera)
            #expect(try await bench.stored(other.id).status == .droppingOff)
            bench.clock.advance(by: 600)
            let done = try await caller.act("complete-task", id, wash, as: .vera)
            #expect(done.tasks.first?.status.known == .done)
            #expect(done.tasks.first?.doneAt == bench.clock.now)
            let again = try await caller.act("complete-task", id, wash, as: .vera)
            #expect(again.version == done.version)
            let events = try await bench.published(TaskChanged.self)
            #expect(events.map(\.task.status.known) == [.taken, .done])
            #expect(events.allSatisfy { $0.by == TestPerson.vera.valet })
            try await caller.call(.post, "/v1/orders/\(id)/take-task", wash, as: .victor)
                .refused(409, "order.task_done")
            for word in ["release-task", "complete-task"] {
                try await caller.call(.post, "/v1/orders/\(id)/\(word)", wash, as: .victor)
                    .refused(409, "order.task_done")
            }
        }
    }

    @Test func ofTwoWhoTakeATaskOneIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller)
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for valet in [TestPerson.vera, .victor] {
                    group.addTask {
                        try await caller.call(.post, "/v1/orders/\(id)/take-task", wash, as: valet)
                    }
                }
                var answers: [Answer] = []
                for try await answer in group { answers.append(answer) }
                return answers
            }
            #expect(answers.map(\.status).sorted() == [200, 409])
            try answers.first { $0.status == 409 }?.refused(409, "order.task_taken")
            #expect(try await bench.published(TaskChanged.self).count == 1)
        }
    }

    @Test func aTaskMayBeGivenBackByWhoHasIt() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller)
            for word in ["release-task", "complete-task"] {
                try await caller.call(.post, "/v1/orders/\(id)/\(word)", wash, as: .vera)
                    .refused(403, "order.not_assigned")
            }
            try await caller.act("take-task", id, wash, as: .vera)
            for word in ["release-task", "complete-task"] {
                try await caller.call(.post, "/v1/orders/\(id)/\(word)", wash, as: .victor)
                    .refused(403, "order.not_assigned")
            }
            try await caller.act("release-task", id, wash, as: .vera)
            #expect(try await bench.stored(id).tasks.first?.status.known == .open)
            try await caller.act("take-task", id, wash, as: .victor)
        }
    }

    @Test func whatIsNotThereOrNotTheirsIsRefused() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller, [.wash])
            let path = "/v1/orders/\(id)/take-task"
            try await caller.call(.post, path, refuel, as: .vera)
                .refused(404, "order.task_unknown", field: "kind")
            try await caller.call(.post, path, raw: #"{"kind":"polish"}"#, as: .vera)
                .refused(400, "request.malformed", field: "kind")
            for person in [TestPerson.alice, .olivia] {
                try await caller.call(.post, path, wash, as: person).refused(403, "auth.role")
            }
            try await caller.call(.post, "/v1/orders/\(OrderID.new())/take-task", wash, as: .vera)
                .refused(404, "order.unknown")
            // Vera has gone over to the other side of the harbour.
            bench.clock.advance(by: 60)
            try await bench.become(.available, .vera, in: "kowloon")
            try await caller.call(.post, path, wash, as: .vera).refused(404, "order.unknown")
            #expect(try await tasks(caller, as: .vera).isEmpty)
            try await bench.learn(.victor, suspended: true)
            for step in ["take-task", "release-task", "complete-task"] {
                try await caller.call(
                    .post, "/v1/orders/\(OrderID.new())/\(step)", wash, as: .victor
                )
                .refused(403, "order.valet_suspended")
            }
            #expect(try await bench.published(TaskChanged.self).isEmpty)
        }
    }

    @Test func theListSaysWhoseAndWhich() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller)
            try await caller.act("take-task", id, wash, as: .vera)
            #expect(
                try await tasks(caller, "?status=open", as: .vera).map(\.task.kind.known) == [
                    .refuel
                ])
            #expect(
                try await tasks(caller, "?status=taken", as: .vera).map(\.task.kind.known) == [
                    .wash
                ])
            #expect(try await tasks(caller, "?status=done", as: .vera).isEmpty)
            // Victor has said nothing of where he is: only what he has taken.
            #expect(try await tasks(caller, as: .victor).isEmpty)
            #expect(try await tasks(caller, as: .olivia).count == 2)
            let page = try await caller.call(.get, "/v1/tasks?limit=1", as: .olivia)
                .expect(200, Page<TaskListing>.self)
            let cursor = try #require(page.next)
            let rest = try await tasks(caller, "?limit=1&after=\(cursor)", as: .olivia)
            #expect(rest.map(\.task.kind.known) == [.wash])
            try await caller.call(.get, "/v1/tasks?status=lost", as: .olivia)
                .refused(422, "request.invalid", field: "status")
            try await caller.call(.get, "/v1/tasks?after=x", as: .olivia)
                .refused(422, "request.invalid", field: "after")
            try await caller.call(.get, "/v1/tasks", as: .alice).refused(403, "auth.role")
        }
    }

    @Test func aRecallDropsWhatIsNotDone() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller)
            try await caller.act("take-task", id, wash, as: .vera)
            let view = try await caller.act(
                "recall", id, RecallBody(returnTo: .mongKok), as: .alice)
            #expect(view.tasks.isEmpty)
            let event = try #require(try await bench.published(TaskChanged.self).last)
            #expect(event.task == OrderTask(kind: .wash, status: .open))
            #expect(event.by == TestPerson.vera.valet)
            #expect(event.order.status == .requestingBack)
            #expect(try await tasks(caller, as: .olivia).isEmpty)
            try await caller.call(.post, "/v1/orders/\(id)/complete-task", wash, as: .vera)
                .refused(404, "order.unknown")
            try await caller.call(.post, "/v1/orders/\(id)/complete-task", wash, as: .victor)
                .refused(409, "order.not_possible")
            // The customer changes their mind: there is time again.
            let back = try await caller.act("cancel-recall", id, as: .alice)
            #expect(back.tasks.map(\.status.known) == [.open, .open])
        }
    }

    @Test func onlyWhatWasDoneIsBilled() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller)
            func kinds() async throws -> [Quote.Line.Kind] {
                try await caller.call(.get, "/v1/orders/\(id)/quote", as: .alice)
                    .expect(200, Quote.self).lines.compactMap(\.kind.known)
            }
            // While there is time, what was ordered is expected.
            #expect(try await kinds() == [.base, .wash, .refuel])
            try await caller.act("take-task", id, wash, as: .vera)
            try await caller.act("complete-task", id, wash, as: .vera)
            #expect(try await kinds() == [.base, .wash, .refuel])
            try await caller.act("recall", id, RecallBody(returnTo: .central), as: .alice)
            #expect(try await kinds() == [.base, .wash])
            try await bench.match(id, .vera)
            try await caller.act("retrieve", id, as: .vera)
            let code = try await bench.stored(id).handoverCode
            try await caller.act("hand-back", id, CodeBody(code: code), as: .vera)
            let bill = try #require(try await bench.published(VehicleReturned.self).last).bill
            #expect(bill.lines.map(\.kind.known) == [.base, .wash])
            #expect(bill.charge.amount == 26_000)
            // What has been done stays in the list of who did it.
            #expect(try await tasks(caller, "?status=done", as: .vera).map(\.order) == [id])
        }
    }

    @Test func anOverriddenEndBillsWhatWasDone() throws {
        var order = try Order.inState(.parked, extras: [.wash, .refuel])
        _ = try order.takeTask(.refuel, by: TestPerson.vera.valet, at: start)
        _ = try order.completeTask(.refuel, by: TestPerson.vera.valet, at: start)
        let word = OperatorWord(
            by: TestPerson.olivia.operatorID, reason: "by hand", newCode: "1111")
        let event = try order.override(to: .waitingForPayment, word, at: start)
        #expect(event.bill?.lines.map(\.kind.known) == [.base, .refuel])
    }

    @Test func anOrderWithoutExtrasHasNoTasks() async throws {
        let bench = try await Bench()
        try await bench.run { caller in
            let id = try await parked(caller, [])
            #expect(try await caller.read(id, as: .alice).tasks.isEmpty)
            try await caller.call(.post, "/v1/orders/\(id)/take-task", wash, as: .vera)
                .refused(404, "order.task_unknown", field: "kind")
        }
    }
}
