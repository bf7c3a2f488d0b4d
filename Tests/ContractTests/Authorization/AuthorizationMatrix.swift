@testable import ContractDocument

/// The matrix of authorization as a page for people.
struct AuthorizationMatrix {
  let document: OpenAPIDocument

  /// The page, in Markdown.
  var page: String {
    """
    # Authorization

    This page is made from `openapi.yaml`, which states for each operation who may call it (`x-required-role`,
    `x-required-role-for-others`, `x-required-part-for-group`), and the tests call every operation as everybody in the table. Paths
    and methods without an operation are answered 404 or 405, for every caller.

    **yes**: it is done, or refused for another reason than the caller. **own**: the same about themselves and their own
    entries; the last column names the roles that may have another member's, and everyone else is answered 403 about it.
    **A number** is the status of the refusal. A **manager of other groups** is one in an organization whose policy has
    `managersSee` `ownGroups`: members of none of their groups are answered as if unknown, with 404. A **representative** is a
    member who stands in the `representativeIds` of a group: **group** is what a member may, and with the group's `groupId` the
    dates, times and sums of its members ([people.md](people.md#representatives)).

    | operation | \(Caller.allCases.map(Self.title).joined(separator: " | ")) | manager of other groups | representative | another member's |
    |---|\(String(repeating: "---|", count: Caller.allCases.count))---|---|---|

    """ + document.operations.map(row).joined()
  }

  private static func title(_ caller: Caller) -> String {
    switch caller {
    case .nobody: "no token"
    case .expired: "expired token"
    case .revoked: "revoked token"
    case .deactivated: "deactivated here"
    case .foreign: "admin elsewhere"
    case .reader: "admin's reading token"
    case .newcomer: "one-time password"
    case .member, .manager, .admin, .operator: caller.rawValue
    }
  }

  private static func cellOfManagerOfOtherGroups(_ operation: Operation) -> String {
    switch operation.verdict(on: .manager) {
    case .refused(let status, _): String(status)
    case .allowed: operation.verdictForOthers(on: .manager) == nil ? "yes" : "own"
    }
  }

  private static func cell(_ operation: Operation, of caller: Caller) -> String {
    switch operation.verdict(on: caller) {
    case .refused(let status, _): String(status)
    case .allowed: operation.verdictForOthers(on: caller).map { $0 == .allowed } ?? true ? "yes" : "own"
    }
  }

  private func row(_ operation: Operation) -> String {
    let cells = Caller.allCases.map { Self.cell(operation, of: $0) }
    let others = operation.requiredRoleForOthers.map { $0 == .admin ? "admin" : "manager, admin" } ?? ""
    let ofOtherGroups = Self.cellOfManagerOfOtherGroups(operation)
    let representative = operation.requiredPartForGroup == nil ? Self.cell(operation, of: .member) : "group"
    return
      "| `\(operation.id)` | \(cells.joined(separator: " | ")) | \(ofOtherGroups) | \(representative) | \(others) |\n"
  }
}
