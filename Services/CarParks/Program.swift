import ServiceKit

/// The program of `openvalet-carparks` and `openvalet service carparks`.
public let program = ServiceProgram(CarParksConfig.self, build)
