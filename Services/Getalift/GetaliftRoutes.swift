import Client
import Contracts
import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// The original's addresses. It uses Express, which ignores case and a slash at the end.
struct GetaliftRoutes: Sendable {
    typealias Open = @Sendable (LegacyRequest) async throws -> JSONValue
    typealias Closed = @Sendable (LegacyRequest, Rider) async throws -> JSONValue

    private enum Handler {
        case open(Open)
        case signedIn(Closed)
    }

    private struct Line {
        let method: HTTPRequest.Method
        let path: [Substring]
        let handler: Handler
    }

    private static let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete, .patch]

    private let parts: GetaliftParts
    /// The first match answers.
    private let lines: [Line]

    init(_ parts: GetaliftParts) {
        self.parts = parts
        func line(_ method: HTTPRequest.Method, _ path: String, _ handler: Handler) -> Line {
            Line(method: method, path: path.lowercased().split(separator: "/"), handler: handler)
        }
        let open = parts.openCalls.map { line($0.0, $0.1, .open($0.2)) }
        let closed = parts.calls.map { line($0.0, $0.1, .signedIn($0.2)) }
        lines = open + closed
    }

    func add(to router: Router<Context>) {
        for method in Self.methods {
            router.on("**", method: method) { request, context in
                do {
                    return LegacyJSON.response(try await answer(request, context))
                } catch {
                    guard let refusal = GetaliftError(error) else { throw error }
                    return refusal.response(to: request)
                }
            }
        }
    }

    private func answer(_ request: Request, _ context: Context) async throws -> JSONValue {
        let path = request.uri.path.lowercased().split(separator: "/")
        guard path.first == "api" else { throw GetaliftError.noRoute }
        let found = lines.lazy.compactMap { line in
            Self.id(in: path.dropFirst(), line, request.method).map { (line.handler, $0) }
        }.first
        let call = try await LegacyRequest(request, context, id: found?.1 ?? 0)
        if case .open(let handler) = found?.0 { return try await handler(call) }
        guard let token = call.token(of: request) else { throw GetaliftError.tokenMissing }
        let rider = try await parts.rider(token, call)
        guard case .signedIn(let handler) = found?.0 else { throw GetaliftError.noRoute }
        do {
            return try await handler(call, rider)
        } catch let error as ClientError where error.status == 401 {
            // The session has ended elsewhere, so the token is no longer valid.
            try await parts.sessions.end(token: token)
            throw error
        }
    }

    /// Nil if the line does not match; 0 for a path without an id, and for one that is not a number.
    private static func id(
        in path: ArraySlice<Substring>, _ line: Line, _ method: HTTPRequest.Method
    ) -> Int? {
        guard line.method == method, line.path.count == path.count else { return nil }
        var id = 0
        for (asked, given) in zip(line.path, path) {
            if asked.hasPrefix(":") {
                id = Int(given) ?? 0
            } else if asked != given {
                return nil
            }
        }
        return id
    }
}

extension GetaliftParts {
    /// Calls without sign-in.
    var openCalls: [(HTTPRequest.Method, String, GetaliftRoutes.Open)] {
        [
            (.get, "", { _ in ["message": "Hello World !"] }), (.post, "users", signUp),
            (.post, "auth", signIn),
        ]
    }

    var calls: [(HTTPRequest.Method, String, GetaliftRoutes.Closed)] {
        peopleCalls + routeCalls + rideCalls + passengerCalls + ratingCalls + favouriteCalls
    }

    private var peopleCalls: [(HTTPRequest.Method, String, GetaliftRoutes.Closed)] {
        [
            (.get, "users", users), (.get, "users/:id", user), (.put, "users/:id", changeUser),
            (.delete, "users/:id", deleteUser),
        ]
    }

    private var routeCalls: [(HTTPRequest.Method, String, GetaliftRoutes.Closed)] {
        [
            (.get, "routes", routes), (.get, "routes/:id", route),
            (.put, "routes", publish), (.delete, "routes/:id", removeRoute),
            (.get, "driverroutes/:driver", driverRoutes),
            (.get, "driverroutesdate/:driver", driverRoutesByDate),
            (.get, "routedate/:route", routeDates), (.get, "routedate", allRouteDates),
            (.get, "search", search), (.get, "search2", searchBetween),
            (.get, "searchT", searchBetween), (.post, "findTarget", findTarget),
        ]
    }

    private var rideCalls: [(HTTPRequest.Method, String, GetaliftRoutes.Closed)] {
        [
            (.get, "rides", rides), (.post, "rides", addRide),
            (.get, "rides/test/:route", rideOfRoute), (.get, "rides/routeId/:route", rideOfRoute),
            (.get, "rides/route/:passenger", riddenRoutes), (.get, "rides/:id", ride),
            (.put, "rides/:id", { _, _ in throw GetaliftError.noCounterpart }),
            (.delete, "rides/:id", removeRide),
        ]
    }

    private var passengerCalls: [(HTTPRequest.Method, String, GetaliftRoutes.Closed)] {
        [
            (.get, "passengers", passengers), (.get, "passengers/:id", passenger),
            (.post, "passenger", addPassenger),
            (.post, "passenger/existingRide", addPassengerOfRoute),
            (.put, "passenger/:id", { _, _ in throw GetaliftError.noCounterpart }),
            (.delete, "passenger/:id", removePassenger),
            (.get, "passenger/alert/:driver", alerts),
            (.get, "passenger/alert/withoutDateVerification/:driver", allAlerts),
            (.put, "passenger/alert/:id", answerAlert),
            (.get, "passenger/route/:passenger", passengerRoutes),
            (.get, "passenger/information/:route", passengersOfRoute),
        ]
    }

    private var ratingCalls: [(HTTPRequest.Method, String, GetaliftRoutes.Closed)] {
        [
            (.get, "ratings", ratings), (.get, "ratings/Comment/:target", comments),
            (.get, "ratings/:target", averageRating), (.post, "ratings/existingRate", rate),
            (.post, "ratings/existingRate/Driver", rate), (.put, "ratings", changeRating),
            // Our ratings can be changed, but not deleted.
            (.delete, "ratings/:id", { _, _ in throw GetaliftError.noCounterpart }),
        ]
    }

    private var favouriteCalls: [(HTTPRequest.Method, String, GetaliftRoutes.Closed)] {
        [
            (.get, "favoriteRoute", favourite), (.get, "favoriteRoute/:user", favourites),
            (.post, "favoriteRoute", addFavourite),
            (.delete, "favoriteRoute/:route", removeFavourite),
        ]
    }
}
