import ServiceKit

/// What `openvalet-location` and `openvalet service location` run.
public let program = ServiceProgram(LocationConfig.self, build)
