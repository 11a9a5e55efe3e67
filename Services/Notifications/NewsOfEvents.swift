import Contracts

// What each event means for people: which row of the table, who is concerned, what fills the
// placeholders.

extension DropOffRequested: Newsworthy {
    /// An order ahead is requested when its search begins.
    var news: News { News(self, order.scheduledFor == nil ? nil : "ahead") }
}

extension OrderScheduled: Newsworthy {
    var news: News { News(self) }
}

extension ValetOffered: Newsworthy {
    var news: News {
        .ofOffer(self, leg.rawValue).with { news in
            news.add(.valet, valet)
            news.values["minutes"] = .minutes(ofSeconds: etaSeconds)
        }
    }
}

extension OfferEnded: Newsworthy {
    var news: News { .ofOffer(self, outcome.rawValue).with { $0.add(.released, valet) } }
}

extension TaskChanged: Newsworthy {
    var news: News {
        if task.status == .done {
            return News(self, task.kind.rawValue).with { $0.add(.valet, by) }
        }
        guard order.status == .parked else {
            return News(self, "dropped").with { $0.add(.released, by) }
        }
        return News(self).with { $0.add(.valet, by) }
    }
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
            news.values["time"] = .span(ofSeconds: limitSeconds)
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

extension TipGiven: Newsworthy {
    var news: News {
        News(Self.self).with { news in
            news.order = order
            news.add(.valet, valet)
            news.values["amount"] = .money(amount)
        }
    }
}

extension PaymentRefunded: Newsworthy {
    var news: News { .ofPayment(Self.self, refund.order, customer, refund.amount) }
}

extension News {
    /// What is between the house and a valet who has not got the job: the customer hears nothing.
    fileprivate static func ofOffer<E: OrderEvent>(_ event: E, _ variant: String) -> News {
        News(E.self, variant).with { news in
            news.snapshot = event.order
            news.order = event.order.id
            news.add(.operators)
        }
    }

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

extension PhotoTaken: Newsworthy {
    var news: News {
        News(Self.self).with { news in
            news.order = order
            news.concernsParties = true
            news.add(.operators)
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
