import ServiceKit

/// What `openvalet-accounts` and `openvalet service accounts` run.
public let program = ServiceProgram(AccountsConfig.self, build)
