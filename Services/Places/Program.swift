import ServiceKit

/// The program of `openvalet-places` and `openvalet service places`.
public let program = ServiceProgram(PlacesConfig.self, build)
