import ServiceKit

/// What `openvalet-spots` and `openvalet service spots` run.
public let program = ServiceProgram(SpotsConfig.self, build)
