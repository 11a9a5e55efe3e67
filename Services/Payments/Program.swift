import ServiceKit

/// The program of `openvalet-payments` and `openvalet service payments`.
public let program = ServiceProgram(PaymentsConfig.self, build)
