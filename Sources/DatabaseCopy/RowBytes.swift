/// One row in the form in which rows are copied and compared: PostgreSQL's binary COPY format
/// (postgresql.org/docs/current/sql-copy.html, "Tuples"). A count of columns in 16 bits, then for each its
/// length in 32 bits, -1 for null, and its bytes. Integers have 8 bytes, booleans one, all big-endian.
///
/// The form is the same for both databases, so equal rows have equal bytes.
package struct RowBytes {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Begins a row, and drops the previous one.
  package mutating func begin(columnCount: Int) {
    bytes.removeAll(keepingCapacity: true)
    append(UInt16(truncatingIfNeeded: columnCount))
  }

  package mutating func appendNull() {
    append(UInt32.max)
  }

  package mutating func append(_ integer: Int64) {
    append(8 as UInt32)
    append(UInt64(bitPattern: integer))
  }

  package mutating func append(_ bool: Bool) {
    append(1 as UInt32)
    bytes.append(bool ? 1 : 0)
  }

  package mutating func append(_ value: UnsafeRawBufferPointer) {
    append(UInt32(truncatingIfNeeded: value.count))
    bytes.append(contentsOf: value)
  }

  private mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

/// Reads the values of one row in the form of `RowBytes`.
package struct RowBytesReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  /// - Throws: `CopyError.malformedRow` for another number of columns.
  package init(_ bytes: UnsafeRawBufferPointer, of table: CopiedTable) throws {
    self.bytes = bytes
    guard try number(Int16.self) == table.columns.count else {
      throw CopyError.malformedRow(table: table.name)
    }
  }

  /// Reads the bytes of the next value; nil for null.
  ///
  /// - Throws: `CopyError.malformedRow` if the row ends before.
  package mutating func next() throws -> UnsafeRawBufferPointer? {
    let count = Int(try number(Int32.self))
    guard count >= 0 else { return nil }
    guard bytes.count - offset >= count else { throw CopyError.malformedRow(table: nil) }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// The number that a value of the row is.
  ///
  /// - Throws: `CopyError.malformedRow` for another length.
  package static func integer(_ value: UnsafeRawBufferPointer, of table: CopiedTable) throws -> Int64 {
    guard value.count == 8 else { throw CopyError.malformedRow(table: table.name) }
    return Int64(bigEndian: value.loadUnaligned(as: Int64.self))
  }

  /// Whether the row has no further value.
  package var isAtEnd: Bool { offset == bytes.count }

  private mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    let size = MemoryLayout<Number>.size
    guard bytes.count - offset >= size else { throw CopyError.malformedRow(table: nil) }
    defer { offset += size }
    return Number(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
