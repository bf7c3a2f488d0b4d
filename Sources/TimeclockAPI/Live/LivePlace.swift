import TimeclockDomain

/// The places that somebody who listens takes. Streams and sockets have places of their own, so that a person's app and board
/// do not shut each other out.
struct LivePlace {
  /// The holder of places that are counted.
  enum Holder: Hashable, Sendable {
    case streamsOfToken(Int64)
    case streamsOfPerson(UserKey)
    case socketsOfToken(Int64)
    case socketsOfPerson(UserKey)
  }

  /// The holders, with the most places that each may have.
  let limits: [(key: Holder, most: Int)]

  static func stream(_ caller: Authentication) -> LivePlace {
    LivePlace(limits: [
      (.streamsOfToken(caller.tokenKey), 8), (.streamsOfPerson(caller.user), limitOfPerson),
    ])
  }

  static func socket(_ caller: Authentication) -> LivePlace {
    LivePlace(limits: [
      (.socketsOfToken(caller.tokenKey), 16), (.socketsOfPerson(caller.user), limitOfPerson),
    ])
  }

  /// The most streams of a person, with whichever tokens; the most sockets too.
  private static let limitOfPerson = 64
}
