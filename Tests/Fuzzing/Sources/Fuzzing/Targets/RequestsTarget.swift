@testable import HTTPMessages

/// The parser of whole requests: it consumes no more than it is given, keeps to its limits, gives the same result
/// however the bytes are cut, and an accepted request is one plain request when written again.
enum RequestsTarget {
  static func check(_ input: FuzzInput, isFaulty: Bool) {
    var input = input
    let limits = input.choose(below: 2) == 0 ? HTTPRequestLimits() : .small
    let cuts = input.chooseCuts()
    let bytes = input.rest
    let whole = RequestTranscript(of: [bytes], limits: limits).events
    var pieces = bytes.pieces(cuts)
    if isFaulty {
      pieces = pieces.map { $0.first == UInt8(ascii: "\n") ? Array($0.dropFirst()) : $0 }
    }
    let cut = RequestTranscript(of: pieces, limits: limits).events
    require(cut == whole, "cut \(cuts): \(cut), whole: \(whole)")
    let taken = RequestTranscript(of: pieces, limits: limits, takesBody: true).events
    require(taken == whole, "cut \(cuts), and taken: \(taken), whole: \(whole)")
    for case .request(let request, _) in whole { checkWrittenOut(request) }
  }

  /// Nothing in a request may look like another one, or like none, once its parts are put together again.
  private static func checkWrittenOut(_ request: ReceivedRequest) {
    let plain = request.plain
    let bytes = plain.bytes
    var limits = HTTPRequestLimits()
    limits.requestLineByteCount = 1 << 20
    limits.headByteCount = 1 << 20
    limits.fieldCount = 1 << 10
    let events = RequestTranscript(of: [bytes], limits: limits).events
    guard case .request(let again, end: bytes.count)? = events.first, events.count == 1 else {
      return require(false, "written out, \(request) is \(events)")
    }
    require(again.plain == plain, "written out, \(request) is \(again)")
  }
}

extension HTTPRequestLimits {
  /// Limits that short inputs reach.
  static let small = {
    var limits = HTTPRequestLimits()
    limits.requestLineByteCount = 48
    limits.headByteCount = 160
    limits.fieldCount = 4
    limits.bodyByteCount = 40
    limits.chunkExtensionByteCount = 12
    limits.trailerByteCount = 40
    limits.leadingEmptyLineCount = 2
    return limits
  }()
}
