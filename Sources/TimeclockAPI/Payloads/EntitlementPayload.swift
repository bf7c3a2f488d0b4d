import TimeclockDomain

extension EntitlementReport {
  /// The contract's EntitlementReport.
  func content(of kind: Entitlement.Kind) -> WrittenContent {
    var content = WrittenContent()
    var writer = JSONWriter(capacity: WrittenContent.capacity(for: 256 + rows.count * 256))
    writer.object { writer in
      writer.member("kind", kind.rawValue)
      writer.array("rows", rows) { writer, row in
        writer.object { writer in
          ReportValue.user(row.person).write(to: &writer)
          row.use.write(to: &writer)
        }
        content.takePiece(of: &writer)
      }
    }
    return content.ended(by: writer)
  }
}

extension EntitlementYear {
  /// Writes the members of the contract's EntitlementUse.
  func write(to writer: inout JSONWriter) {
    writer.member("year", Int64(entitlement.year))
    writer.days("days", entitlement.days)
    writer.days("carriedDays", entitlement.carriedDays)
    writer.member("carriedExpires", entitlement.carriedExpires) { $0.date($1) }
    writer.days("usedDays", usedDays)
    writer.days("requestedDays", requestedDays)
    writer.days("expiredDays", expiredDays)
    writer.days("remainingDays", remainingDays)
  }
}

extension JSONWriter {
  /// Writes a member with days, of which there are ten-thousandths.
  fileprivate mutating func days(_ name: StaticString, _ parts: Int64) {
    self.name(name)
    tenThousandths(parts)
  }
}
