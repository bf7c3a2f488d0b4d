import CLibFuzzer
import Foundation

// libFuzzer starts the program again with arguments of its own, so the environment names the target.

/// Which target runs, and whether it has a fault that must be found.
enum Chosen {
  static let target = variable("TIMECLOCK_FUZZING_TARGET").flatMap { FuzzTarget(rawValue: $0) }
  static let isFaulty = variable("TIMECLOCK_FUZZING_FAULT") == "1"

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

if CommandLine.arguments.dropFirst().first == "--list" {
  for target in FuzzTarget.allCases { print(target.rawValue) }
  exit(0)
}
guard Chosen.target != nil else {
  FileHandle.standardError.write(Data("TIMECLOCK_FUZZING_TARGET names no target; --list shows them.\n".utf8))
  exit(64)
}
var argumentCount = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(
  LLVMFuzzerRunDriver(&argumentCount, &arguments) { data, count in
    Chosen.target?.check(
      FuzzInput(UnsafeBufferPointer(start: data, count: count)), isFaulty: Chosen.isFaulty)
    return 0
  })
