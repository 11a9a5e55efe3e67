import Contracts

@testable import Orders

extension EngagementChanged {
    /// As orders tells it.
    init(_ order: OrderSnapshot, isFeeDue: Bool = false) {
        self.init(order.engagement(isFeeDue: isFeeDue))
    }
}
