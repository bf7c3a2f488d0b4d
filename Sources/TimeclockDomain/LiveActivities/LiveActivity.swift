/// The content of a Live Activity on a member's lock screen, in one form.
package struct LiveActivity: Hashable, Sendable {
  package var form: LiveActivityForm
  /// Nil if there is nothing to show.
  package var content: LiveActivityContent?
  /// The way in which an activity that is still shown goes; nil if there is something to show.
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
  /// Identifies the activity by its segment, entry, timer or routine, because attributes never change during an activity.
  package var activity: String
  package var attributes: [LiveActivityMember]
  package var state: [LiveActivityMember]
  /// The instant from which it is out of date unless something comes; nil for never.
  package var staleDate: Instant?
  /// Sources of the state that are no members of it, such as the instant of a pause.
  var origins: [String] = []

  /// Identifies the state without corrected details and without running seconds.
  package var stateTag: [String] { parts { $0 == .state } }

  /// Identifies the content without running seconds.
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

  /// The importance of a changed value.
  package enum Weight: Sendable {
    /// An action or an end changed it.
    case state
    /// A correction or a new name changed it.
    case detail
    /// It runs with time; a phone computes it.
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

/// The present names of the task and the project of a member's work.
package struct LiveActivityNames: Hashable, Sendable {
  package var task: String?
  package var project: String?
  package var color: ProjectColor?

  package init(task: String? = nil, project: String? = nil, color: ProjectColor? = nil) {
    (self.task, self.project, self.color) = (task, project, color)
  }
}
