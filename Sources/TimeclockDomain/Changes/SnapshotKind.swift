extension Snapshot {
  /// The kinds of resources whose changes are kept, by their names in the contract.
  package enum Kind: String, CaseIterable, Sendable {
    case organization
    case member
    case apiToken
    case timeEntry
    case session
    case breakType
    case invitation
    case project
    case task
    case segment
    case webhook
    case reminder
    case holidayCalendar
    case holiday
    case workSchedule
    case entitlement
    case adjustment
    case group
    case absence
    case period
    case approval
    case correction
    case payRules
  }
}

extension Snapshot.Kind {
  /// The form of a kind's records in the log, and of all that follows from a shape.
  package enum Form: Sendable {
    /// By the shape of the type.
    case shaped(any ShapedRecord.Type)
    // Written by hand:
    case organization
    case member
    case apiToken
    case timeEntry
    case session
    case invitation
    case segment
    case webhook
    case reminder
  }

  package var form: Form {
    switch self {
    case .breakType: .shaped(BreakType.self)
    case .project: .shaped(Project.self)
    case .task: .shaped(WorkTask.self)
    case .holidayCalendar: .shaped(HolidayCalendar.self)
    case .holiday: .shaped(Holiday.self)
    case .workSchedule: .shaped(WorkSchedule.self)
    case .entitlement: .shaped(Entitlement.self)
    case .adjustment: .shaped(Adjustment.self)
    case .group: .shaped(Group.self)
    case .absence: .shaped(Absence.self)
    case .period: .shaped(Period.self)
    case .approval: .shaped(Approval.self)
    case .correction: .shaped(Correction.self)
    case .payRules: .shaped(DatedPayRules.self)
    case .organization: .organization
    case .member: .member
    case .apiToken: .apiToken
    case .timeEntry: .timeEntry
    case .session: .session
    case .invitation: .invitation
    case .segment: .segment
    case .webhook: .webhook
    case .reminder: .reminder
    }
  }

  /// The types that have a shape, each after those that it refers to.
  package static let shaped: [any ShapedRecord.Type] = allCases.compactMap { kind in
    if case .shaped(let type) = kind.form { type } else { nil }
  }
}

extension String {
  /// The words of a name in camel case, in small letters: `break_types` for `breakTypes`.
  package func words(between separator: String) -> String {
    reduce(into: "") { $0 += $1.isUppercase ? separator + $1.lowercased() : String($1) }
  }
}

// Everything else about a kind.
extension Snapshot.Kind {
  /// The word for a resource of the kind in sentences: `break type` for `breakType`.
  package var noun: String { self == .apiToken ? "API token" : rawValue.words(between: " ") }

  /// The word for a resource of the kind in codes, such as `time_entry`.
  package var codeWord: String { rawValue.words(between: "_") }

  /// The readers of its changes beside managers.
  package enum Readers: Sendable {
    /// The owner; all members, if it is no member's.
    case owner
    /// The members who are assigned to it.
    case assignees
    /// Nobody.
    case managers
    /// Admins only, not even managers.
    case admins
  }

  var readers: Readers {
    switch form {
    case .shaped(let type): type.readersOfChanges
    case .organization, .member, .timeEntry, .segment, .reminder: .owner
    case .session: .assignees
    case .apiToken, .invitation, .webhook: .admins
    }
  }

  /// Whether its changes are for admins only.
  package var isOfAdmins: Bool { readers == .admins }

  /// Whether each may be one member's, or is the member, so that its changes are erased with the person.
  package var isOfMember: Bool {
    switch form {
    case .shaped(let type): type.mayBeOfMember
    case .organization, .session, .webhook: false
    case .member, .apiToken, .timeEntry, .invitation, .segment, .reminder: true
    }
  }
}
