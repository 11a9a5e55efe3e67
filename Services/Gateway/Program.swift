import ServiceKit

/// The program of `openvalet-gateway` and `openvalet service gateway`.
public let program = ServiceProgram(GatewayConfig.self, build)
