import AsyncHTTPClient
import Configuration
import Crypto
import Hummingbird
import JWTKit
@main struct App { static func main() {} }
