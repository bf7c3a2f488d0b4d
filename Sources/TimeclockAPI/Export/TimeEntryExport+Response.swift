import HTTPMessages
import Procedures
import TimeclockDomain

extension TimeEntryExport {
  /// The number of bytes that are read ahead of the client. The next page is read when most of them are on their way,
  /// so a slow client costs this much memory and nothing else.
  private static let pageByteCount = 256 * 1024

  /// Answers with the export as a document, which is sent while it is read.
  ///
  /// The first page is read before the answer begins, so that a refusal gets its own status. If a later page fails, the
  /// connection is cut, and the client sees that the document is incomplete.
  ///
  /// - Parameters:
  ///   - fileName: The name that a browser gives the file: ASCII letters, digits, hyphens and full stops.
  ///   - place: Held until the document has ended.
  func response(
    as document: some TimeEntryDocument, fileName: String, holding place: OperationPlaces.Place
  ) async throws -> HTTPResponse {
    var document = document
    document.begin()
    let first = try await page(after: nil, of: document)
    var response = HTTPResponse(
      status: .ok, fields: StandardFields.fields(contentType: type(of: document).contentType),
      body: .stream { body in
        defer { withExtendedLifetime(place) {} }
        var page = first
        while true {
          try await body.write(page.output.takeBytes())
          guard let cursor = page.next else { break }
          page = try await self.page(after: cursor, of: page.output)
        }
        page.output.end()
        try await body.write(page.output.takeBytes())
      })
    response.fields.append("Content-Disposition", "attachment; filename=\"\(fileName)\"")
    return response
  }

  private func page<Document: TimeEntryDocument>(
    after cursor: TimeEntryExportCursor?, of document: Document
  ) async throws -> TimeEntryExportPage<Document> {
    try await page(after: cursor, into: document) { document, exported in
      document.append(exported)
      return document.byteCount < Self.pageByteCount
    }
  }
}
