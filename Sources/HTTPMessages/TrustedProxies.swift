/// The proxies that are trusted to state a request's origin, and the field in which they state it.
///
/// Only one field is ever read: a proxy sets or extends the field that it knows, and passes any other on as a client sent
/// it. A server that read both would let a client choose its address.
package struct TrustedProxies: Sendable {
  /// A field in which a proxy states the client that it forwards for.
  package enum Field: String, CaseIterable, Sendable {
    /// A list of addresses: each proxy appends its peer's address to the addresses that it received.
    case xForwardedFor = "x-forwarded-for"
    /// RFC 7239.
    case forwarded
  }

  private let ranges: [AddressRange]
  private let field: Field

  /// No proxy is trusted: the client is the peer that opened the connection.
  package static let none = TrustedProxies([], field: .xForwardedFor)

  /// Trusts the proxies in these ranges, which state the client's address in this field.
  package init(_ ranges: [AddressRange], field: Field) {
    self.ranges = ranges
    self.field = field
  }

  /// Whether no proxy is trusted.
  package var isEmpty: Bool { ranges.isEmpty }

  /// Whether an address, given as text, is that of a trusted proxy.
  package func include(_ address: String) -> Bool {
    !ranges.isEmpty && IPAddress(address).map(isTrusted) ?? false
  }

  /// Returns the address of the client that a request is from, as text.
  ///
  /// The field is read from its right end, which the nearest proxy has written: as long as an address is that of a
  /// trusted proxy, the address to its left is the one that this proxy saw. The first address that is not a trusted
  /// proxy's is the client's; if every address is trusted, the left-most one is. Addresses further left can be anything
  /// that a client sent, and are ignored. If an expected address is missing (`unknown`, `_hidden`, anything malformed),
  /// or the field is, the result is the peer's address.
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
  /// Returns the beginning of the last element of a comma-separated list that ends at `end`.
  ///
  /// Commas in quotes count too: read from the right, it is unknown whether a comma is in quotes, and a client could
  /// open some. An element that holds a comma is cut, and so malformed.
  fileprivate func start(ofElementBefore end: Int, from start: Int) -> Int {
    var position = end
    while position > start, self[position - 1] != ASCII.comma { position -= 1 }
    return position
  }
}
