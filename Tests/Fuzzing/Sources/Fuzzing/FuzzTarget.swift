/// The fuzz targets. Each is named as its file in Corpus and its file in Dictionaries.
enum FuzzTarget: String, CaseIterable {
  /// Whole requests of HTTP/1.1.
  case requests
  /// The chunked transfer coding.
  case chunks
  /// Frames of a WebSocket's client.
  case frames
  /// Packets of timer apps' sockets.
  case sockets
  /// Request targets, their paths and queries.
  case targets
  /// JSON texts, and the bodies that they are.
  case json
  /// Dates, times and lengths of time, as requests and files write them.
  case dates
  /// Rules of time zones.
  case zones
  /// Files of time entries, of every format.
  case imports
  /// Places in lists.
  case cursors
  /// Values of header fields.
  case fields
  /// Written formats: answers of HTTP, comma-separated values, calendars.
  case answers
  /// Names, notes and ids.
  case texts
  /// iCalendar files of holidays.
  case calendars

  /// Reads the input and checks the result.
  ///
  /// - Parameter isFaulty: Whether a fault is planted in the checked output, which has to be found: the control of the
  ///   whole arrangement.
  func check(_ input: FuzzInput, isFaulty: Bool) {
    switch self {
    case .requests: RequestsTarget.check(input, isFaulty: isFaulty)
    case .chunks: ChunksTarget.check(input, isFaulty: isFaulty)
    case .frames: FramesTarget.check(input, isFaulty: isFaulty)
    case .sockets: SocketsTarget.check(input, isFaulty: isFaulty)
    case .targets: TargetsTarget.check(input, isFaulty: isFaulty)
    case .json: JSONTarget.check(input, isFaulty: isFaulty)
    case .dates: DatesTarget.check(input, isFaulty: isFaulty)
    case .zones: ZonesTarget.check(input, isFaulty: isFaulty)
    case .imports: ImportsTarget.check(input, isFaulty: isFaulty)
    case .cursors: CursorsTarget.check(input, isFaulty: isFaulty)
    case .fields: FieldsTarget.check(input, isFaulty: isFaulty)
    case .answers: AnswersTarget.check(input, isFaulty: isFaulty)
    case .texts: TextsTarget.check(input, isFaulty: isFaulty)
    case .calendars: CalendarsTarget.check(input, isFaulty: isFaulty)
    }
  }
}
