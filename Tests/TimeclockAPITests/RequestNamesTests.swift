import HTTPMessages
import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("The names of a request")
struct RequestNamesTests {
  private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

  private func names(_ name: String, _ value: String, isTrusted: Bool = true) -> RequestNames {
    var fields = HTTPFields()
    fields.append(name, value)
    return RequestNames(fields, isTrusted: isTrusted)
  }

  @Test("X-Request-Id counts if a trusted proxy states it, and it is a word")
  func given() {
    for name in ["a", "Req-1.2_3", String(repeating: "x", count: 64)] {
      #expect(names("x-request-id", name).given == name)
      #expect(names("X-Request-Id", name, isTrusted: false).given == nil)
    }
    for name in ["", "a b", "a\u{1B}[31m", "ä", "a=b", String(repeating: "x", count: 65)] {
      #expect(names("X-Request-Id", name).given == nil, "\(name)")
    }
  }

  @Test("traceparent is read by the letter of W3C Trace Context", arguments: [true, false])
  func trace(isTrusted: Bool) {
    let rest = "-00f067aa0ba902b7-01"
    for text in ["00-\(Self.trace)\(rest)", "cc-\(Self.trace)\(rest)-what-comes"] {
      #expect(names("traceparent", text, isTrusted: isTrusted).trace == Self.trace)
    }
    let zeros = String(repeating: "0", count: 32)
    for text in [
      "", "00", "00-\(Self.trace)", "00-\(Self.trace)\(rest)-more", "ff-\(Self.trace)\(rest)",
      "00-\(zeros)\(rest)",
      "00-\(Self.trace.uppercased())\(rest)", "00_\(Self.trace)\(rest)",
      "00-\(Self.trace)-00f067aa0ba902b7-0x",
    ] {
      #expect(names("traceparent", text, isTrusted: isTrusted).trace == nil, "\(text)")
    }
  }

  @Test(
    "the name that somebody meant is suggested",
    arguments: [
      ("usrId", "userId"), ("userid", "userId"), ("user_id", "userId"), ("clockinTime", "clockInTime"),
      ("notse", "notes"), ("note", "notes"), ("tone", nil), ("x", nil), ("", nil),
    ])
  func nearest(name: String, expected: String?) {
    let known = ["userId", "clockInTime", "clockOutTime", "notes", "sessionId"]
    #expect(SimilarNames.nearest(to: name, among: known) == expected)
    #expect(SimilarNames.nearest(to: String(repeating: name + "x", count: 99), among: known) == nil)
  }
}
