import StorageCalls
import Testing
import TimeclockDomain

@testable import TimeclockAPI

@Suite("A shape in bodies and answers")
struct ShapeFormTests {
  private static let project = "019aa0f2-3c00-7a10-8b20-1c2d3e4f5a6b"

  /// A voucher as the body states it.
  private static func read(
    _ body: String, forNew isNew: Bool = true, into voucher: Voucher = Voucher(head: Voucher.full.head)
  ) throws -> Voucher? {
    guard case .object(let members) = try JSONParser.parse(Array(body.utf8)) else { return nil }
    let reader = ObjectReader(members)
    let stated: Stated<Voucher> = reader.stated(forNew: isNew)
    try reader.finish()
    var voucher = voucher
    try stated.validated()(&voucher)
    return voucher
  }

  @Test("has every kind of value in the body that makes a record")
  func new() throws {
    let full = #"""
      {"code":" A 1 ","note":"For Ada","amount":60,"limit":600,"weights":[0,-7,86400],"share":1.25,
      "startDate":"1969-12-31","endDate":"1970-01-02","color":"red","projectId":"\#(Self.project)"}
      """#
    var expected = Voucher.full
    expected.ownerID = nil
    expected.isSpent = false
    expected.projectID = ProjectID(Self.project)
    #expect(try Self.read(full) == expected)
    let bare = #"{"code":"A","amount":1,"startDate":"1900-01-01","color":null,"endDate":null}"#
    #expect(
      try Self.read(bare)
        == Voucher(head: Voucher.full.head) {
          $0.code = "A"
          $0.amount = 1
        })
  }

  @Test("leaves what a change does not state, and has null as a value of what may be null")
  func change() throws {
    #expect(try Self.read("{}", forNew: false, into: .full) == .full)
    let nulls = #"{"amount":null,"startDate":null,"color":null,"endDate":null,"projectId":null,"note":null}"#
    var expected = Voucher.full
    expected.endDate = nil
    expected.projectID = nil
    expected.note = nil
    #expect(try Self.read(nulls, forNew: false, into: .full) == expected)
    expected.isSpent = false
    #expect(try Self.read(#"{"spent":false}"#, forNew: false, into: expected) == expected)
  }

  @Test(
    "names each member that is missing, of another form, or not to be stated",
    arguments: [
      (#"{}"#, true, "/amount missing, /code missing, /startDate missing"),
      (
        #"{"code":"A","amount":"1","startDate":"1970-02-30","color":"blue","projectId":5,"endDate":1}"#, true,
        "/amount invalid, /color invalid, /endDate invalid, /projectId invalid, /startDate invalid"
      ),
      (#"{"code":"A","amount":1,"startDate":"1970-01-01","spent":true}"#, true, "/spent unknown"),
      (#"{"weights":[1,"2"],"share":0.00001}"#, false, "/share invalid, /weights invalid"),
      (#"{"code":"A","limit":5}"#, false, "/code unknown, /limit unknown"),
    ])
  func faults(_ body: String, _ isNew: Bool, _ faults: String) throws {
    let error = #expect(throws: RequestError.self) { _ = try Self.read(body, forNew: isNew) }
    guard case .invalidBody(let problems)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(problems.map { "\($0.location) \($0.code)" }.joined(separator: ", ") == faults)
  }

  @Test("says which words there are to one that states another")
  func words() throws {
    let error = #expect(throws: RequestError.self) {
      _ = try Self.read(#"{"color":"r\u0065\u0301d"}"#, forNew: false)
    }
    guard case .invalidBody(let problems)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
    #expect(problems.map(\.detail) == ["must be one of green, red"])
  }

  @Test("asks the rule of a number")
  func rule() {
    let body = #"{"code":"A","amount":0,"startDate":"1970-01-01"}"#
    #expect(throws: TimeclockError.invalidDuration) { _ = try Self.read(body) }
  }

  @Test("has every kind of value in an answer")
  func answers() {
    let head = """
      {"id":"00000000-0000-7001-8000-000000000002","organizationID":"00000000-0000-7003-8000-000000000004"
      """
    let tail = """
      "createdAt":"1970-01-01T00:00:00.005Z","updatedAt":"1970-01-01T00:00:00.006Z","version":7}
      """
    for (voucher, text) in [
      (
        Voucher.full,
        #"""
        "ownerId":"00000000-0000-7005-8000-000000000006","code":"A 1","note":"For Ada","spent":true,"amount":60,\#
        "limit":600,"weights":[0,-7,86400],"share":1.25,"startDate":"1969-12-31","endDate":"1970-01-02","color":"red",\#
        "projectId":"00000000-0000-7007-8000-000000000008"
        """#
      ),
      (
        Voucher.bare,
        #"""
        "ownerId":null,"code":"A 2","note":null,"spent":false,"amount":0,"limit":null,"weights":[],"share":0,\#
        "startDate":"1900-01-01","endDate":null,"color":"green","projectId":null
        """#
      ),
    ] {
      var writer = JSONWriter()
      voucher.write(to: &writer)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "\(head),\(text),\(tail)")
    }
  }
}
