import HTTPMessages
import TimeclockDomain

extension Page where Cursor: ListCursor {
  /// Makes an answer with a page of a list. Inlined, so that its elements are written by code for their kind.
  @inline(__always)
  func response(
    _ name: StaticString, of list: ListIdentity, bytesPerElement: Int = 512,
    _ write: (inout JSONWriter, Element) -> Void
  ) -> HTTPResponse {
    .tagged(capacity: 64 + elements.count * bytesPerElement) { writer in
      writer.array(name, elements, write)
      writer.member("nextCursor", next?.text(in: list))
    }
  }
}
