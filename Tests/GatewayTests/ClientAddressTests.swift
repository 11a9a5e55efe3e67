import Testing

@testable import Gateway

@Suite struct ClientAddressTests {
    @Test(arguments: [
        ("10.1.2.3", "10.1.2.3"), ("255.255.255.255", "255.255.255.255"),
        ("::ffff:10.1.2.3", "10.1.2.3"), ("::1", "0:0:0:0:0:0:0:1"),
        ("2001:db8::a", "2001:db8:0:0:0:0:0:a"),
    ])
    func addressesAreReadAndWritten(text: String, written: String) {
        #expect(IPAddress(text)?.description == written)
    }

    @Test(arguments: ["", "10.1.2", "10.1.2.256", "10.1.2.3:80", "[::1]", "::g", "example.com"])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.1.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("192.168.1.7", "192.168.1.7", true), ("192.168.1.7", "192.168.1.8", false),
        ("0.0.0.0/0", "8.8.8.8", true), ("fd00::/8", "fdab::1", true),
        ("fd00::/8", "fe80::1", false), ("2001:db8::/65", "2001:db8::1", true),
        ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("::/0", "8.8.8.8", true),
    ])
    func networksContainTheirAddresses(network: String, address: String, contains: Bool) throws {
        let network = try #require(Network(network))
        #expect(network.contains(try #require(IPAddress(address))) == contains)
    }

    @Test(arguments: ["", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/8/8", "ten/8"])
    func whatIsNoNetworkIsRefused(text: String) {
        #expect(Network(text) == nil)
    }

    @Test func aClientsOwnWordIsNotBelieved() {
        let addresses = ClientAddress(trusted: [])
        let found = addresses.find(peer: "203.0.113.9", forwardedFor: ["10.0.0.1"])
        #expect(found == IPAddress("203.0.113.9"))
    }

    @Test func aProxysWordIsBelievedUpToTheFirstStranger() throws {
        let trusted = [try #require(Network("10.0.0.0/8"))]
        let addresses = ClientAddress(trusted: trusted)
        func find(_ peer: String?, _ values: String...) -> IPAddress? {
            addresses.find(peer: peer, forwardedFor: values)
        }
        #expect(find("10.0.0.1", "203.0.113.9") == IPAddress("203.0.113.9"))
        #expect(find("10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2") == IPAddress("203.0.113.9"))
        #expect(find("10.0.0.1", "1.1.1.1", "203.0.113.9") == IPAddress("203.0.113.9"))
        #expect(find("10.0.0.1", "203.0.113.9, nonsense, 10.0.0.3") == IPAddress("10.0.0.3"))
        #expect(find("10.0.0.1") == IPAddress("10.0.0.1"))
        #expect(find("203.0.113.1", "203.0.113.9") == IPAddress("203.0.113.1"))
        #expect(find(nil, "203.0.113.9") == nil)
    }

    @Test func aHouseholdIsOneAddressOfVersion4AndANetworkOfVersion6() {
        #expect(IPAddress("10.1.2.3")?.network == IPAddress("10.1.2.3"))
        #expect(IPAddress("2001:db8::1")?.network == IPAddress("2001:db8::ffff")?.network)
        #expect(
            IPAddress("2001:db8::1")?.network != IPAddress("2001:db8:0:1::1")?.network)
    }
}
