import TimeclockDomain

/// The storage's readings for reports.
package protocol ReportStorage: Sendable {
  /// Reads the time of an organization's members, and hands it to `calculate`: both in one go, apart from the serving
  /// of requests, so that a long report holds up no request.
  ///
  /// The reading is of one moment, but for names, which may be newer, and entries of shifts that are more than a day away from
  /// the span, which may be too.
  ///
  /// - Returns: The result of `calculate`.
  /// - Throws: `.notFound(.session)` if the query names a session that the organization does not have; `.unavailable`;
  ///   any error of `calculate`.
  func report<Report: Sendable>(
    on query: WorkedTimeQuery, _ calculate: @escaping @Sendable (WorkedTime) throws -> Report
  ) async throws -> Report
}
