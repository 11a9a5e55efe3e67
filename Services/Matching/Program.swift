import ServiceKit

/// What `openvalet-matching` and `openvalet service matching` run.
public let program = ServiceProgram(MatchingConfig.self, build)
