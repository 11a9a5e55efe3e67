import ServiceKit

/// What `openvalet-places` and `openvalet service places` run.
public let program = ServiceProgram(PlacesConfig.self, build)
