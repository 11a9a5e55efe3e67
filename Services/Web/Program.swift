import ServiceKit

/// What `openvalet-web` and `openvalet service web` run.
public let program = ServiceProgram(WebConfig.self, build)
