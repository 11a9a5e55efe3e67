import ServiceKit

/// The program of `openvalet-location` and `openvalet service location`.
public let program = ServiceProgram(LocationConfig.self, build)
