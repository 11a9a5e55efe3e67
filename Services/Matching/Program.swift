import ServiceKit

/// The program of `openvalet-matching` and `openvalet service matching`.
public let program = ServiceProgram(MatchingConfig.self, build)
