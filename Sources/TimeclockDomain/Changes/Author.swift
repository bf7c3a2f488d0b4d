/// The author of a change: the person, the means and the request.
package struct Author: Hashable, Sendable {
  /// The means that lets the author in.
  package enum Means: String, CaseIterable, Sendable {
    /// A person's log-in.
    case logIn = "log-in"
    /// An API token, in the name of the member it was made for.
    case apiToken = "api-token"
    /// The operator of the service: the operator's token, or a command on the machine.
    case `operator`
    /// The service itself.
    case service
  }

  package var means: Means
  /// The person; nil for the operator and the service.
  package var userID: UserID?
  /// The API token; nil for every other means.
  package var apiTokenID: ApiTokenID?
  /// The request, as its log line and its answer name it; nil outside of one.
  package var requestID: RequestID?

  package init(
    means: Means, userID: UserID? = nil, apiTokenID: ApiTokenID? = nil, requestID: RequestID? = nil
  ) {
    self.means = means
    self.userID = userID
    self.apiTokenID = apiTokenID
    self.requestID = requestID
  }

  /// The service itself, of its own accord.
  package static let service = Author(means: .service)
}
