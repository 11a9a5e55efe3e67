import ServiceKit

/// The program of `openvalet-getalift` and `openvalet service getalift`.
public let program = ServiceProgram(GetaliftConfig.self, build)
