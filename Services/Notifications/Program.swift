import ServiceKit

/// What `openvalet-notifications` and `openvalet service notifications` run.
public let program = ServiceProgram(NotificationsConfig.self, build)
