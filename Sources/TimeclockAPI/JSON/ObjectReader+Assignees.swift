import TimeclockDomain

extension ObjectReader {
  /// The most members that can be assigned to a session.
  private static let assigneeLimit = 100

  /// Reads the members to assign to a session, in the contract's form or in one of the two forms of older clients:
  /// `photographers`, a list like the contract's, or `photographer`, a single one. Nil if none of the three is sent.
  func assigneeIDs() -> [UserID]? {
    var forms: [(name: String, ids: [UserID])] = []
    for name in ["assignees", "photographers"] {
      if let ids = optionalObjects(name, atMost: Self.assigneeLimit, { $0.assignee() }) {
        refuseRepeated(ids, in: name)
        forms.append((name, ids))
      }
    }
    if let id = optionalObject("photographer", { $0.assignee() }) { forms.append(("photographer", [id])) }
    for form in forms.dropFirst() {
      refuse(form.name, code: "conflict", "cannot be combined with \(forms[0].name)")
    }
    return forms.first?.ids
  }

  /// Reads an assignee's id. The member's name, which older clients also send, is ignored.
  private func assignee() -> UserID {
    _ = optionalString("name")
    return identifier("id")
  }

  func refuseRepeated(_ ids: [UserID], in name: String) {
    guard Set(ids).count < ids.count else { return }
    refuse(name, code: "repeated", "names a member more than once")
  }
}
