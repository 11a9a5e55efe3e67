import ServiceKit

/// What `openvalet-payments` and `openvalet service payments` run.
public let program = ServiceProgram(PaymentsConfig.self, build)
