import PostgreSQLTestCluster
import Testing

@testable import PostgreSQLStorage

@Suite("The order of a location's hosts")
struct HostListTests {
  struct Case: Sendable {
    var hosts: String
    var addresses = ""
    var ports = ""
    var place: Int
    var settings: [String]
  }

  @Test(
    "begins at the place asked for, and keeps each host's address and port",
    arguments: [
      Case(hosts: "a,b", place: 0, settings: []),
      Case(hosts: "a,b", place: 1, settings: ["host=b,a"]),
      Case(hosts: "a,b,c", ports: "1,2,3", place: 2, settings: ["host=c,a,b", "port=3,1,2"]),
      Case(hosts: "a,b", ports: "7", place: 1, settings: ["host=b,a"]),
      Case(hosts: "a,b", ports: ",7", place: 1, settings: ["host=b,a", "port=7,"]),
      Case(hosts: "a,b", addresses: "::1,::2", place: 1, settings: ["host=b,a", "hostaddr=::2,::1"]),
      Case(hosts: "", addresses: "::1,::2", place: 1, settings: ["hostaddr=::2,::1"]),
      Case(hosts: "a", place: 1, settings: []),
      Case(hosts: "", place: 1, settings: []),
    ])
  func settings(_ example: Case) {
    let list = HostList(hosts: example.hosts, addresses: example.addresses, ports: example.ports)
    let settings = list.settings(beginningAt: example.place).map { "\($0.keyword)=\($0.value)" }
    #expect(settings == example.settings)
  }

  @Test("knows the host that libpq names")
  func places() {
    let ports = HostList(hosts: "a,b,a", addresses: "", ports: "1,2,")
    #expect(ports.place(ofHost: "a", port: "1") == 0)
    #expect(ports.place(ofHost: "b", port: "2") == 1)
    #expect(ports.place(ofHost: "a", port: "5432") == 2)
    #expect(ports.place(ofHost: "b", port: "1") == nil)
    #expect(ports.place(ofHost: "c", port: "2") == nil)
    let addresses = HostList(hosts: "", addresses: "::1,::2", ports: "5432")
    #expect(addresses.place(ofHost: "::2", port: "5432") == 1)
    #expect(HostList(hosts: "", addresses: "", ports: "").place(ofHost: "/tmp", port: "5432") == nil)
  }

  @Test("A host that is silent is asked once, and not before every connection")
  func silentHost() async throws {
    try await TestDatabase.run { database in
      let network = try FaultyNetwork(to: database.cluster)
      defer { network.end() }
      network.behave(.silent)
      let direct = database.cluster.folder
      let both = database.conninfo.replacing(
        "host=\(direct)", with: "host=\(network.folder),\(direct) connect_timeout=2")
      let connector = try Connector(PostgreSQLLocation(both), rewrite: nil) { _ in }
      defer { connector.stop() }
      for _ in 1...3 {
        let connection = try await withCheckedThrowingContinuation { continuation in
          connector.connect { continuation.resume(with: $0) }
        }
        #expect(connection.host == 1)
        connection.close()
      }
      #expect(network.connectionCount == 1)
    }
  }
}
