import TimeclockDomain

extension BalanceReport {
  /// The contract's BalanceReport.
  var content: WrittenContent {
    var content = WrittenContent()
    var writer = JSONWriter(capacity: WrittenContent.capacity(for: 1_024 + rows.count * 320))
    writer.object { writer in
      writer.member("countedThrough", countedThrough)
      writer.array("rows", rows) { writer, row in
        writer.object { row.write(to: &$0, showsCredit: areCreditsShown) }
        content.takePiece(of: &writer)
      }
      writer.name("totals")
      writer.object { writer in
        totals.writePlan(to: &writer, showsCredit: areCreditsShown)
        writer.member("paidSeconds", totals.paid)
        writer.member("adjustmentSeconds", totals.adjustment)
        writer.member("balanceSeconds", totalBalance)
      }
    }
    return content.ended(by: writer)
  }
}

extension BalanceReportRow {
  fileprivate func write(to writer: inout JSONWriter, showsCredit: Bool) {
    ReportValue.user(person).write(to: &writer)
    period?.write(to: &writer)
    sums.writePlan(to: &writer, showsCredit: showsCredit)
    let counted = carried == nil ? nil : sums
    writer.member("paidSeconds", counted?.paid)
    writer.member("adjustmentSeconds", counted?.adjustment)
    writer.member("balanceSeconds", counted?.balance)
    writer.member("carriedSeconds", carried)
  }
}

extension DaySums {
  fileprivate func writePlan(to writer: inout JSONWriter, showsCredit: Bool) {
    writer.member("plannedSeconds", planned)
    writer.member("holidaySeconds", holiday)
    writer.member("absenceSeconds", absence)
    writer.member("creditedSeconds", showsCredit ? credited : nil)
    writer.member("targetSeconds", target)
  }
}

extension MemberAccount {
  /// The contract's Account.
  var payload: [UInt8] {
    JSONWriter.object(capacity: 384) { writer in
      writer.member("countedThrough", countedThrough)
      writer.member("balanceSeconds", balance)
      writer.member("weekPaidSeconds", weekPaid)
      writer.member("weekTargetSeconds", weekTarget)
      writer.member("vacation", vacation) { writer, use in writer.object { use.write(to: &$0) } }
      writer.member("period", period) { writer, state in writer.object { state.writeMembers(to: &$0) } }
    }
  }
}
