import HTTPMessages
import TimeclockDomain

extension ShapedRecord {
  /// Writes the record as the contract has it.
  func write(to writer: inout JSONWriter) {
    writer.object { writeMembers(to: &$0) }
  }

  /// Writes the members of the record.
  func writeMembers(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("organizationID", organizationID)
    if let owner = Self.shape.owner { writer.member(owner.name, self[keyPath: owner.path]) }
    for field in Self.shape.fields where field.isAnswered {
      switch field.kind {
      case .text(let place), .choice(let place, _): writer.member(field.name, place[self])
      case .number(let place): writer.member(field.name, place[self])
      case .numbers(let place): writer.array(field.name, place[self] ?? []) { $0.integer($1) }
      case .decimal(let place): writer.member(field.name, place[self]) { $0.tenThousandths($1) }
      case .flag(let place): writer.member(field.name, place[self]) { $0.bool($1) }
      case .date(let place): writer.member(field.name, place[self]) { $0.date($1) }
      case .instant(let place): writer.member(field.name, place[self])
      case .user(let place): writer.member(field.name, place[self])
      case .reference(let place, _): writer.member(field.name, place[self])
      case .people(let place, _): writer.array(field.name, place[self] ?? []) { $0.identifier($1) }
      }
    }
    writer.member("createdAt", createdAt)
    writer.member("updatedAt", updatedAt)
    writer.member("version", version)
  }

  /// The answer that shows the record.
  var answer: HTTPResponse { .json(version: version, payload) }

  /// The answer to the request that has made the record.
  var answerOfNew: HTTPResponse {
    let location = "/v1/organizations/\(organizationID)/\(Self.shape.list)/\(id)"
    return .json(status: .created, version: version, location: location, payload)
  }

  private var payload: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
