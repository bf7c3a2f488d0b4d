import HTTPMessages
import Testing

@testable import TimeclockAPI

@Suite("A web page's origin")
struct WebOriginTests {
  @Test(
    "An origin is the text that browsers send",
    arguments: [
      "https://app.example.com", "http://localhost:3000", "http://127.0.0.1:8080", "http://[::1]:3000",
      "https://[2001:db8::1]", "https://xn--bcher-kva.example", "http://a:443", "https://a:80",
      "capacitor://localhost",
      "moz-extension://2c127fa4-62c7-7e4f-90e5-472b45eecfdc", "https://a_b.example",
    ])
  func takes(_ text: String) {
    #expect(WebOrigin(text)?.text == text)
  }

  @Test(
    "Any other text is not an origin",
    arguments: [
      "", "*", "null", "https://*", "https://*.example.com", "app.example.com", "https://",
      "https:app.example.com",
      "https:/app.example.com", "https://app.example.com/", "https://app.example.com/a",
      "https://App.example.com",
      "HTTPS://app.example.com", "https://app.example.com:443", "http://app.example.com:80", "https://a:",
      "https://a:0",
      "https://a:080", "https://a:123456", "https://a:b", "https://user@a", "https://a?b", "https://a#b",
      "https://a b",
      "https://a,https://b", "https://a https://b", "https://é.example", "https://[::1", "https://::1",
      "https://[0:0:0:0:0:0:0:1]", "https://[127.0.0.1]", "://a", "1http://a", "https://a\r\nX: y",
      "https://[]",
    ])
  func refuses(_ text: String) {
    #expect(WebOrigin(text) == nil)
  }
}

@Suite("What web pages of other origins may do")
struct CrossOriginPolicyTests {
  private let policy: CrossOriginPolicy

  init() throws {
    let origins = ["https://app.example.com", "http://localhost:3000"]
    policy = try #require(CrossOriginPolicy(origins.compactMap(WebOrigin.init)))
  }

  private func request(_ method: HTTPMethod, _ fields: [(String, String)]) -> HTTPRequest {
    var request = HTTPRequest(method: method, path: "/v1/me")
    for (name, value) in fields { request.fields.append(name, value) }
    return request
  }

  private func fields(_ request: HTTPRequest) -> [String: String] {
    var response = HTTPResponse(status: .ok)
    policy.append(to: &response, for: request)
    return Dictionary(uniqueKeysWithValues: response.fields.lines.map { ($0.name, $0.value) })
  }

  @Test("Without allowed origins there is no policy")
  func nobody() {
    #expect(CrossOriginPolicy([]) == nil)
  }

  @Test(
    "A page of an allowed origin reads the answer",
    arguments: ["https://app.example.com", "http://localhost:3000"])
  func allowed(_ origin: String) {
    let fields = fields(request(.get, [("Origin", origin)]))
    #expect(fields["Access-Control-Allow-Origin"] == origin)
    #expect(fields["Vary"] == "Origin")
    #expect(fields["Access-Control-Expose-Headers"]?.contains("ETag") == true)
    #expect(fields["Access-Control-Allow-Credentials"] == nil)
  }

  @Test(
    "Any other origin learns nothing, and its preflight is no preflight request",
    arguments: [
      ["null"], ["*"], [""], ["https://app.example.com.evil.example"], ["https://evilapp.example.com"],
      ["http://app.example.com"], ["https://app.example.com:8443"], ["https://app.example.com/"],
      ["HTTPS://APP.EXAMPLE.COM"], ["https://app.example.com", "https://app.example.com"],
      ["https://app.example.com, http://localhost:3000"], [],
    ])
  func others(_ origins: [String]) {
    let lines = origins.map { ("Origin", $0) }
    #expect(fields(request(.get, lines)) == ["Vary": "Origin"])
    let question = lines + [("Access-Control-Request-Method", "GET")]
    #expect(!policy.isPreflight(request(.options, question)))
  }

  @Test("A preflight request is an OPTIONS that states a method")
  func preflight() {
    let origin = ("Origin", "https://app.example.com")
    let method = ("Access-Control-Request-Method", "PATCH")
    #expect(policy.isPreflight(request(.options, [origin, method])))
    #expect(!policy.isPreflight(request(.options, [origin])))
    #expect(!policy.isPreflight(request(.options, [origin, method, method])))
    #expect(!policy.isPreflight(request(.get, [origin, method])))
  }
}
