import ServiceKit

/// What `openvalet-carpool` and `openvalet service carpool` run.
public let program = ServiceProgram(CarpoolConfig.self, build)
