import ServiceKit

/// What `openvalet-gateway` and `openvalet service gateway` run.
public let program = ServiceProgram(GatewayConfig.self, build)
