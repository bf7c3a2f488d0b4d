import HTTPMessages
import WebPage

/// The routes of the page. They are no operations of the contract: browsers read them, and programs have no use for them.
extension Operation {
  /// Answers the page in place of `getService` to a request that names `text/html`. The query is the page's own to read.
  static let page = Operation("page", Route(method: .get, path: "/", access: .open)) { request in
    try request.requireNoBody()
    return try .document(WebPage.page, varyingBy: "Accept, Accept-Encoding", for: request.http)
  }

  /// Answers the page's service worker, which may serve the whole origin as it lies at its top (the Service Workers standard,
  /// section 3.4.3).
  static let pageWorker = Operation("pageWorker", Route(method: .get, path: "/sw.js", access: .open)) {
    request in
    try request.requireNoBody()
    return try .document(WebPage.worker, varyingBy: "Accept-Encoding", for: request.http)
  }

  /// Answers a file that the page is made of.
  static let pageAsset = Operation(
    "pageAsset", Route(method: .get, path: "/assets/{set}/{name}", access: .open)
  ) { request in
    try request.requireNoBody()
    guard request.pathParameters.count == 2,
      let file = WebPage.embedded.asset(request.pathParameters[1], of: request.pathParameters[0])
    else { throw RequestError.noSuchRoute }
    return .file(
      file, caching: "public, max-age=31536000, immutable", varyingBy: "Accept-Encoding", for: request.http)
  }

  /// All routes of the page.
  static let ofPage = [page, pageWorker, pageAsset]

  /// Whether it answers files of the page.
  var isOfPage: Bool { Self.ofPage.contains { $0 === self } }

  /// Whether nothing but files of the page is at the path.
  static func hasOnlyPage(_ path: String) -> Bool { path == pageWorker.path || path.hasPrefix("/assets/") }
}

extension HTTPResponse {
  /// Makes the answer with a page or the worker, which caches have to ask for each time.
  ///
  /// - Throws: `RequestError.noSuchRoute` if the program has no such file.
  fileprivate static func document(
    _ name: String, varyingBy names: String, for request: HTTPRequest
  ) throws -> HTTPResponse {
    guard let file = WebPage.embedded.document(name) else { throw RequestError.noSuchRoute }
    return .file(file, caching: "no-cache", varyingBy: names, for: request)
  }
}
