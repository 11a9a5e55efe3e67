import Contracts
import Foundation
import JWTKit
import ServiceKit

extension SigningKeys {
    /// Checks tokens as other services do, without asking over HTTP.
    func verifier(clock: ServiceClock) -> TokenVerifier {
        let published = published
        return TokenVerifier(clock: clock) {
            try JSONDecoder().decode(JWKS.self, from: Wire.encode(published))
        }
    }
}
