import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("Assignees in a body")
struct AssigneeReaderTests {
  private static let one = "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b"
  private static let two = "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6c"

  private static func read(_ body: String) throws -> [String]? {
    guard case .object(let members) = try JSONParser.parse(Array(body.utf8)) else { return nil }
    let reader = ObjectReader(members)
    let ids = reader.assigneeIDs()
    try reader.finish()
    return ids?.map(\.text)
  }

  @Test(
    "Assignees come in one of three forms, or not at all",
    arguments: [
      (#"{"assignees":[{"id":"\#(one)"},{"id":"\#(two)","name":"x"}]}"#, [one, two]),
      (#"{"photographers":[{"id":"\#(two)","name":null},{"id":"\#(one)"}],"assignees":null}"#, [two, one]),
      (#"{"photographer":{"id":"\#(one)","name":"x"}}"#, [one]), (#"{"assignees":[]}"#, []),
      (#"{"photographers":[],"photographer":null}"#, []), ("{}", nil), (#"{"assignees":null}"#, nil),
    ] as [(String, [String]?)])
  func forms(_ body: String, _ ids: [String]?) throws {
    #expect(try Self.read(body) == ids)
  }

  @Test(
    "Any other form is refused with the place and the reason",
    arguments: [
      (#"{"assignees":{"id":"\#(one)"}}"#, "/assignees invalid"),
      (#"{"photographer":[{"id":"\#(one)"}]}"#, "/photographer invalid"),
      (#"{"assignees":["\#(one)"]}"#, "/assignees/0 invalid"),
      (#"{"assignees":[{"id":"\#(one)"},{}]}"#, "/assignees/1/id missing"),
      (#"{"photographers":[{"id":"x"}]}"#, "/photographers/0/id invalid"),
      (#"{"assignees":[{"id":"\#(one)","role":"x"}]}"#, "/assignees/0/role unknown"),
      (#"{"photographer":{"id":"\#(one)","name":5}}"#, "/photographer/name invalid"),
      (#"{"assignees":[{"id":"\#(one)"},{"id":"\#(two)"},{"id":"\#(one)"}]}"#, "/assignees repeated"),
      (#"{"assignees":[],"photographer":{"id":"\#(one)"}}"#, "/photographer conflict"),
      (#"{"photographers":[],"assignees":[]}"#, "/photographers conflict"),
    ])
  func refusals(_ body: String, _ expected: String) {
    do {
      _ = try Self.read(body)
      Issue.record("\(body) is taken")
    } catch RequestError.invalidBody(let details) {
      #expect(details.map { "\($0.location) \($0.code)" } == [expected])
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("A session has at most 100 assignees")
  func limit() throws {
    let ids = (0..<101).map { "019aa0f2-3c00-7a10-8b20-1c2d3e4f5\(100 + $0)" }
    func body(_ count: Int) -> String {
      #"{"assignees":[\#(ids.prefix(count).map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#
    }
    #expect(try Self.read(body(100)) == Array(ids.prefix(100)))
    #expect(throws: RequestError.self) { try Self.read(body(101)) }
  }
}
