import GRDB
import Hummingbird

/// A row of `time_entries`, which is also the JSON of an answer.
struct Entry: Codable, FetchableRecord, MutablePersistableRecord, ResponseCodable {
  static let databaseTableName = "time_entries"

  var id: String
  var organizationId: Int64
  var userId: Int64
  var clockIn: String
  var clockOut: String?
  var date: String
  var status: String
  var sessionId: String?
  var notes: String?
  var createdAt: String
  var updatedAt: String

  enum CodingKeys: String, CodingKey {
    case id
    case organizationId = "organization_id"
    case userId = "user_id"
    case clockIn = "clock_in"
    case clockOut = "clock_out"
    case date, status
    case sessionId = "session_id"
    case notes
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }
}

/// The content of a clock-in.
struct ClockIn: Decodable {
  var notes: String?
  var sessionId: String?
}

/// The answer to a list.
struct EntryList: ResponseCodable {
  var entries: [Entry]
  var count: Int
}
