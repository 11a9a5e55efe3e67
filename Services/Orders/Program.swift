import ServiceKit

/// The program of `openvalet-orders` and `openvalet service orders`.
public let program = ServiceProgram(OrdersConfig.self, build)
