import ServiceKit

/// The program of `openvalet-plates` and `openvalet service plates`.
public let program = ServiceProgram(PlatesConfig.self, build)
