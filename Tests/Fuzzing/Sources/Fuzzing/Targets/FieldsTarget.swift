import Glibc
import TimeclockDomain

@testable import HTTPMessages
@testable import TimeclockAPI

/// Values of header fields: white space and case change nothing in Accept and Content-Type, an entity tag is the sent
/// one, dates are those of the C library, and so are addresses, and forwarding fields name one.
enum FieldsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let seconds = input.chooseNumber() >> input.choose(below: 64)
    let bytes = input.rest
    let text = input.text
    checkAccept(text, isFaulty: isFaulty)
    checkContentType(text)
    checkIfMatch(text)
    checkDate(seconds)
    checkAddress(bytes)
    checkForwarded(text)
  }

  // By bytes: to Swift, characters are the same if Unicode takes them for the same, as U+037E and a semicolon.
  private static func checkAccept(_ text: String, isFaulty: Bool) {
    let wanted = Wanted([text])
    require(wanted.type.map(Wanted.types.contains) ?? true, "\(wanted.type ?? "") is none of ours")
    let spaced = String(
      decoding: text.utf8.flatMap { byte -> [UInt8] in
        switch byte {
        case UInt8(ascii: ","): Array(" ,\t".utf8)
        case UInt8(ascii: ";"): Array((isFaulty ? "," : " ; ").utf8)
        default: [byte]
        }
      }, as: UTF8.self)
    require(Wanted([spaced]) == wanted, "white space in \(text)")
    let raised = String(decoding: text.utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
    require(Wanted([raised]) == wanted, "capitals in \(text)")
    let lines = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    require(Wanted(lines) == wanted, "lines of \(text)")
  }

  /// The elements of lists with weights: read as types, and as codings.
  private struct Wanted: Equatable {
    static let types = ["text/csv", "application/x-ndjson", "text/calendar"]
    let type: String?
    let namesHTML: Bool
    let prefersGzip: Bool

    init(_ lines: [String]) {
      let field = AcceptField(lines)
      type = field.preferred(of: Self.types)
      namesHTML = field.names("text/html")
      prefersGzip = AcceptEncodingField(lines).prefersGzip
    }
  }

  private static func checkContentType(_ text: String) {
    let isJSON = MediaType.isUTF8("application/json", text)
    require(MediaType.isUTF8("application/json", " " + text + "\t") == isJSON, "white space in \(text)")
    require(!isJSON || !MediaType.isUTF8("text/csv", text), "\(text) is two types")
    require(!isJSON || text.utf8.count >= 16, "\(text) is JSON")
  }

  private static func checkIfMatch(_ text: String) {
    guard case .oneOf(let versions)? = VersionCondition(ifMatch: text) else { return }
    for version in versions {
      require(text.contains(EntityTag.text(version: version)), "\(text) does not name \(version)")
    }
    require(VersionCondition(ifMatch: "\(text),\"7\"") == .oneOf(versions.union([7])), "\(text) and one more")
  }

  private static func checkDate(_ seconds: Int64) {
    guard (-62_135_596_800...253_402_300_799).contains(seconds) else {
      return require(HTTPDate(secondsSince1970: seconds).text.utf8.count == 29, "the date of \(seconds)")
    }
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits($0, 2) }.joined(separator: ":")
    let expected =
      "\(names[Int(parts.tm_wday)]), \(digits(parts.tm_mday, 2)) \(months[Int(parts.tm_mon)]) "
      + "\(digits(parts.tm_year + 1900, 4)) \(clock) GMT"
    let text = HTTPDate(secondsSince1970: seconds).text
    require(text == expected, "\(text), not \(expected)")
  }

  private static func checkAddress(_ bytes: [UInt8]) {
    guard !bytes.contains(0) else { return }
    var address = in6_addr()
    let expected = inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
    let found = IPAddress(ipv6: bytes.span, from: 0, to: bytes.count)
    require((found != nil) == expected, "\(bytes) is an address: \(found != nil)")
    if let found {
      let bits = withUnsafeBytes(of: address) { $0.reduce(UInt128(0)) { $0 << 8 | UInt128($1) } }
      require(found.bits == bits, "\(bytes) is \(found)")
      require(IPAddress(found.description) == found, "\(found) does not come back")
    }
    _ = Authority.isValid(bytes.span, from: 0, to: bytes.count)
  }

  /// For any field, the client's address is the proxy's own or one written in the one form.
  private static func checkForwarded(_ text: String) {
    guard let ranges = try? [AddressRange("10.0.0.0/8"), AddressRange("fd00::/8")] else {
      return require(false, "the ranges are none")
    }
    for field in TrustedProxies.Field.allCases {
      var request = HTTPRequest(method: .get, path: "/", remoteAddress: "10.0.0.1")
      request.fields.append(field.rawValue, text)
      let client = TrustedProxies(ranges, field: field).clientAddress(of: request)
      let address = client.flatMap { IPAddress($0) }
      require(address != nil && address?.description == client, "\(client ?? "nobody") is no address")
    }
  }
}
