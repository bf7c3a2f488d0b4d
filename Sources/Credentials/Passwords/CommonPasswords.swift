/// The passwords that people choose most often, and words that are passwords with a few digits after them, in lower case.
/// `common_passwords.txt` has one on each line.
enum CommonPasswords {
  static let all = Set(PackageResources.common_passwords_txt.split(separator: 0x0A).map { Array($0) })
}
