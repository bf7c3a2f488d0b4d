import Cryptography
import HTTPMessages
import TimeclockDomain

/// The key and the fingerprint that show whether a request repeats an earlier one.
struct RequestIdentity: Sendable {
  /// The person whose key it is.
  typealias KeyOwner = (key: UserKey, id: UserID)

  /// The digest of the caller, the operation and the client's key.
  let key: IdempotencyKey
  /// SHA-256 over the key, the path, the query and the body.
  let digest: [UInt8]

  /// - Parameters:
  ///   - key: The client's key.
  ///   - owner: The caller; nil for the operator. The id, and not the number of the row, is part of the digest: it stays the same
  ///     when the person's organization moves to another cell, where a repetition is recognized then.
  /// - Throws: The system's error, if the content is in a file that cannot be read.
  init(_ request: OperationRequest, key: String, by owner: KeyOwner?) throws {
    var hash = SHA256()
    hash.update(part: owner.map { "user \($0.id.text)" } ?? "operator")
    hash.update(part: request.operationID)
    hash.update(part: key)
    self.key = IdempotencyKey(digest: hash.finalize(), user: owner?.key)
    hash = SHA256()
    hash.update(part: key)
    hash.update(part: request.http.path)
    if let query = request.http.query { hash.update(part: query) }
    if request.http.bodyFile == nil, let value = try? JSONParser.parse(request.http.body) {
      hash.update(value)
    } else {
      try request.http.content.forEachPart { part in part.withUnsafeBytes { hash.update($0) } }
    }
    digest = hash.finalize()
  }
}

extension OperationRequest {
  /// Returns the client's key of a request that may be repeated; nil if it has none.
  ///
  /// - Throws: `RequestError.invalidParameter` for anything but one key of 1 to 255 visible ASCII characters.
  func idempotencyKey() throws -> String? {
    let values = http.fields.values(of: "Idempotency-Key")
    guard let key = values.first else { return nil }
    guard values.count == 1, (1...255).contains(key.utf8.count),
      key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      let detail = "must be one key of 1 to 255 visible ASCII characters"
      throw RequestError.invalidParameter([
        ProblemDetail(place: .header, location: "Idempotency-Key", code: "invalid", detail: detail)
      ])
    }
    return key
  }
}

extension SHA256 {
  /// Adds a text such that no two sequences of texts are the same bytes.
  fileprivate mutating func update(part text: String) {
    update(tag: "s", Int64(text.utf8.count))
    update(Array(text.utf8))
  }

  /// Adds a JSON value; the order of an object's members, white space and escapes make no difference.
  fileprivate mutating func update(_ value: JSONValue) {
    switch value {
    case .null: update(tag: "n", 0)
    case .bool(let bool): update(tag: "b", bool ? 1 : 0)
    case .integer(let integer): update(tag: "i", integer)
    case .number(let number): update(tag: "d", Int64(bitPattern: number.bitPattern))
    case .string(let text): update(part: text)
    case .array(let elements):
      update(tag: "a", Int64(elements.count))
      for element in elements { update(element) }
    case .object(let members):
      update(tag: "o", Int64(members.count))
      for member in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
        update(part: member.name)
        update(member.value)
      }
    }
  }

  private mutating func update(tag: Unicode.Scalar, _ number: Int64) {
    update([UInt8(ascii: tag)])
    withUnsafeBytes(of: number.bigEndian) { update($0) }
  }
}
