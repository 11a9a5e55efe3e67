import ServiceKit

/// What `openvalet-orders` and `openvalet service orders` run.
public let program = ServiceProgram(OrdersConfig.self, build)
