import Contracts
import Foundation
import JWTKit
import ServiceKit

extension SigningKeys {
    /// Checks tokens as other services do, but without an HTTP request for the keys.
    func verifier(clock: ServiceClock) -> TokenVerifier {
        let published = published
        return TokenVerifier(clock: clock) {
            try JSONDecoder().decode(JWKS.self, from: Wire.encode(published))
        }
    }
}
