import Testing
import TimeclockDomain

@Suite("An attempt to log in")
struct LogInAttemptTests {
  private static let now = Instant(millisecondsSince1970: 1_795_165_200_000)
  private static let attempt = LogInAttempt(
    email: "ana@example.com", from: ClientNetwork(address: "192.0.2.1"))

  /// The time after now at which nothing would be left of the count.
  private static func after(_ seconds: Int64) -> Instant { now.adding(milliseconds: seconds * 1_000) }

  /// The seconds to wait; nil if the attempt may be made.
  private static func wait(_ counts: LogInCounts, _ attempt: LogInAttempt = attempt) -> Int? {
    do {
      try attempt.requireAllowed(by: counts, at: now)
      return nil
    } catch TimeclockError.tooManyAttempts(let seconds) {
      return seconds
    } catch {
      return -1
    }
  }

  @Test("may be made while five of the account and network fit into a quarter of an hour")
  func pair() {
    #expect(Self.wait(LogInCounts()) == nil)
    for (counted, expected): (Int64, Int?) in [(-5, nil), (719, nil), (720, nil), (721, 1), (900, 180)] {
      #expect(Self.wait(LogInCounts(ofPair: Self.after(counted))) == expected, "\(counted)")
    }
    #expect(Self.wait(LogInCounts(ofPair: Self.after(720).adding(milliseconds: 1))) == 1)
  }

  @Test("may be made while fifty of the network do")
  func network() {
    for (counted, expected): (Int64, Int?) in [(882, nil), (883, 1), (900, 18)] {
      #expect(Self.wait(LogInCounts(ofNetwork: Self.after(counted))) == expected, "\(counted)")
    }
    let longer = LogInCounts(ofPair: Self.after(800), ofNetwork: Self.after(900))
    #expect(Self.wait(longer) == 80)
  }

  @Test("is scarcer from a network that is not known, while a hundred were made within the hour")
  func underAttack() {
    let attacked = Self.after(3_565)
    #expect(Self.wait(LogInCounts(ofAccount: attacked)) == nil)
    for (counted, expected): (Int64, Int?) in [(120, nil), (121, 1), (180, 60), (360, 240)] {
      #expect(Self.wait(LogInCounts(ofPair: Self.after(counted), ofAccount: attacked)) == expected)
      // One below the limit.
      let quiet = LogInCounts(ofPair: Self.after(counted), ofAccount: Self.after(3_564))
      #expect(Self.wait(quiet) == nil)
      let known = LogInCounts(
        ofPair: Self.after(counted), ofAccount: attacked, knownUntil: Self.after(1))
      #expect(Self.wait(known) == nil)
    }
    let noLonger = LogInCounts(ofPair: Self.after(180), ofAccount: attacked, knownUntil: Self.now)
    #expect(Self.wait(noLonger) == 60)
  }

  @Test("of somebody who is logged in is counted for nobody but them")
  func loggedIn() {
    let attempt = LogInAttempt(by: UserID(high: 1, low: 2))
    let others = LogInCounts(ofNetwork: Self.after(900), ofAccount: Self.after(3_600))
    #expect(Self.wait(others, attempt) == nil)
    #expect(Self.wait(LogInCounts(ofPair: Self.after(900)), attempt) == 180)
    #expect(attempt.counters.count == 1)
  }

  @Test("is not refused for what a clock counted that was wrong, and is for one that is a little fast")
  func clocks() {
    #expect(Self.wait(LogInCounts(ofPair: Self.after(900 + 3_601))) == nil)
    #expect(Self.wait(LogInCounts(ofPair: Self.after(900 + 60))) == 180)
  }

  @Test("is of one account, however the address is written")
  func accounts() {
    let network = ClientNetwork(address: "192.0.2.1")
    #expect(LogInAttempt(email: " ANA@example.com ", from: network) == Self.attempt)
    #expect(LogInAttempt(email: "ÄNA@example.com", from: network).account == "äna@example.com")
    #expect(LogInAttempt(email: "not an address", from: network).account == "not an address")
  }
}
