/// The names of an import's settings where it was started, for messages that name them.
package enum ImportSettingNames: Hashable, Sendable {
  /// The flags of the command.
  case flags
  /// The query parameters of the operation.
  case parameters

  package var dateOrder: String { self == .flags ? "--date-order" : "dateOrder" }
  package var dayStart: String { self == .flags ? "--day-start" : "dayStart" }
  package var keepOutOfPolicy: String { self == .flags ? "--keep-out-of-policy" : "keepOutOfPolicy" }
  package var lengthFromDuration: String {
    self == .flags ? "--length-from-duration" : "lengthFromDuration"
  }
  package var user: String { self == .flags ? "--user" : "userId" }

  /// The advice for a row that has nothing of its owner but an id of another service.
  var adviceOnIDs: String {
    switch self {
    case .flags:
      "State --members with the members.csv of the same export, which has to have this id, or --user."
    case .parameters: "Import the report of the other service instead, which has names, or state userId."
    }
  }
}
