import Contracts
import Foundation

/// Washing and refuelling of a parked vehicle: each task is open, taken by a valet, or done.
struct Tasks: Codable, Equatable, Sendable {
    private(set) var all: [OrderTask] = []

    var done: [Extra] {
        all.filter { $0.status == .done }.compactMap(\.kind.known)
    }

    /// Opens a task for every extra that is not done yet.
    mutating func open(_ extras: [Extra]) {
        let done = all.filter { $0.status == .done }
        all = extras.map { kind in
            done.first { $0.kind == kind } ?? OrderTask(kind: kind, status: .open)
        }
    }

    /// Drops unfinished tasks when the vehicle leaves.
    mutating func drop() {
        all = all.filter { $0.status == .done }
    }

    /// Nil if this valet has it already.
    mutating func take(_ kind: Extra, by valet: ValetID) throws(Refusal) -> OrderTask? {
        let task = try task(kind)
        switch task.status.known {
        case .open: return put(OrderTask(kind: kind, status: .taken, valet: valet))
        case .taken where task.valet == valet: return nil
        case .taken: throw .orderTaskTaken.because(kind.rawValue)
        case .done, nil: throw .orderTaskDone.because(kind.rawValue)
        }
    }

    mutating func release(_ kind: Extra, by valet: ValetID) throws(Refusal) -> OrderTask {
        try requireTaken(try task(kind), kind, by: valet)
        return put(OrderTask(kind: kind, status: .open))
    }

    /// Nil if this valet has completed it before.
    mutating func complete(
        _ kind: Extra, by valet: ValetID, at now: Date
    ) throws(Refusal) -> OrderTask? {
        let task = try task(kind)
        if task.status == .done, task.valet == valet { return nil }
        try requireTaken(task, kind, by: valet)
        return put(OrderTask(kind: kind, status: .done, valet: valet, doneAt: now))
    }

    private func task(_ kind: Extra) throws(Refusal) -> OrderTask {
        guard let task = all.first(where: { $0.kind == kind }) else {
            throw .orderTaskUnknown.because(kind.rawValue)
        }
        return task
    }

    private func requireTaken(
        _ task: OrderTask, _ kind: Extra, by valet: ValetID
    ) throws(Refusal) {
        switch task.status.known {
        case .taken where task.valet == valet: return
        case .open, .taken, nil: throw .orderNotAssigned
        case .done: throw .orderTaskDone.because(kind.rawValue)
        }
    }

    private mutating func put(_ task: OrderTask) -> OrderTask {
        all = all.map { $0.kind == task.kind ? task : $0 }
        return task
    }
}

extension Order {
    var tasks: [OrderTask] { work.all }

    /// The extras in a quote: all while they may still be done, afterwards only those done.
    var expectedExtras: [Extra] {
        switch status {
        case .requested, .droppingOff, .parking, .parked: extras
        case .requestingBack, .returningBack, .waitingForPayment, .finished, .cancelled,
            .unfulfilled:
            work.done
        }
    }

    /// Events for valets whose taken tasks a change has dropped.
    func tasksDropped(since before: Order) -> [TaskChanged] {
        before.tasks.compactMap { task in
            guard status != .parked, task.status == .taken, let valet = task.valet,
                let kind = task.kind.known,
                !tasks.contains(where: { $0.kind == task.kind && $0.valet == valet })
            else { return nil }
            return TaskChanged(
                order: snapshot, task: OrderTask(kind: kind, status: .open), by: valet)
        }
    }
}
