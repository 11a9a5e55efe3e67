import ServiceKit

/// What `openvalet-getalift` and `openvalet service getalift` run.
public let program = ServiceProgram(GetaliftConfig.self, build)
