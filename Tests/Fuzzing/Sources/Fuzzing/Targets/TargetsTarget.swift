import TimeclockDomain

@testable import HTTPMessages
@testable import TimeclockAPI

/// Request targets and queries: an accepted one is made of characters that a URI may hold, its escapes are read
/// plainly, and every parameter of a query is either asked for or refused.
enum TargetsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let method = [HTTPMethod.get, .options, .other("BREW")][input.choose(below: 3)]
    let bytes = input.rest
    // A request line has no empty target and none with a space.
    guard !bytes.isEmpty, !bytes.contains(0x20) else { return }
    do throws(HTTPRequestRejection) {
      let target = try RequestTarget(bytes.span, from: 0, to: bytes.count, method: method)
      check(target, bytes)
      check(query: target.query, isFaulty: isFaulty)
    } catch {
      require(error.status.code == 400, "rejected with \(error.status.code)")
    }
    check(query: input.text, isFaulty: isFaulty)
    checkDecoding(bytes)
  }

  private static func check(_ target: RequestTarget, _ bytes: [UInt8]) {
    let written = target.query.map { "\(target.path)?\($0)" } ?? target.path
    if let authority = target.authority {
      require(authority.upperBound <= bytes.count, "an authority beyond the target")
      let rest = String(decoding: bytes[authority.upperBound...], as: UTF8.self)
      let isShort = rest.isEmpty || rest.first == "?"
      require(
        written == rest || isShort && (written == "/" + rest || written == "*"), "\(written) of \(rest)")
    } else {
      require(Array(written.utf8) == bytes, "\(written) is not what was sent")
    }
    require(target.path == "*" || target.path.utf8.first == UInt8(ascii: "/"), "the path \(target.path)")
    let unescaped = "-._~!$&'()*+,;=:@/?%"
    require(
      written.utf8.allSatisfy {
        let scalar = Unicode.Scalar($0)
        return scalar.isASCII && (scalar.properties.isAlphabetic || 0x30...0x39 ~= $0)
          || unescaped.utf8.contains($0)
      }, "\(written) holds what no URI may")
  }

  /// Escapes are decoded as by a plain reading, and nothing that is malformed or not UTF-8 passes.
  private static func checkDecoding(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let decoded = PercentEncoding.decode(bytes).map { Array($0.utf8) }
    let expected = QueryModel.decoded(text.unicodeScalars).map { Array($0.utf8) }
    require(decoded == expected, "\(String(describing: decoded)) of \(text)")
  }

  private static func check(query: String?, isFaulty: Bool) {
    guard let query else { return }
    let model = QueryModel(query, takesPlusForSpace: isFaulty)
    let reader = QueryReader(query)
    for name in model.names { _ = reader.text(name) }
    let isRefused = (try? reader.finish()) == nil
    require(isRefused == !model.isValid, "\(query) is refused: \(isRefused)")
    if model.isValid { require(reader.sentParameters == model.parameters, "\(reader.sentParameters)") }
    // One that nobody asks for is refused.
    if !model.parameters.isEmpty {
      require((try? QueryReader(query).finish()) == nil, "\(query) is taken unread")
    }
    readEveryKind(query, of: model.names)
  }

  /// Takes each parameter for everything that a parameter can be. A reader gives a parameter once, so each kind has one.
  private static func readEveryKind(_ query: String, of names: [String]) {
    let reader = QueryReader(query)
    let list = ListIdentity("list", of: OrganizationID(high: 1, low: 2), parameters: reader.sentParameters)
    let dates = QueryReader(query)
    let sequences = QueryReader(query)
    let identifiers = QueryReader(query)
    let instants = QueryReader(query)
    let bools = QueryReader(query)
    let epochs = QueryReader(query)
    let searches = QueryReader(query)
    let choices = QueryReader(query)
    for name in names {
      let text = reader.text(name)
      if let date = dates.date(name) { require(date.iso8601 == text, "the date \(text ?? "")") }
      if let number = sequences.sequence(name) { require(number >= 0, "the place \(number)") }
      if let id: UserID = identifiers.identifier(name) { require(id.text == text, "the id \(text ?? "")") }
      _ = instants.instant(name)
      _ = bools.bool(name)
      if let epoch = epochs.epoch(name) { require(epoch.text == text, "the epoch \(text ?? "")") }
      _ = searches.search(name)
      let chosen: [ReportDimension]? = choices.choices(name, atMost: 3)
      require((chosen?.count ?? 1) <= 3, "\(text ?? "") chooses too many")
    }
    if let cursor: RowCursor = QueryReader(query).cursor(in: list) {
      require(cursor.text(in: list) == reader.sentParameters["cursor"], "the cursor of \(query)")
    }
    require((1...1_000).contains(QueryReader(query).limit()), "the limit of \(query)")
  }
}
