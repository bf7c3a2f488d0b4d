import HTTPMessages

extension Connection {
  /// Keeps the content of the arriving request that the parser holds: in memory, or in a file if it is longer than that of
  /// most requests may be. Content that may be so long goes there also if memory has no room for it.
  ///
  /// - Throws: 503 if there is no room.
  func keepContent() throws(HTTPRequestRejection) {
    guard !holdsInMemory(parser.bodyByteCount) else { return }
    guard parser.mayHaveLongBody else { throw .tooMuchContent }
    try writeToSpool(parser.takeBody())
  }

  /// Moves the rest of a request's content into its file.
  ///
  /// - Throws: 503 if there is no room.
  func spooled(_ received: HTTPReceivedRequest) throws(HTTPRequestRejection) -> HTTPReceivedRequest {
    guard parser.mayHaveLongBody else { throw .tooMuchContent }
    try writeToSpool(received.request.body)
    var received = received
    received.request.body = []
    received.request.bodyFile = spool?.file
    endSpool()
    return received
  }

  /// Lets go of the arriving request's file. It is gone, unless the request has it.
  func endSpool() {
    guard spool != nil else { return }
    spool = nil
    loop.contentSpools.end(of: self)
  }

  /// Writes to the arriving request's file, which takes the content out of the memory that counts.
  private func writeToSpool(_ bytes: [UInt8]) throws(HTTPRequestRejection) {
    let now = loop.now
    if spool == nil { spool = try loop.contentSpools.open(for: self, at: now) }
    _ = countContent(0)
    do {
      try spool?.file.append(bytes)
      spool?.progress.note(byteCount: bytes.count, at: now)
    } catch {
      throw .tooMuchContent(because: "\(error)")
    }
  }
}
