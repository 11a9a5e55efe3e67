import ServiceKit

/// What `openvalet-areas` and `openvalet service areas` run.
public let program = ServiceProgram(AreasConfig.self, build)
