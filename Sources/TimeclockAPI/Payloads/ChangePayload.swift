import TimeclockDomain

extension Change {
  /// Writes the contract's Change, for a client that keeps a copy.
  ///
  /// - Parameter now: The end of an active entry's `durationSeconds`.
  func writeForFeed(to writer: inout JSONWriter, at now: Instant) {
    writer.object { writeMembersForFeed(to: &$0, at: now) }
  }

  /// Writes the members of the contract's Change.
  func writeMembersForFeed(to writer: inout JSONWriter, at now: Instant) {
    writeSubject(to: &writer)
    writer.member("data", after) { $1.write(to: &$0, at: now) }
  }

  /// Writes the contract's AuditRecord, for a person who looks into a change.
  ///
  /// - Parameter now: The end of an active entry's `durationSeconds`.
  func writeForAudit(to writer: inout JSONWriter, at now: Instant) {
    writer.object { writer in
      writeSubject(to: &writer)
      writer.name("author")
      writer.object { writer in
        writer.member("means", context.author.means.rawValue)
        writer.member("userId", context.author.userID)
        writer.member("apiTokenId", context.author.apiTokenID)
      }
      writer.member("requestId", context.author.requestID)
      writer.member("reason", context.reason?.text)
      writer.member("before", before) { $1.write(to: &$0, at: now) }
      writer.member("after", after) { $1.write(to: &$0, at: now) }
    }
  }

  private func writeSubject(to writer: inout JSONWriter) {
    writer.member("sequence", sequence)
    writer.member("time", context.time)
    writer.member("kind", kind.rawValue)
    writer.member("resource", resource.rawValue)
    writer.member("resourceId", resourceID)
    writer.member("operation", context.operation)
    writer.member("erased", isErased)
  }
}

extension CurrentResource {
  /// Writes the resource as its operations answer it.
  ///
  /// - Parameter now: The end of an active entry's `durationSeconds`.
  func write(to writer: inout JSONWriter, at now: Instant) {
    if let session {
      session.write(to: &writer)
    } else {
      snapshot.write(to: &writer, at: now)
    }
  }
}

extension Snapshot {
  fileprivate func write(to writer: inout JSONWriter, at now: Instant) {
    switch self {
    case .organization(let organization): organization.write(to: &writer)
    case .member(let member): member.write(to: &writer)
    case .apiToken(let apiToken): apiToken.write(to: &writer)
    case .timeEntry(let entry): entry.write(to: &writer, at: now)
    case .session(let session): session.writeForLog(to: &writer)
    case .invitation(let invitation): invitation.write(to: &writer)
    case .segment(let segment): segment.write(to: &writer, at: now)
    case .webhook(let webhook): webhook.write(to: &writer)
    case .reminder(let reminder): reminder.write(to: &writer)
    case .record(let record): record.value.write(to: &writer)
    }
  }
}
