"""The codes of problems, which openapi/problems.toml lists."""

import tomllib

from contract.text import require


class Problems:
    """problems.toml: the codes, their statuses, and the sets in which operations name them."""

    def __init__(self, text):
        table = tomllib.loads(text)
        self.codes, self.server, self.sets = table["codes"], table["server"], table["sets"]
        self.responses = table["responses"]
        self.order = list(self.codes)
        self.used_codes, self.used_sets = set(), set()
        for code, meanings in [*self.codes.items(), *self.server.items()]:
            statuses = list(meanings)
            require(statuses == sorted(statuses) and statuses, f"problems.toml: statuses of {code} out of order")

    def known_values(self):
        return self.order + [code for code in self.server if code not in self.codes]

    def table(self, codes):
        """The codes as a table of Markdown."""
        rows = ["| code | status | meaning |", "|---|---|---|"]
        for code, meanings in codes.items():
            texts = list(meanings.values())
            meaning = texts[0] if len(texts) == 1 else "; ".join(f"{one}: {text}" for one, text in meanings.items())
            rows.append(f"| `{code}` | {', '.join(meanings)} | {meaning} |")
        return rows

    def by_status(self, names):
        """The codes that these sets and codes stand for, by their statuses, in the order of problems.toml."""
        found = {}
        for code, status in self._resolved(names):
            codes = found.setdefault(status, [])
            require(code not in codes, f"{code} stands there twice")
            codes.append(code)
        return {status: sorted(found[status], key=self.order.index) for status in sorted(found)}

    def _resolved(self, names):
        for name in names:
            if name in self.sets:
                self.used_sets.add(name)
                yield from self._resolved(self.sets[name])
                continue
            status, _, code = name.rpartition(" ")
            require(code in self.codes, f"problems.toml has no set and no code {name}")
            statuses = self.codes[code]
            require(
                bool(status) == (len(statuses) > 1),
                f"{code} has the statuses {list(statuses)}: write it "
                "without one, or after one of them if there are several",
            )
            status = status or next(iter(statuses))
            require(status in statuses, f"{code} has no status {status}")
            self.used_codes.add((code, status))
            yield code, status

    def require_use(self):
        """Nothing is listed that no operation documents."""
        listed = {(code, status) for code, statuses in self.codes.items() for status in statuses}
        unused = sorted(f"{status} {code}" for code, status in listed - self.used_codes)
        require(not unused, f"problems.toml lists what no operation documents: {', '.join(unused)}")
        unused = sorted(self.sets.keys() - self.used_sets)
        require(not unused, f"problems.toml has sets that no operation names: {', '.join(unused)}")
