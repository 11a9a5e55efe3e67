import ServiceKit

/// The program of `openvalet-carpool` and `openvalet service carpool`.
public let program = ServiceProgram(CarpoolConfig.self, build)
