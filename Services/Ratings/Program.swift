import ServiceKit

/// The program of `openvalet-ratings` and `openvalet service ratings`.
public let program = ServiceProgram(RatingsConfig.self, build)
