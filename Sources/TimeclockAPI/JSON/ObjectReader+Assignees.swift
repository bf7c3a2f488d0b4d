import TimeclockDomain

extension ObjectReader {
  /// The most members that can be assigned to a session.
  private static let assigneeLimit = 100

  /// Who is to be assigned to a session, in the contract's form, or in one of the two that older clients send:
  /// `photographers`, a list like it, and `photographer`, one of them. Nil where none of the three says anything.
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
      refuse(form.name, code: "conflict", "cannot stand beside \(forms[0].name)")
    }
    return forms.first?.ids
  }

  /// An assignee's id. The name that older clients know the member by is of no account.
  private func assignee() -> UserID {
    _ = optionalString("name")
    return identifier("id")
  }

  private func refuseRepeated(_ ids: [UserID], in name: String) {
    guard Set(ids).count < ids.count else { return }
    refuse(name, code: "repeated", "names a member more than once")
  }
}
