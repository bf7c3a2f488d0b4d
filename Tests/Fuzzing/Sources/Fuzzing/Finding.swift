/// Reports a finding unless the condition holds: the process ends, and libFuzzer keeps the input.
func require(_ condition: Bool, _ finding: @autoclosure () -> String) {
  if !condition { fatalError("finding: \(finding())") }
}
