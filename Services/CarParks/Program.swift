import ServiceKit

/// What `openvalet-carparks` and `openvalet service carparks` run.
public let program = ServiceProgram(CarParksConfig.self, build)
