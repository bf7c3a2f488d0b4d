import HTTPMessages
import TimeclockDomain

extension Operation {
  /// Makes a session that members can be assigned to.
  static let createSession = Operation(
    "createSession", .post, "/v1/organizations/{organizationID}/sessions", .role(.manager)
  ) { request in
    try request.requireNoQuery()
    let new = try request.body { body in
      NewSessionRequest(
        date: body.date("date"), title: body.string("title"), startTime: body.optionalInstant("startTime"),
        endTime: body.optionalInstant("endTime"), location: body.optionalString("location"),
        assigneeIDs: body.assigneeIDs() ?? [])
    }
    let membership = try request.requireMembership()
    return try await request.once { created in
      .json(
        status: .created, version: created.session.version, location: created.location, created.payload)
    } perform: { recording in
      try await request.timeclock.createSession(new, by: membership, recording: recording)
    }
  }
}
