import ServiceKit

/// The program of `openvalet-accounts` and `openvalet service accounts`.
public let program = ServiceProgram(AccountsConfig.self, build)
