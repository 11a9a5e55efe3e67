import ServiceKit

/// The program of `openvalet-areas` and `openvalet service areas`.
public let program = ServiceProgram(AreasConfig.self, build)
