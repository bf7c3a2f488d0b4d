import HTTPMessages
import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("If-Match")
struct VersionConditionTests {
  @Test(
    "Entity tags are read",
    arguments: [
      ("*", .any), (#""3""#, .oneOf([3])), (#" "3" "#, .oneOf([3])), (#""3", "5""#, .oneOf([3, 5])),
      (#",, "3" ,"#, .oneOf([3])), (#"W/"3""#, .oneOf([])), (#""other""#, .oneOf([])), (#""""#, .oneOf([])),
      (#""+3""#, .oneOf([])), (#""03""#, .oneOf([])), (#""a,b", "3""#, .oneOf([3])),
    ] as [(String, VersionCondition)])
  func reads(_ value: String, _ condition: VersionCondition) {
    #expect(VersionCondition(ifMatch: value) == condition)
  }

  @Test(
    "Text that is not a list of entity tags is refused",
    arguments: ["", "3", "\"3", "3\"", "\"", ",", "*, \"3\"", "w/\"3\"", "\"3\" \"4\"", "\"a b\""])
  func refuses(_ value: String) {
    #expect(VersionCondition(ifMatch: value) == nil)
  }

  @Test("The present version counts among several tags")
  func severalTags() async throws {
    let condition = try #require(VersionCondition(ifMatch: #""7", "999""#))
    #expect(try await condition.expectedVersion { 7 } == 7)
    #expect(try await condition.expectedVersion { 8 } == -1)
    #expect(try await VersionCondition.oneOf([3]).expectedVersion { 8 } == 3)
    #expect(try await VersionCondition.any.expectedVersion { 8 } == nil)
  }
}

@Suite("If-None-Match")
struct EntityTagTests {
  @Test("A tag is named by itself, weak or not, in a list or by a star")
  func named() {
    for tag in ["\"7\"", "W/\"7\""] {
      for value in ["\"7\"", "W/\"7\"", "*", "\"x\", W/\"7\"", ", \"7\" ,"] {
        #expect(EntityTag.isNamed(tag, in: value), "\(tag) in \(value)")
      }
      for value in ["", "7", "\"77\"", "\"7", "W/W/\"7\"", "w/\"7\"", "\"7\" \"8\"", "\"W/7\""] {
        #expect(!EntityTag.isNamed(tag, in: value), "\(tag) in \(value)")
      }
    }
  }

  @Test("The tag of a composed answer differs for all lists of its parts")
  func parts() {
    let lists = [[], [""], ["", ""], ["ab"], ["a", "b"], ["b", "a"], ["ab", ""], ["a b"]]
    let tags = lists.map { EntityTag.weakText(of: $0) }
    #expect(Set(tags).count == lists.count)
    #expect(tags == lists.map { EntityTag.weakText(of: $0) })
    #expect(tags.allSatisfy { $0.wholeMatch(of: #/W/"[0-9a-f]{32}"/#) != nil })
  }
}

@Suite("Content types")
struct MediaTypeTests {
  @Test(
    "JSON in UTF-8 is accepted",
    arguments: [
      "application/json", "Application/JSON", "application/json; charset=utf-8",
      "application/json;charset=\"UTF-8\"",
      "application/json; profile=x",
    ])
  func takes(_ value: String) {
    #expect(MediaType.isUTF8("application/json", value))
  }

  @Test(
    "Any other content type is refused",
    arguments: [
      nil, "", "text/plain", "application/jsonp", "application/json; charset=latin1",
      "application/problem+json",
      "application/x-www-form-urlencoded",
    ])
  func refuses(_ value: String?) {
    #expect(!MediaType.isUTF8("application/json", value))
  }

  @Test(
    "A file may be in one of several charsets, or not say in which",
    arguments: [
      ("text/csv", true), ("text/csv; charset=UTF-16", true),
      ("text/csv; header=present; charset=\"a\"", true),
      ("text/csv; charset=b", false), ("text/csv; charset=", false), ("text/plain; charset=a", false),
    ])
  func charsets(_ value: String, _ isTaken: Bool) {
    #expect(MediaType.isText("text/csv", value, in: ["utf-16", "a"]) == isTaken)
  }
}

@Suite("Queries")
struct QueryReaderTests {
  @Test("Parameters are percent-decoded, and a plus sign stays one")
  func decodes() throws {
    let reader = QueryReader("status=clocked%2Din&limit=10")
    #expect(reader.choice("status") == TimeEntryStatus.clockedIn)
    #expect(reader.limit() == 10)
    try reader.finish()
    let plus = QueryReader("status=clocked+in")
    #expect(plus.choice("status") as TimeEntryStatus? == nil)
    #expect(throws: RequestError.self) { try plus.finish() }
  }

  @Test("An id may be me, and a word true or false")
  func identifiersAndWords() throws {
    let own = UserID(high: 1, low: 2)
    let other = try #require(UserID("019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b"))
    #expect(QueryReader("a=me").identifier("a", me: own) == own)
    #expect(QueryReader("a=\(other)").identifier("a", me: own) == other)
    #expect(QueryReader("").identifier("a", me: own) == nil)
    #expect(QueryReader("a=true").bool("a") == true)
    #expect(QueryReader("a=false").bool("a") == false)
    #expect(QueryReader("").bool("a") == nil)
    for word in ["", "ME", "1", "True", "yes"] {
      let reader = QueryReader("a=\(word)&b=\(word)")
      #expect(reader.identifier("a", me: own) == nil && reader.bool("b") == nil)
      #expect(throws: RequestError.self) { try reader.finish() }
    }
  }

  @Test("A parameter may exclude others")
  func conflicts() throws {
    for (query, isRefused) in [
      ("date=2026-11-20&endDate=2026-11-20", true), ("startDate=2026-11-20&date=2026-11-20", true),
      ("date=2026-11-20", false), ("startDate=2026-11-20&endDate=2026-11-20", false),
    ] {
      let reader = QueryReader(query)
      reader.refuse("date", beside: "startDate", "endDate")
      for name in ["date", "startDate", "endDate"] { _ = reader.date(name) }
      if isRefused {
        #expect(throws: RequestError.self) { try reader.finish() }
      } else {
        try reader.finish()
      }
    }
  }

  @Test(
    "Unknown, repeated, malformed and nameless parameters are refused",
    arguments: [
      "x=1", "limit=1&limit=1", "limit=%", "limit=%F", "limit=%ff", "limit", "limit=", "=1", "&", "limit=1&",
    ])
  func refuses(_ query: String) {
    let reader = QueryReader(query)
    _ = reader.limit()
    #expect(throws: RequestError.self) { try reader.finish() }
  }

  @Test(
    "A limit is 1 to 1000 in plain digits", arguments: ["0", "1001", "-1", "+5", "1e1", "５", " 1", "00001"])
  func refusesLimits(_ limit: String) {
    let reader = QueryReader("limit=\(limit)")
    _ = reader.limit()
    #expect(throws: RequestError.self) { try reader.finish() }
  }

  @Test("An absent query gives the defaults", arguments: [nil, ""])
  func takesNothing(_ query: String?) throws {
    let reader = QueryReader(query)
    #expect(reader.limit() == 100)
    try reader.finish()
  }
}

@Suite("Routes")
struct RouterTests {
  private let router = Router(Operation.all)

  @Test("Every operation is found by its method and path")
  func findsAll() throws {
    for operation in Operation.all {
      #expect(try router.match(operation.method, operation.path).operation.id == operation.id)
    }
    #expect(try router.match(.head, "/health/live").operation.id == "getLiveness")
  }

  @Test("A word of the API is never taken for an id")
  func prefersLiterals() throws {
    let match = try router.match(.get, "/v1/organizations/o/timeEntries/current")
    #expect(match.operation.id == "getCurrentTimeEntry")
    #expect(match.parameters == ["o"])
    #expect(try router.match(.get, "/v1/organizations/o/timeEntries/x").parameters == ["o", "x"])
  }

  @Test(
    "Other paths are not found",
    arguments: [
      "//", "", "*", "/v1", "/v1/", "/v1/me/", "//v1/me", "/v1/organizations/", "/v1/organizations//members",
      "/V1/me",
    ])
  func refusesPaths(_ path: String) {
    #expect { try router.match(.get, path) } throws: { error in
      if case RequestError.noSuchRoute = error { true } else { false }
    }
  }

  @Test("Another method is refused with the path's methods")
  func namesMethods() {
    #expect { try router.match(.put, "/v1/organizations/o/members/u") } throws: { error in
      if case RequestError.methodNotAllowed(let methods) = error {
        methods == ["DELETE", "GET", "HEAD", "PATCH"]
      } else {
        false
      }
    }
  }
}
