import ServiceKit

/// The program of `openvalet-notifications` and `openvalet service notifications`.
public let program = ServiceProgram(NotificationsConfig.self, build)
