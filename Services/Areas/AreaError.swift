import HTTPTypes
import ServiceKit

/// Why a request about a service area is refused.
enum AreaError: Error, Equatable, ServiceError {
    case unknown
    case tooMany
    case currencyOfTariff(String)

    var status: HTTPResponse.Status {
        switch self {
        case .unknown: .notFound
        case .tooMany: .conflict
        case .currencyOfTariff: .unprocessableContent
        }
    }

    var code: String {
        switch self {
        case .unknown: "service_area.unknown"
        case .tooMany: "service_area.too_many"
        case .currencyOfTariff: "service_area.currency"
        }
    }

    var title: String {
        switch self {
        case .unknown: "There is no such service area."
        case .tooMany: "There are as many service areas as there can be."
        case .currencyOfTariff: "The currency is changed together with the tariff."
        }
    }

    var detail: String? {
        if case .currencyOfTariff(let currency) = self {
            "The tariff is in \(currency)."
        } else {
            nil
        }
    }

    var field: String? {
        if case .currencyOfTariff = self { "properties.currency" } else { nil }
    }
}
