extension LiveActivity {
  /// A focus or a break, also a finished one until the next step or the end of its offer.
  package static func focus(
    _ timer: MemberTimer, _ names: LiveActivityNames, at now: Instant
  ) -> LiveActivity {
    guard let active = timer.active, active.type != .rest else {
      return LiveActivity(over: .focus, .immediate, at: now)
    }
    // A phone counts up from here, so finished pauses move it forward.
    let start =
      active.isCountdown ? active.startTime : active.startTime.adding(milliseconds: active.pausedMilliseconds)
    let end = active.shownEndTime ?? start.adding(milliseconds: longest)
    var state = [
      LiveActivityMember("timerStartDate", .date(start)), LiveActivityMember("timerEndDate", .date(end)),
      LiveActivityMember("isPaused", .flag(active.state == .paused)),
      LiveActivityMember("isRunning", .flag(active.state == .running)),
    ]
    if active.state == .paused {
      let (name, time) =
        active.remainingMilliseconds(at: now).map { ("pausedTimeRemaining", $0) }
        ?? ("pausedElapsedTime", active.elapsedMilliseconds(at: now))
      state.append(LiveActivityMember(name, .seconds(milliseconds: time)))
    }
    let label = active.label ?? names.task ?? names.project ?? ""
    return LiveActivity(
      .focus,
      LiveActivityContent(
        activity: active.id.text,
        attributes: [
          LiveActivityMember("label", .text(label), .detail),
          LiveActivityMember("labelColor", .text((names.color ?? .standard).text), .detail),
          LiveActivityMember("isFocus", .flag(active.type == .focus)),
          LiveActivityMember("isCountdown", .flag(active.isCountdown)),
        ], state: state, staleDate: active.state == .running ? end : nil), at: now)
  }

  /// A rest; over as soon as it has finished.
  package static func rest(_ timer: MemberTimer, at now: Instant) -> LiveActivity {
    guard let active = timer.rest, let end = active.endTime else {
      return LiveActivity(over: .rest, .immediate, at: now)
    }
    return LiveActivity(
      .rest,
      LiveActivityContent(
        activity: active.id.text,
        attributes: [
          LiveActivityMember("exerciseName", .text(active.subject?.name ?? active.label ?? "Rest")),
          LiveActivityMember("originalDuration", .count(active.originalMilliseconds / 1_000)),
          LiveActivityMember("exerciseID", .text(active.subject?.id ?? "")),
        ],
        state: [
          LiveActivityMember("remainingSeconds", .count(active.remainingSeconds(at: now)), .running),
          LiveActivityMember("endDate", .date(end)),
          LiveActivityMember("isPaused", .flag(active.state == .paused)),
          LiveActivityMember("progress", .tenThousandths(active.progressTenThousandths(at: now)), .running),
          LiveActivityMember("wasAdjusted", .flag(active.wasAdjusted), .detail),
        ], staleDate: active.state == .running ? end : nil, origins: active.pauseOrigins), at: now)
  }

  /// A workout, or a round through rooms, with the rest that is taken now.
  package static func routine(_ timer: MemberTimer, at now: Instant) -> LiveActivity {
    guard let routine = timer.routine else { return LiveActivity(over: .routine, .default, at: now) }
    let rest = timer.rest
    let start = LiveActivityMember("startTime", .date(routine.startTime))
    var state = [
      LiveActivityMember("currentExercise", .text(routine.currentItem ?? rest?.subject?.name ?? "")),
      LiveActivityMember("currentSet", .count(routine.currentSet)),
      LiveActivityMember("totalSets", .count(routine.totalSets)),
      LiveActivityMember("exercisesCompleted", .count(routine.itemsCompleted)),
      LiveActivityMember("totalExercises", .count(routine.totalItems)),
      LiveActivityMember(
        "elapsedTime", .count(max(0, now.milliseconds(since: routine.startTime)) / 1_000), .running),
      LiveActivityMember("isResting", .flag(rest != nil)),
    ]
    if let rest {
      state.append(LiveActivityMember("restRemaining", .count(rest.remainingSeconds(at: now)), .running))
    }
    return LiveActivity(
      .routine,
      LiveActivityContent(
        activity: "\(routine.startTime.millisecondsSince1970)",
        attributes: (routine.name.map { [LiveActivityMember("workoutName", .text($0), .detail)] } ?? [])
          + [start],
        state: state, staleDate: routine.startTime.adding(milliseconds: longest),
        origins: rest.map { ["\($0.endTime?.millisecondsSince1970 ?? 0)"] + $0.pauseOrigins } ?? []),
      at: now)
  }
}

extension MemberTimer {
  /// The rest that is being taken; nil if none is, or it has finished.
  fileprivate var rest: ActiveTimer? {
    active.flatMap { $0.type == .rest && $0.finishedAt == nil ? $0 : nil }
  }
}

extension ActiveTimer {
  /// The seconds that are left, rounded up.
  fileprivate func remainingSeconds(at now: Instant) -> Int64 {
    ((remainingMilliseconds(at: now) ?? 0) + 999) / 1_000
  }

  /// The share of the original length that is left, cut.
  fileprivate func progressTenThousandths(at now: Instant) -> Int64 {
    min(10_000, (remainingMilliseconds(at: now) ?? 0) * 10_000 / max(1, originalMilliseconds))
  }

  /// The source of the remaining seconds of a paused rest.
  fileprivate var pauseOrigins: [String] {
    pausedSince.map { ["paused \($0.millisecondsSince1970)"] } ?? []
  }
}
