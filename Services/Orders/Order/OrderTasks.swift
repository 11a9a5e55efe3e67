import Contracts
import Foundation

/// Wash and refuel of a parked vehicle: each is open, taken by a valet, or done.
extension Order {
    var tasks: [OrderTask] {
        if let work { return work }
        // Parked before there were tasks.
        return status == .parked ? extras.map { OrderTask(kind: $0, status: .open) } : []
    }

    /// What is billed of the extras: those that were done, and all of an order from before there
    /// were tasks.
    var billedExtras: [Extra] {
        guard let work else { return status == .parked ? [] : extras }
        return work.filter { $0.status == .done }.compactMap(\.kind.known)
    }

    /// What a quote counts of them: while there is time, also what has still to be done.
    var expectedExtras: [Extra] {
        switch status {
        case .requested, .droppingOff, .parking, .parked: extras
        case .requestingBack, .returningBack, .waitingForPayment, .finished, .cancelled,
            .unfulfilled:
            billedExtras
        }
    }

    /// Everything that was ordered and is not done yet.
    mutating func openTasks() {
        let done = (work ?? []).filter { $0.status == .done }
        work = extras.map { kind in
            done.first { $0.kind == kind } ?? OrderTask(kind: kind, status: .open)
        }
    }

    /// The vehicle leaves: what is not done will not be.
    mutating func dropTasks() {
        work = tasks.filter { $0.status == .done }
    }

    /// Whose tasks a change has ended that they had taken before.
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

    /// Nil when this valet has it already.
    mutating func takeTask(
        _ kind: Extra, by valet: ValetID, at now: Date
    ) throws(OrderError) -> TaskChanged? {
        let task = try task(kind, for: .takeTask, by: valet)
        switch task.status.known {
        case .open: break
        case .taken where task.valet == valet: return nil
        case .taken: throw .dispatch(.taskTaken(kind))
        case .done, nil: throw .dispatch(.taskDone(kind))
        }
        return try change(
            OrderTask(kind: kind, status: .taken, valet: valet), .takeTask, by: valet, at: now)
    }

    mutating func releaseTask(
        _ kind: Extra, by valet: ValetID, at now: Date
    ) throws(OrderError) -> TaskChanged {
        try requireTaken(try task(kind, for: .releaseTask, by: valet), kind, by: valet)
        return try change(
            OrderTask(kind: kind, status: .open), .releaseTask, by: valet, at: now)
    }

    /// Nil when this valet has said so before.
    mutating func completeTask(
        _ kind: Extra, by valet: ValetID, at now: Date
    ) throws(OrderError) -> TaskChanged? {
        let task = try task(kind, for: .completeTask, by: valet)
        if task.status == .done, task.valet == valet { return nil }
        try requireTaken(task, kind, by: valet)
        return try change(
            OrderTask(kind: kind, status: .done, valet: valet, doneAt: now), .completeTask,
            by: valet, at: now)
    }

    private func task(
        _ kind: Extra, for action: OrderAction, by valet: ValetID
    ) throws(OrderError) -> OrderTask {
        try allow(action, by: .anyValet(valet))
        guard let task = tasks.first(where: { $0.kind == kind }) else {
            throw .dispatch(.taskUnknown(kind))
        }
        return task
    }

    private func requireTaken(
        _ task: OrderTask, _ kind: Extra, by valet: ValetID
    ) throws(OrderError) {
        switch task.status.known {
        case .taken where task.valet == valet: return
        case .open, .taken, nil: throw .notAssigned
        case .done: throw .dispatch(.taskDone(kind))
        }
    }

    private mutating func change(
        _ task: OrderTask, _ action: OrderAction, by valet: ValetID, at now: Date
    ) throws(OrderError) -> TaskChanged {
        try go(action, to: .parked, at: now)
        work = tasks.map { $0.kind == task.kind ? task : $0 }
        return TaskChanged(order: snapshot, task: task, by: valet)
    }
}
