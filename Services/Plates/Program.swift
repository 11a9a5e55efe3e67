import ServiceKit

/// What `openvalet-plates` and `openvalet service plates` run.
public let program = ServiceProgram(PlatesConfig.self, build)
