/// The names of a record's fields that have no value. A test of records read back that names them detects a field that
/// it was not given.
func emptyFields(of record: Any) -> Set<String> {
  Set(
    fields(of: record).compactMap { field in
      let value = Mirror(reflecting: field.value)
      return value.displayStyle == .optional && value.children.isEmpty ? field.label : nil
    })
}

/// The names of the fields in which two records are the same. A test of a change's reach that names them detects a
/// field that it does not change.
func equalFields<Record>(of first: Record, _ second: Record) -> Set<String> {
  Set(
    zip(fields(of: first), fields(of: second)).compactMap { one, other in
      String(reflecting: one.value) == String(reflecting: other.value) ? one.label : nil
    })
}

/// The fields of a record; those of its head among them.
private func fields(of record: Any) -> [Mirror.Child] {
  Mirror(reflecting: record).children.flatMap { field in
    field.label == "head" ? Array(Mirror(reflecting: field.value).children) : [field]
  }
}
