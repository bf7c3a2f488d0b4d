import HTTPMessages
import Threads
import TimeclockDomain

/// A list of the timer app's contract, which has no pages: it is read and written on the threads for long work, in pieces,
/// while its caller holds a place.
struct LongTimerList: Sendable {
  let timer: TaskTimer
  private let access: LiveAccess
  private let place: OperationPlaces.Place

  /// - Throws: The errors of `OperationRequest.taskTimer`; `.tooManyAtOnce` and `.unavailable` as `OperationPlaces`
  ///   does.
  init(_ request: OperationRequest) async throws {
    timer = try await request.taskTimer()
    access = try request.liveAccess(as: timer.caller)
    place = try request.context.timerListPlaces.take(for: timer.caller.key)
  }

  /// Answers with the result of `make`.
  func answer(
    _ make: @Sendable (TaskTimer) async throws -> [UInt8]
  ) async throws -> HTTPResponse {
    defer { withExtendedLifetime(place) {} }
    return .json(try await LongWorkExecutor.run { try await make(timer) })
  }

  /// Answers with an array that `write` writes while it is sent.
  ///
  /// - Parameters:
  ///   - prepare: Called before the answer begins, so that a refusal gets its own status.
  ///   - write: Writes the elements, with commas between them.
  func array<Prepared: Sendable>(
    preparing prepare: @Sendable (TaskTimer) async throws -> Prepared,
    _ write: @escaping @Sendable (TaskTimer, Prepared, inout Pieces) async throws -> Void
  ) async throws -> HTTPResponse {
    let prepared = try await LongWorkExecutor.run { try await prepare(timer) }
    return HTTPResponse(
      status: .ok, fields: StandardFields.json,
      body: .stream { [timer, place] body in
        defer { withExtendedLifetime(place) {} }
        try await LongWorkExecutor.run {
          var pieces = Pieces(to: body)
          pieces.bytes.append(UInt8(ascii: "["))
          try await write(timer, prepared, &pieces)
          pieces.bytes.append(UInt8(ascii: "]"))
          try await pieces.end()
        }
      }
    ).watched(by: access)
  }

  /// Content that goes out in pieces of some size.
  struct Pieces: Sendable {
    private let body: any HTTPBodyWriter
    /// Bytes not sent yet.
    var bytes: [UInt8] = []

    private static let byteCount = 64 * 1_024

    init(to body: any HTTPBodyWriter) {
      self.body = body
    }

    /// Sends the bytes so far if they are enough for a piece.
    mutating func flush() async throws {
      if bytes.count >= Self.byteCount { try await end() }
    }

    /// Sends the rest.
    mutating func end() async throws {
      let piece = bytes
      bytes = []
      try await body.write(piece)
    }
  }
}
