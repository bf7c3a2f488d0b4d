/// The reason why nothing was copied. Each description is one line for the person who runs the command; none holds a
/// value.
package enum CopyError: Error, Hashable, CustomStringConvertible {
  /// The file to copy from does not exist.
  case noSource(path: String)
  /// The source has no such organization.
  case noSuchOrganization
  /// The target has rows already, in this table among others.
  case targetIsNotEmpty(table: String)
  /// Source and target are one database, or another copy from or to it is running.
  case targetIsBusy
  /// Another program writes to the target.
  case targetIsWritten
  /// Changes of the source wait to be sealed.
  case unsealedChanges
  /// A row is not in the form that this program writes; nil if the table is not known.
  case malformedRow(table: String?)
  /// The target did not return the rows that the source had.
  case differs(table: String)
  /// An organization that was to be copied has moved to another database, or is on its way there.
  case departed
  /// The connection was lost while the target committed.
  case outcomeUnknown(reason: String)

  package var description: String {
    switch self {
    case .noSource(let path):
      "There is no database \(path) to copy from."
    case .noSuchOrganization:
      "The source has no organization with this id."
    case .targetIsNotEmpty(let table):
      """
      The target has data already (in the table \(table)). A copy needs a database without any organization, \
      also for one organization only.
      """
    case .targetIsBusy:
      "The source and the target are the same database, or another copy from or to the target is under way."
    case .targetIsWritten:
      "Another process is writing to the target: stop it first."
    case .unsealedChanges:
      "A server of the source ended before it had sealed its log of changes: run timeclock audit verify on it first."
    case .malformedRow(let table):
      "A row\(table.map { " of \($0)" } ?? "") is not as this program writes it."
    case .differs(let table):
      "The target's rows of \(table) differ from the source's. Nothing was kept."
    case .departed:
      """
      An organization has moved from the source to another database, or is on its way there: copy the organizations \
      that are still here one by one, and that one from where it is.
      """
    case .outcomeUnknown(let reason):
      """
      The connection to the target was lost while it committed, so that it holds either everything or nothing: \
      copy again, and a target that has everything is refused as not empty. (\(reason))
      """
    }
  }
}
