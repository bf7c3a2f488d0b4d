/// The members that a list shows.
package struct MemberFilter: Hashable, Sendable {
  /// Whether they are active; nil shows both.
  package var isActive: Bool?
  /// Their role; nil shows all roles.
  package var role: Role?
  /// By `Text.folded`, each once. Each one stands in the member's name, address or personnel number.
  private var words: Set<String>

  /// The most code points that a search may have.
  package static let maximumCharacters = 200

  /// - Parameter search: Words with white space between them; nil finds everybody.
  package init(isActive: Bool? = nil, role: Role? = nil, search: String? = nil) {
    self.isActive = isActive
    self.role = role
    words = Set(search.map { Text.folded($0).split(whereSeparator: \.isWhitespace).map(String.init) } ?? [])
  }

  /// Whether the filter leaves nobody out.
  package var isEmpty: Bool { isActive == nil && role == nil && words.isEmpty }

  /// Whether a member passes every condition; each word is found in the name, the address or the personnel number.
  package func matches(_ member: Member) -> Bool {
    guard isActive == nil || isActive == member.isActive, role == nil || role == member.role else {
      return false
    }
    guard !words.isEmpty else { return true }
    let texts = [member.name, member.email, member.personnelNumber ?? ""].map(Text.folded)
    return words.allSatisfy { word in texts.contains { $0.contains(word) } }
  }
}
