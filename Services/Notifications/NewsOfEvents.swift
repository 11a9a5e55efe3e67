import Contracts

// What each event means for people: which row of the table, who is concerned, what fills the
// placeholders.

extension DropOffRequested: Newsworthy {
    var news: News { News(self) }
}

extension MatchRepeated: Newsworthy {
    var news: News { News(self) }
}

extension ValetAssigned: Newsworthy {
    var news: News {
        News(self, leg.rawValue).with { news in
            news.add(.valet, valet)
            news.values["minutes"] = .minutes(ofSeconds: order.etaSeconds ?? 0)
        }
    }
}

extension OrderUnfulfilled: Newsworthy {
    var news: News { News(self) }
}

extension OrderCancelled: Newsworthy {
    var news: News {
        let variant =
            switch cause {
            case .customerAbsent: "customerAbsent"
            case .customer: fee.amount > 0 ? "fee" : "free"
            }
        return News(self, variant).with { news in
            news.add(.released, valet)
            news.values["amount"] = .money(fee)
        }
    }
}

extension ValetWithdrawn: Newsworthy {
    var news: News { News(self).with { $0.add(.released, valet) } }
}

extension VehicleCollected: Newsworthy {
    var news: News { News(self).with { $0.add(.valet, valet) } }
}

extension VehicleParked: Newsworthy {
    var news: News { News(self).with { $0.add(.valet, valet) } }
}

extension ReturnRequested: Newsworthy {
    var news: News { News(self) }
}

extension ReturnUnfulfilled: Newsworthy {
    var news: News { News(self) }
}

extension RecallCancelled: Newsworthy {
    var news: News { News(self).with { $0.add(.released, valet) } }
}

extension VehicleRetrieved: Newsworthy {
    var news: News { News(self).with { $0.add(.valet, valet) } }
}

extension VehicleReturned: Newsworthy {
    var news: News {
        News(self, bill.charge.amount > 0 ? "due" : "free").with { news in
            news.add(.valet, valet)
            news.values["amount"] = .money(bill.charge)
        }
    }
}

extension OrderFinished: Newsworthy {
    /// Both valets hear of the end too: from now on they can rate.
    var news: News {
        News(self).with { news in
            news.add(.valet, order.dropOffValet)
            news.add(.valet, order.returnValet)
        }
    }
}

extension OrderOverridden: Newsworthy {
    var news: News {
        News(self).with { news in
            news.add(.released, released)
            news.add(.valet, order.activeValet)
        }
    }
}

extension OrderOverdue: Newsworthy {
    var news: News {
        News(self).with { news in
            news.add(.valet, order.activeValet)
            news.values["minutes"] = .minutes(ofSeconds: limitSeconds)
        }
    }
}

extension ValetArrived: Newsworthy {
    var news: News {
        News(Self.self, leg.rawValue).with { news in
            news.order = order
            news.add(.customer, customer.as(PersonID.self))
        }
    }
}

extension PaymentSucceeded: Newsworthy {
    var news: News { .ofPayment(Self.self, payment.order, customer, payment.amount) }
}

extension PaymentDeclined: Newsworthy {
    var news: News { .ofPayment(Self.self, payment.order, customer, payment.amount) }
}

extension PaymentRefunded: Newsworthy {
    var news: News { .ofPayment(Self.self, refund.order, customer, refund.amount) }
}

extension News {
    fileprivate static func ofPayment(
        _ event: any Event.Type, _ order: OrderID, _ customer: CustomerID, _ amount: Money
    ) -> News {
        News(event).with { news in
            news.order = order
            news.add(.customer, customer.as(PersonID.self))
            news.values["amount"] = .money(amount)
        }
    }
}

extension RatingGiven: Newsworthy {
    var news: News {
        News(Self.self).with { news in
            news.add(.person, to)
            news.values["stars"] = .text(String(stars))
        }
    }
}
