/// The proxies whose word on where a request comes from is taken, and the field in which they give it.
///
/// Only one field is ever read: a proxy sets or extends the one that it knows, and hands on any other as a client sent
/// it. So to read both would let a client choose its address.
package struct TrustedProxies: Sendable {
  /// A field that says for whom a proxy forwards.
  package enum Field: String, CaseIterable, Sendable {
    /// A list of addresses, each proxy's peer behind those it was told of.
    case xForwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
  }

  private let ranges: [AddressRange]
  private let field: Field

  /// Nobody: the client is whoever opened the connection.
  package static let none = TrustedProxies([], field: .xForwardedFor)

  /// The proxies in these ranges, which give the client's address in this field.
  package init(_ ranges: [AddressRange], field: Field) {
    self.ranges = ranges
    self.field = field
  }

  /// Whether there are any.
  package var isEmpty: Bool { ranges.isEmpty }

  /// Whether an address as text is a trusted proxy's.
  package func include(_ address: String) -> Bool {
    !ranges.isEmpty && IPAddress(address).map(isTrusted) ?? false
  }

  /// The address of the client that a request is from, as text.
  ///
  /// The field is read from its right end, which the nearest proxy has written: as long as an address is a trusted
  /// proxy's, the one to its left is what that proxy saw. The first that is not is the client's; should all be
  /// trusted, the left-most is, which is then a machine of one's own. What is left of that is whatever somebody
  /// sent, and is not looked at. Where an address is due and there is none (`unknown`, `_hidden`, anything
  /// malformed), and where there is no field, the answer is the peer's.
  package func clientAddress(of request: HTTPRequest) -> String? {
    guard !ranges.isEmpty, let peer = request.remoteAddress, let peerAddress = IPAddress(peer),
      isTrusted(peerAddress)
    else { return request.remoteAddress }
    var origin: IPAddress?
    for entry in request.fields.entries.reversed() where isNamed(request.fields, entry) {
      var end = Int(entry.valueEnd)
      while end > Int(entry.valueStart) {
        let bytes = request.fields.bytes.span
        let start = bytes.start(ofElementBefore: end, from: Int(entry.valueStart))
        let element = bytes.trimmed(from: start, to: end)
        if !element.isEmpty {
          guard let address = address(in: bytes, element) else { return peer }
          guard isTrusted(address) else { return address.description }
          origin = address
        }
        end = start - 1
      }
    }
    return origin?.description ?? peer
  }

  private func isTrusted(_ address: IPAddress) -> Bool {
    ranges.contains { $0.contains(address) }
  }

  private func isNamed(_ fields: HTTPFields, _ entry: HTTPFields.Entry) -> Bool {
    switch field {
    case .xForwardedFor: fields.isNamed(entry, "X-Forwarded-For")
    case .forwarded: fields.isNamed(entry, "Forwarded")
    }
  }

  private func address(in bytes: Span<UInt8>, _ element: Range<Int>) -> IPAddress? {
    switch field {
    case .xForwardedFor:
      ForwardedNode.address(ofElement: bytes, from: element.lowerBound, to: element.upperBound)
    case .forwarded:
      ForwardedElement.address(bytes, from: element.lowerBound, to: element.upperBound)
    }
  }
}

extension Span<UInt8> {
  /// Where the last element of a comma-separated list begins, which ends at `end`.
  ///
  /// Commas in quotes count too: from the right nobody can tell whether they are in quotes, and a client could
  /// open some. An element that holds one is cut, and so malformed.
  fileprivate func start(ofElementBefore end: Int, from start: Int) -> Int {
    var position = end
    while position > start, self[position - 1] != ASCII.comma { position -= 1 }
    return position
  }
}
