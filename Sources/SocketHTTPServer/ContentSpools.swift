import HTTPMessages

/// The files that the long content of an event loop's requests is kept in, and the limit of their number.
///
/// A file counts from the first bytes that are written to it until the handler has let go of it. If all are taken, a
/// new request gets the place of the peer that has been slow for longest: a client that begins long content and sends
/// no more of it does not keep others from sending theirs, regardless of address.
///
/// `@unchecked Sendable`: it is used only on its loop's thread. A file may end elsewhere.
final class ContentSpools: @unchecked Sendable {
  private let folder: String
  private let files: LimitedCount
  private let patience: Int64
  /// The connections whose arriving content is in a file.
  private var arriving: [Connection] = []

  init(_ configuration: HTTPServerConfiguration) {
    folder = configuration.spoolFolder
    files = LimitedCount(limit: configuration.spoolLimit)
    patience = configuration.spoolPatience.nanoseconds
  }

  /// Opens a file for the content of the request that arrives on a connection. Another connection may be refused for it.
  ///
  /// - Throws: 503 if there is no place for the file, or the system makes none.
  func open(for connection: Connection, at now: Int64) throws(HTTPRequestRejection) -> Spool {
    assert(connection.loop.events.isExclusive)
    guard files.add() || giveUpSlowest(at: now) && files.add() else { throw .tooMuchContent }
    do {
      let file = try ContentFile(in: folder, whenClosed: files.remove)
      arriving.append(connection)
      return Spool(file: file, progress: UploadProgress(at: now, patience: patience))
    } catch {
      files.remove()
      throw .tooMuchContent(because: "\(error)")
    }
  }

  /// Notes that the content on a connection is complete, or arrives no more.
  func end(of connection: Connection) {
    assert(connection.loop.events.isExclusive)
    arriving.removeAll { $0 === connection }
  }

  /// Refuses the request of the peer that has been slow for longest, which frees its file; false if none is slow.
  private func giveUpSlowest(at now: Int64) -> Bool {
    let slowest = arriving.min { ($0.spool?.progress.end ?? .max) < ($1.spool?.progress.end ?? .max) }
    guard let slowest, let end = slowest.spool?.progress.end, end <= now else { return false }
    slowest.reject(.tooMuchContent)
    return true
  }
}

/// The file of an arriving request, and the pace of its peer.
struct Spool {
  let file: ContentFile
  var progress: UploadProgress
}
