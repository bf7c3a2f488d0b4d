"""The routes of the contract, as the program takes them: Sources/TimeclockAPI/Routing/ContractRoutes+Text.swift."""

from contract.text import require

FILE = "Sources/TimeclockAPI/Routing/ContractRoutes+Text.swift"
# The callers that an operation of the contract may have, in `x-required-role`.
ROLES = ("operator", "user", "member", "manager", "admin")


def access(keys, place):
    """The callers that may use an operation, by its parts: `open` for everybody, or a role."""
    is_open = "security" in keys and keys["security"].value == "[]"
    role = keys["x-required-role"].value if "x-required-role" in keys else None
    require(is_open != bool(role), f"{place}: needs either x-required-role or security: []")
    require(is_open or role in ROLES, f"{place}: {role} is none of {', '.join(ROLES)}")
    return role or "open"


def swift(paths, notice):
    """The text of the file: of each path its operations with method and access."""
    lines = [line for path, operations in paths.items() for line in (path, *(f"  {one}" for one in operations))]
    text = "\n".join(f"    {line}" for line in lines)
    return f'''// {notice}
extension ContractRoutes {{
  /// Each path, and below it the method, the operationId and the access of its operations.
  static let text = """
{text}
    """
}}
'''
