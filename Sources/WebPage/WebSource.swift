import CWebPage

/// A file that the page is made of, as its authors wrote it.
package struct WebSource: Sendable {
  /// The file's name, in no folder.
  package let name: String
  /// Copies the file's bytes out of where they are.
  package let read: @Sendable () -> [UInt8]

  package init(_ name: String, read: @escaping @Sendable () -> [UInt8]) {
    self.name = name
    self.read = read
  }

  /// The file as sent: scripts and styles without the parts for their readers.
  var sent: WebSource {
    guard name.hasSuffix(".js") || name.hasSuffix(".css") else { return self }
    return WebSource(name) { [read] in ScriptText.withoutComments(read()) }
  }

  /// The files of `web/` that the program holds. Their bytes are constants of the program, which leave the memory while
  /// nobody reads them.
  package static var embedded: [WebSource] {
    (0..<web_file_count()).map { index in
      WebSource(String(cString: web_files()[index].name)) {
        let file = web_files()[index]
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.length))
      }
    }
  }
}
