import HTTPMessages
import Procedures
import Synchronization
import TimeclockDomain

/// Makes the id that each request has in its answer and in the log.
///
/// A request that may change something has an id of the service's generator, which the log of changes keeps. One that only
/// reads has an id whose random bits are of a sequence that begins at a random place: nothing keeps it, and the system is
/// not asked for random bytes.
final class RequestIDs: Sendable {
  private let timeclock: Timeclock
  private let sequence = Atomic<UInt64>(UInt64.random(in: .min ... .max))

  init(_ timeclock: Timeclock) {
    self.timeclock = timeclock
  }

  /// The id of a request, stamped with the present time.
  func next(for method: HTTPMethod) -> RequestID {
    let now = timeclock.clock.now
    guard method == .get || method == .head else { return timeclock.identifiers.next(at: now) }
    // SplitMix64: neighbors in the sequence have nothing in common.
    var bits = sequence.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    let milliseconds = UInt64(clamping: now.millisecondsSince1970) & 0xFFFF_FFFF_FFFF
    return RequestID(
      high: milliseconds << 16 | 0x7000 | bits & 0xFFF, low: 0x8000_0000_0000_0000 | bits >> 2)
  }
}

/// The names under which others know a request.
struct RequestNames: Sendable {
  /// The `X-Request-Id` of a trusted proxy; nil if there is none, or it is not of 1 to 64 letters, digits and `-_.`.
  let given: String?
  /// The trace of `traceparent`, 32 hexadecimal digits (W3C Trace Context, section 3.2); nil if there is none.
  let trace: String?

  /// Reads the names of a request.
  ///
  /// - Parameter isTrusted: Whether the peer is a proxy that is trusted to name requests. Anybody may name a trace, whose
  ///   form leaves room for nothing else.
  init(_ fields: HTTPFields, isTrusted: Bool) {
    given = isTrusted ? fields["X-Request-Id"].flatMap { Self.isName($0) ? $0 : nil } : nil
    trace = fields["traceparent"].flatMap(Self.trace)
  }

  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (byte | 0x20) &- 0x61 < 26 || [0x2D, 0x2E, 0x5F].contains(byte)
      }
  }

  /// The trace of version 00's `00-32 digits-16 digits-2 digits`, and of later versions that begin so.
  private static func trace(_ text: String) -> String? {
    let bytes = Array(text.utf8.prefix(55))
    guard bytes.count == 55, text.utf8.count == 55 || !text.hasPrefix("00"), bytes[2] == 0x2D,
      bytes[35] == 0x2D,
      bytes[52] == 0x2D, !text.hasPrefix("ff")
    else { return nil }
    let digits = [bytes[0..<2], bytes[3..<35], bytes[36..<52], bytes[53..<55]]
    let areHexadecimal = digits.joined().allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    guard areHexadecimal, digits[1].contains(where: { $0 != 0x30 }) else { return nil }
    return String(decoding: digits[1], as: UTF8.self)
  }
}
