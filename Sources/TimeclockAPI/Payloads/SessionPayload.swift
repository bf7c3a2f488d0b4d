import TimeclockDomain

extension SessionDetails {
  /// Writes the contract's Session.
  func write(to writer: inout JSONWriter) {
    session.write(to: &writer) { writer in
      writer.array("assignees", assignees) { writer, assignee in
        writer.object { writer in
          writer.member("id", assignee.userID)
          writer.member("name", assignee.name)
        }
      }
    }
  }

  /// The contract's Session.
  var payload: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// The path of the session.
  var location: String {
    "/v1/organizations/\(session.organizationID)/sessions/\(session.id)"
  }
}

extension Session {
  /// Writes the contract's LoggedSession, with its assignees by their ids: their names may have changed since.
  func writeForLog(to writer: inout JSONWriter) {
    write(to: &writer) { writer in
      writer.array("assignees", assigneeIDs) { writer, id in
        writer.object { $0.member("id", id) }
      }
    }
  }

  fileprivate func write(to writer: inout JSONWriter, _ writeAssignees: (inout JSONWriter) -> Void) {
    writer.object { writer in
      writer.member("id", id)
      writer.member("organizationID", organizationID)
      writer.member("date", date)
      writer.member("title", title)
      writer.member("startTime", startTime)
      writer.member("endTime", endTime)
      writer.member("location", location)
      writeAssignees(&writer)
      writer.member("createdAt", createdAt)
      writer.member("updatedAt", updatedAt)
      writer.member("version", version)
    }
  }
}
