/// The hosts of a location, in the order in which libpq tries them.
///
/// libpq begins at the first host with every connection, and waits `connect_timeout` for one that is silent: with a
/// primary whose machine hangs, each connection to its successor would take that long. So the host that has answered
/// last comes first (postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS).
struct HostList: Hashable, Sendable {
  private let hosts: [String]
  private let addresses: [String]
  private let ports: [String]

  /// The lists of a location, each separated by commas as libpq has them.
  init(hosts: String, addresses: String, ports: String) {
    self.hosts = Self.elements(hosts)
    self.addresses = Self.elements(addresses)
    self.ports = Self.elements(ports)
  }

  private var count: Int { max(hosts.count, addresses.count) }

  /// The settings that have libpq begin at a place of the list and go on from there; none if the location's own order
  /// is that already.
  func settings(beginningAt place: Int) -> [(keyword: String, value: String)] {
    guard place > 0, place < count else { return [] }
    return [("host", hosts), ("hostaddr", addresses), ("port", ports)].compactMap { keyword, elements in
      // One port is that of all hosts.
      elements.count == count
        ? (keyword, (elements[place...] + elements[..<place]).joined(separator: ",")) : nil
    }
  }

  /// The place of the host that libpq names for a connection (`PQhost`, `PQport`); nil if the list does not say.
  func place(ofHost host: String, port: String) -> Int? {
    (0..<count).first { place in
      let names = [hosts, addresses].compactMap { $0.count == count ? $0[place] : nil }
      return names.contains(host) && (ports.count != count || ["", port].contains(ports[place]))
    }
  }

  private static func elements(_ list: String) -> [String] {
    list.isEmpty ? [] : list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}
