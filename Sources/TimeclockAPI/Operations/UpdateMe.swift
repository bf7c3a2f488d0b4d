import HTTPMessages
import Procedures
import TimeclockDomain

extension Operation {
  /// Changes the caller's own name, zone, language and address. A new address asks for the present password.
  static let updateMe = Operation("updateMe") { request in
    try request.requireNoQuery()
    let authentication = try request.requireAuthentication()
    try authentication.requireLogIn()
    let (changes, password) = try request.optionalBody { body in
      let isZoneGiven = body.has("timeZone")
      let timeZone = body.optionalString("timeZone")
      let isLanguageGiven = body.has("language")
      let language: Language? = body.optionalChoice("language")
      let changes = AccountChangesRequest(
        name: body.optionalString("name"), timeZone: isZoneGiven ? .some(timeZone) : nil,
        language: isLanguageGiven ? .some(language) : nil, email: body.optionalString("email"))
      return (changes, body.optionalString("currentPassword"))
    }
    let profile = try await request.timeclock.updateAccount(
      changes, by: authentication, requestID: request.id
    ) { write in
      // Nobody has guessed if nothing is stated.
      guard let password else { throw TimeclockError.wrongPassword }
      let checked = try await request.checkedPassword(password, of: authentication)
      try await checked.hold(request.timeclock, request.context.passwords, write)
    }
    return .json(JSONWriter.object { profile.writeMembers(to: &$0, scope: nil) })
  }
}
