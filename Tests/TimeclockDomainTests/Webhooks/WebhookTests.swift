import Testing
import TimeclockDomain

@Suite("Webhooks")
struct WebhookTests {
  @Test(
    "have absolute addresses of http and https",
    arguments: [
      ("https://payroll.example/hook", "payroll.example"), ("http://A.b:8080?x=1", "a.b"),
      ("HTTPS://x/%20;a=(b)!*'", "x"), ("https://a_b-c.d.", "a_b-c.d."),
      ("http://127.0.0.1:65535/", "127.0.0.1"),
      ("http://[::1]:80/", "::1"), ("https://[2001:db8::1.2.3.4]", "2001:db8::1.2.3.4"),
    ])
  func taken(_ text: String, _ host: String) throws {
    let url = try WebhookURL(text)
    #expect(url.text == text && url.host == host)
    #expect(WebhookURL(stored: text) == url)
  }

  @Test(
    "have no others",
    arguments: [
      "", "https://", "https:///a", "ftp://a", "a.b", "//a", "https:/a", "https://a@b/", "https://u:p@b/",
      "https://a/#x", "https://a b/", "https://a/\n", "https://ä.de/", "https://a/ä", "https://a:0/",
      "https://a:65536/",
      "https://a:/", "https://a:x/", "https://a..b/", "https://.a/", "https://[::1", "https://[g::1]/",
      "https://[1]/",
      "https://[::1]x/", "https://a\\b/", "https://a/\"", "file:///etc/passwd", "javascript:alert(1)",
      "https://" + String(repeating: "a", count: 64) + "/",
      "https://a/" + String(repeating: "b", count: WebhookURL.maximumLength),
    ])
  func refused(_ text: String) {
    #expect(throws: TimeclockError.invalidURL) { _ = try WebhookURL(text) }
  }

  @Test("wait longer after each failure, and give up after five days of them")
  func backOff() {
    var cursor = WebhookCursor(position: 7, failures: 0, failingSince: nil, dueAt: .earliest)
    let start = Instant(millisecondsSince1970: 1_795_165_200_000)
    var now = start
    var pauses: [Int64] = []
    while !cursor.failed(at: now).isHopeless(at: now) {
      cursor = cursor.failed(at: now)
      pauses.append((cursor.dueAt.millisecondsSince1970 - now.millisecondsSince1970) / 1_000)
      now = cursor.dueAt
    }
    #expect(pauses.prefix(8) == [5, 60, 300, 1_800, 7_200, 21_600, 43_200, 43_200])
    #expect(pauses.count == 16 && cursor.failures == 16 && cursor.position == 7)
    #expect(cursor.failingSince == start)
    #expect(now >= start.adding(milliseconds: WebhookCursor.patience))
    let reached = cursor.reached(8, nextAt: now)
    #expect(reached == WebhookCursor(position: 8, failures: 0, failingSince: nil, dueAt: now))
    #expect(reached.reached(3, nextAt: now).position == 8)
  }

  @Test("are not given up for days that a wrong clock makes of a few attempts")
  func wrongClock() {
    let start = Instant(millisecondsSince1970: 1_795_165_200_000)
    var cursor = WebhookCursor(position: 7, failures: 0, failingSince: nil, dueAt: start).failed(at: start)
    let ahead = start.adding(milliseconds: 2 * WebhookCursor.patience)
    while cursor.failures < WebhookCursor.leastFailures {
      #expect(!cursor.isHopeless(at: ahead))
      cursor = cursor.failed(at: ahead)
    }
    #expect(cursor.isHopeless(at: ahead) && !cursor.isHopeless(at: start))
  }

  @Test("have a status of 2xx for what is taken, and 410 for no more")
  func outcomes() {
    for (status, isTaken) in [(199, false), (200, true), (299, true), (300, false), (410, false)]
      as [(Int64, Bool)]
    {
      let outcome = WebhookOutcome(status: status, error: nil, milliseconds: 1)
      #expect(outcome.isTaken == isTaken)
      #expect((outcome.attempt(of: 1, at: .latest).error == nil) == isTaken)
      #expect(outcome.isGone == (status == 410))
    }
    let none = WebhookOutcome(status: nil, error: "x", milliseconds: 1)
    #expect(!none.isTaken && none.attempt(of: nil, at: .latest).error == "x")
  }

  @Test("keep their kinds as text")
  func kinds() {
    for kinds in [nil, [.segment, .organization], Set(Snapshot.Kind.allCases)] as [Set<Snapshot.Kind>?] {
      #expect(Webhook.resources(stored: kinds.map(Webhook.text)) == kinds)
    }
    #expect(Webhook.text([.segment, .organization]) == "organization,segment")
  }
}
