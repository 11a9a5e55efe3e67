import Contracts
import Hummingbird
import ServiceKit

/// The routes of drivers' watches, alerts and automatic payment.
struct DriverRoutes: Sendable {
    let spending: SpendingAlerts
    let autoPays: AutoPays
    let watched: WatchedCarParks

    func add(to router: Router<Context>) {
        router.on(DriverEndpoints.loyalty) { call in
            let person = try call.person.person
            return try await spending.database.read { try $0.loyalty.account(of: person) }
        }
        router.on(DriverEndpoints.spendingAlert) { try await spending.alert(of: $0.person.person) }
        router.on(DriverEndpoints.putSpendingAlert) {
            try await spending.put($0.body, by: $0.person.person)
        }
        router.on(DriverEndpoints.autoPay) { try await autoPays.setting(of: $0.person.person) }
        router.on(DriverEndpoints.putAutoPay) {
            try await autoPays.put($0.body, by: $0.person.person)
        }
        router.on(DriverEndpoints.watchedCarParks) { try await watched.list(of: $0.person.person) }
        router.on(DriverEndpoints.watchCarPark) {
            try await watched.watch($0.carPark(), $0.query.class ?? .general, by: $0.person.person)
        }
        router.on(DriverEndpoints.unwatchCarPark) {
            try await watched.unwatch(
                $0.carPark(), $0.query.class ?? .general, by: $0.person.person)
        }
    }
}
