import Testing

@testable import TimeclockAPI

@Suite("Accept")
struct AcceptFieldTests {
  private func preferred(_ lines: String...) -> String? {
    AcceptField(lines).preferred(of: ["text/csv", "application/x-ndjson"])
  }

  @Test(
    "The first type is chosen if the client prefers no other",
    arguments: [
      "", ",", "*/*", "text/csv", "text/*", "TEXT/CSV; charset=utf-8", "application/x-ndjson, text/csv",
      "application/x-ndjson;q=0.9, */*", "application/x-ndjson;q=0, */*;q=0.001",
      "application/json, */*;q=0.1",
      "text/csv;q=1.000, application/x-ndjson;q=0.999",
    ])
  func first(_ line: String) {
    #expect(preferred(line) == "text/csv")
  }

  @Test(
    "The other type is chosen if the client prefers it",
    arguments: [
      "application/x-ndjson", "application/*", "text/csv;q=0.5, application/x-ndjson", "text/csv ; q=0, */*",
      "text/*;q=0.1, */*;q=0.2", "text/csv;q=0.5, text/*;q=1, */*;q=0.6",
    ])
  func other(_ line: String) {
    #expect(preferred(line) == "application/x-ndjson")
  }

  @Test(
    "No type is chosen if the client takes none of them",
    arguments: ["application/json", "text/html, image/*", "text/csv;q=0", "*/*;q=0.000"])
  func none(_ line: String) {
    #expect(preferred(line) == nil)
  }

  @Test(
    "A range with an invalid weight counts as not sent",
    arguments: ["2", "1.001", "0.1234", "-1", "x", "", ".5"])
  func malformedWeight(_ weight: String) {
    #expect(preferred("text/csv;q=\(weight), application/x-ndjson;q=0.1") == "application/x-ndjson")
  }

  @Test(
    "Text that does not begin with a type is not a range, with and without white space before the semicolon",
    arguments: [";text/csv", " ;text/csv", ";;text/csv;q=1", "; text/csv"])
  func parametersAlone(_ range: String) {
    #expect(preferred("\(range), application/x-ndjson;q=0.1") == "application/x-ndjson")
    #expect(preferred("text/csv;;q=0.05, application/x-ndjson;q=0.1") == "application/x-ndjson")
  }

  @Test("Several lines of the field are one list")
  func lines() {
    #expect(preferred("text/csv;q=0.1", "application/x-ndjson;q=0.2") == "application/x-ndjson")
  }

  @Test(
    "A type is named where the client lists it and takes it",
    arguments: [
      "text/html", "TEXT/HTML", "application/json, text/html;q=0.1", "text/html ; charset=utf-8",
      "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
      "text/html;q=0, text/html;level=1",
    ])
  func named(_ line: String) {
    #expect(AcceptField([line]).names("text/html"))
  }

  @Test(
    "A type that the client takes by a wildcard, refuses, or states without a valid weight is not named",
    arguments: [
      "", "*/*", "text/*", "application/json", "text/html;q=0", "text/html;q=0.000, */*", "text/html;q=2",
      "text/htm",
      "text/html/x", "html/text", "\"text/html\"", "text", "text/",
    ])
  func notNamed(_ line: String) {
    #expect(!AcceptField([line]).names("text/html"))
    #expect(!AcceptField([]).names("text/html"))
  }
}
