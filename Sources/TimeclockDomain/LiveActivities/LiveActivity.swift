/// What a Live Activity on a member's lock screen shows, in one form.
package struct LiveActivity: Hashable, Sendable {
  package var form: LiveActivityForm
  /// Nil where there is nothing to show.
  package var content: LiveActivityContent?
  /// The way in which an activity that is still shown goes; nil where there is something to show.
  package var dismissal: LiveActivityDismissal?
  package var time: Instant

  init(_ form: LiveActivityForm, _ content: LiveActivityContent, at time: Instant) {
    (self.form, self.content, self.time) = (form, content, time)
  }

  init(over form: LiveActivityForm, _ dismissal: LiveActivityDismissal, at time: Instant) {
    (self.form, self.dismissal, self.time) = (form, dismissal, time)
  }
}

/// The attributes and the content of an activity that there is.
package struct LiveActivityContent: Hashable, Sendable {
  /// Tells the activity from the one before and the next: the work, the timer or the routine that it is of. Attributes never
  /// change during an activity.
  package var activity: String
  package var attributes: [LiveActivityMember]
  package var state: [LiveActivityMember]
  /// The instant from which it is out of date unless something comes; nil for never.
  package var staleDate: Instant?
  /// What the state comes from beside its members, such as the instant of a pause.
  var origins: [String] = []

  /// Everything by which a person sees that something happened; seconds that run are none of it.
  package var stateTag: [String] { parts { $0 == .state } }

  /// Everything but the seconds that run.
  package var tag: [String] { parts { $0 != .running } }

  private func parts(where isIncluded: (LiveActivityMember.Weight) -> Bool) -> [String] {
    let members = (attributes + state).filter { isIncluded($0.weight) }
    return [activity] + origins + members.map { "\($0.name) \($0.value)" }
  }
}

/// A member of the attributes or of the content. One without a value is left out, and never null.
package struct LiveActivityMember: Hashable, Sendable {
  /// The name of the property in the app's structure.
  package var name: String
  package var value: LiveActivityValue
  package var weight: Weight

  /// How much it matters that a value has become another.
  package enum Weight: Sendable {
    /// Something happened.
    case state
    /// Something was corrected, or renamed.
    case detail
    /// Time has passed, which a phone knows by itself.
    case running
  }

  init(_ name: String, _ value: LiveActivityValue, _ weight: Weight = .state) {
    (self.name, self.value, self.weight) = (name, value, weight)
  }
}

/// A value in the attributes or in the content.
package enum LiveActivityValue: Hashable, Sendable {
  case text(String)
  case flag(Bool)
  case count(Int64)
  /// A number of seconds with up to three decimals.
  case seconds(milliseconds: Int64)
  /// A part of one, in multiples of 1/10000.
  case tenThousandths(Int64)
  case date(Instant)
}

/// The names of what is worked on, as they are now.
package struct LiveActivityNames: Hashable, Sendable {
  package var task: String?
  package var project: String?
  package var color: ProjectColor?

  package init(task: String? = nil, project: String? = nil, color: ProjectColor? = nil) {
    (self.task, self.project, self.color) = (task, project, color)
  }
}
