/// Part of a list, and where the next part begins.
package struct Page<Element: Sendable, Cursor: Sendable>: Sendable {
  package var elements: [Element]
  /// The place from which the list goes on; nil at its end.
  package var next: Cursor?

  package init(elements: [Element], next: Cursor?) {
    self.elements = elements
    self.next = next
  }
}

/// A place in a list that is ordered by row.
package struct RowCursor: Hashable, Sendable {
  /// The last row before the place.
  package let row: Int64

  package init(row: Int64) {
    self.row = row
  }
}
