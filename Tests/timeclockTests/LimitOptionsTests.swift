import ArgumentParser
import SocketHTTPServer
import Testing

@testable import timeclock

@Suite("Limits and time-outs")
struct LimitOptionsTests {
  @Test("Each limit and each time-out is set by its flag")
  func flags() throws {
    var configuration = HTTPServerConfiguration()
    let limits = try LimitOptions.parse([
      "--max-connections", "11", "--max-connections-per-address", "12", "--max-request-line", "1300",
      "--max-head", "14000", "--max-fields", "15", "--max-body", "16000", "--max-buffered-bodies", "1700000",
    ])
    try limits.apply(to: &configuration)
    let timeouts = try TimeoutOptions.parse([
      "--head-timeout", "1", "--body-timeout", "2", "--write-timeout", "3", "--idle-timeout", "4",
      "--shutdown-timeout", "5",
    ])
    try timeouts.apply(to: &configuration.timeouts)

    #expect(configuration.connectionLimit == 11)
    #expect(configuration.addressConnectionLimit == 12)
    #expect(configuration.limits.requestLineByteCount == 1_300)
    #expect(configuration.limits.headByteCount == 14_000)
    #expect(configuration.limits.fieldCount == 15)
    #expect(configuration.limits.bodyByteCount == 16_000)
    #expect(configuration.bufferedContentByteCount == 1_700_000)
    #expect(configuration.timeouts.head == .seconds(1))
    #expect(configuration.timeouts.body == .seconds(2))
    #expect(configuration.timeouts.write == .seconds(3))
    #expect(configuration.timeouts.idle == .seconds(4))
    #expect(configuration.timeouts.shutdown == .seconds(5))
  }

  @Test(
    "A number out of range is refused with the flag and the range",
    arguments: [
      ("--max-connections", "0", "from 1 to 1000000, not 0."),
      ("--max-request-line", "1048577", "from 1024 to 1048576 bytes, not 1048577."),
      ("--max-body", "67108865", "from 1024 to 67108864 bytes, not 67108865."),
    ])
  func range(_ flag: String, _ number: String, _ range: String) throws {
    var configuration = HTTPServerConfiguration()
    let options = try LimitOptions.parse([flag, number])
    let variable = "TIMECLOCK_" + flag.dropFirst(2).uppercased().replacing("-", with: "_")
    #expect {
      try options.apply(to: &configuration)
    } throws: {
      "\($0)" == "\(flag) (\(variable)) must be \(range)"
    }
  }

  @Test(
    "Files may be longer than other bodies, however little is held in memory",
    arguments: [[], ["--max-buffered-bodies", "1048576"]])
  func longBodies(_ arguments: [String]) throws {
    var configuration = HTTPServerConfiguration()
    try LimitOptions.parse(arguments).apply(to: &configuration)
    #expect(configuration.limits.longBodyByteCount == 16_777_216)
    #expect(configuration.limits.longBodies.count == 1)
  }

  @Test(
    "Limits that make each other useless are refused",
    arguments: [
      (["--max-request-line", "32765"], false), (["--max-request-line", "32764"], true),
      (["--max-body", "33554433"], false), (["--max-body", "33554432"], true),
    ])
  func combinations(_ arguments: [String], _ isAccepted: Bool) throws {
    var configuration = HTTPServerConfiguration()
    let options = try LimitOptions.parse(arguments)
    #expect(isAccepted == ((try? options.apply(to: &configuration)) != nil))
  }
}
