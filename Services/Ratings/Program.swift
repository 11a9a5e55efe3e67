import ServiceKit

/// What `openvalet-ratings` and `openvalet service ratings` run.
public let program = ServiceProgram(RatingsConfig.self, build)
