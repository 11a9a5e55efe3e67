import ServiceKit

/// The program of `openvalet-web` and `openvalet service web`.
public let program = ServiceProgram(WebConfig.self, build)
