/// The sums of one date, in integers and in the order in which everything that shows them computes them.
extension DaySums {
  /// The sums of a date.
  ///
  /// - Parameters:
  ///   - planned: The seconds that the schedule has for the date, not negative.
  ///   - holidayPercent: The hundredths of the plan that are free as a holiday; 0 if none counts.
  ///   - absences: The absences that count on the date, in the order of `AbsenceRow.takesBefore`.
  init(planned: Int64, holidayPercent: Int64, absences: [AbsenceRow], paid: Int64, adjustment: Int64) {
    self.planned = planned
    self.paid = paid
    self.adjustment = adjustment
    holiday = planned * holidayPercent / 100
    target = planned - holiday
    guard planned > 0, !absences.isEmpty else { return }
    take(absences)
    // Rounded to the nearest ten-thousandth, half up.
    usedDays = (2 * taken.ofEntitlement * 10_000 + planned) / (2 * planned)
  }

  /// Lets absences take their parts of the target, each as much as those before it left.
  private mutating func take(_ absences: [AbsenceRow]) {
    let open = target
    var halves = 0
    for absence in absences where absence.kind.reducesTarget {
      let wanted: Int64
      switch absence.portion {
      case .day: wanted = target
      case .half:
        // The second half of a date, whatever its kind, is the rest of the first one.
        wanted = halves == 0 ? open / 2 : open - open / 2
        halves += 1
      case .seconds(let seconds): wanted = seconds
      }
      let seconds = min(wanted, target)
      taken[absence.kind] += seconds
      target -= seconds
    }
  }
}
