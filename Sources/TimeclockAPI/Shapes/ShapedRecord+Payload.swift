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
    let fields = Self.shape.fields
    var place = fields.startIndex
    while place < fields.endIndex {
      guard let object = fields[place].object else {
        write(fields[place], to: &writer)
        place += 1
        continue
      }
      writer.name(object)
      writer.object { writer in
        while place < fields.endIndex, fields[place].object.map({ "\($0)" == "\(object)" }) == true {
          write(fields[place], to: &writer)
          place += 1
        }
      }
    }
    writer.member("createdAt", createdAt)
    writer.member("updatedAt", updatedAt)
    writer.member("version", version)
  }

  private func write(_ field: ShapeField<Self>, to writer: inout JSONWriter) {
    guard field.isAnswered else { return }
    switch field.kind {
    case .text(let place), .choice(let place, _): writer.member(field.name, place[self])
    case .number(let place): writer.member(field.name, place[self])
    case .numbers(let place): writer.array(field.name, place[self] ?? []) { $0.integer($1) }
    case .breakRules(let place): writer.array(field.name, place[self] ?? []) { $0.breakRule($1) }
    case .decimal(let place): writer.member(field.name, place[self]) { $0.tenThousandths($1) }
    case .flag(let place): writer.member(field.name, place[self]) { $0.bool($1) }
    case .date(let place): writer.member(field.name, place[self]) { $0.date($1) }
    case .instant(let place): writer.member(field.name, place[self])
    case .user(let place): writer.member(field.name, place[self])
    case .resource(let place), .reference(let place, _): writer.member(field.name, place[self])
    case .people(let place, _): writer.array(field.name, place[self] ?? []) { $0.identifier($1) }
    }
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
