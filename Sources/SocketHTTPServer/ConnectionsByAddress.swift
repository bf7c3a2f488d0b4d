import Synchronization

/// The number of connections that each address has open, over all event loops.
///
/// The first few connections beyond the limit are answered with the reason, which keeps each of them open for a moment;
/// further ones are closed without an answer. So a flood of connections keeps nothing of the server busy, and an office
/// that has one connection too many learns why it is not served.
final class ConnectionsByAddress: Sendable {
  /// A connection's place in the count of its address.
  struct Place {
    fileprivate let block: AddressBlock
    /// Whether the connection is to be served, or only to be answered that it is one too many.
    let isServed: Bool
  }

  enum Admission {
    /// Connections from the address are not counted.
    case uncounted
    case counted(Place)
    /// The connection is to be closed at once, and is not counted.
    case refused
  }

  /// The most connections of one address beyond the limit that are answered with the reason at the same time.
  static let toldLimit = 16

  private struct Count {
    var served = 0
    var told = 0
  }

  private let counts = Mutex<[AddressBlock: Count]>([:])
  private let limit: Int
  /// Whether all connections may come from one address, so that counting is pointless.
  private let countsNothing: Bool
  private let isUncounted: @Sendable (String) -> Bool

  init(_ configuration: HTTPServerConfiguration) {
    limit = configuration.addressConnectionLimit
    countsNothing = limit >= configuration.connectionLimit
    isUncounted = configuration.isUncountedAddress
  }

  /// Counts a connection from `address`, unless there are too many.
  ///
  /// - Parameter host: The address as text.
  func admit(_ address: SocketAddress, host: String?) -> Admission {
    guard !countsNothing, let block = address.block, let host, !isUncounted(host) else { return .uncounted }
    return counts.withLock { counts in
      var count = counts[block] ?? Count()
      let isServed = count.served < limit
      guard isServed || count.told < Self.toldLimit else { return .refused }
      if isServed { count.served += 1 } else { count.told += 1 }
      counts[block] = count
      return .counted(Place(block: block, isServed: isServed))
    }
  }

  /// Takes a connection out of the count.
  func remove(_ place: Place) {
    counts.withLock { counts in
      guard var count = counts[place.block] else { return }
      if place.isServed { count.served -= 1 } else { count.told -= 1 }
      counts[place.block] = count.served > 0 || count.told > 0 ? count : nil
    }
  }
}
