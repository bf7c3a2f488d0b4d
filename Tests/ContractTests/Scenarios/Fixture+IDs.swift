import Synchronization

extension Fixture {
  /// The owner of the records that have the ids: another organization, or one member.
  enum Owner { case foreign, ofMember }

  /// The names under which each file's ids have come so far: they are the same in every world.
  private static let knownNames = Mutex<[Owner: [String: Set<String>]]>([:])

  /// Makes records, by all parts of the contract that may have ids of these names; nil asks all parts.
  ///
  /// - Returns: The ids, by the names under which requests take them.
  static func ids(
    _ owner: Owner, naming names: Set<String>?, _ make: (Fixture) async throws -> [String: String]
  ) async throws -> [String: String] {
    let known = knownNames.withLock { $0[owner] ?? [:] }
    var ids: [String: String] = [:]
    for fixture in all {
      if let names, let own = known[fixture.file], own.isDisjoint(with: names) { continue }
      let made = try await make(fixture)
      knownNames.withLock { $0[owner, default: [:]][fixture.file] = Set(made.keys) }
      ids.merge(made) { $1 }
    }
    return ids
  }
}
