import ServiceKit

/// The program of `openvalet-spots` and `openvalet service spots`.
public let program = ServiceProgram(SpotsConfig.self, build)
