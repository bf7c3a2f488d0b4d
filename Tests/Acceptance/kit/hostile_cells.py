"""Texts that mean harm to those who open a table."""

SIGNS = ["=", "=", "=", "=", "=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣", "﹫"]
# Characters that a program may cut off, or not show.
BLANKS = ["\u200b", "\u2060", "\ufeff", "\u00ad", "\u200d", "\u200b \u00a0", "\ufeff\u3000"]
ENDS = [
    "1+1",
    "cmd|' /C calc'!A0",
    'HYPERLINK("http://127.0.0.1/?"&A1,"x")',
    "SUM(A1:A9)*2",
    "2",
    "",
    "A1",
    'WEBSERVICE("http://127.0.0.1")',
    '"',
    '""=1',
    ",=1+1",
    ";=1+1",
    "'=1",
    'IMPORTXML(CONCAT("a",A2),"//a")',
]
PARTS = [
    "Zoë",
    "Küche",
    "李雷",
    "👩‍🍳",
    "e\u0301",
    "O'Hara",
    "a,b",
    "a;b",
    'say "yes"',
    '"',
    '""',
    "'",
    "&lt;",
    "\\",
    "|",
    "`",
    "NULL",
    "1e5",
    "00123",
    "2026-01-01",
    "1/2",
    "TRUE",
    "#REF!",
    "%",
    "x" * 100,
]
BREAKS = ["\n", "\t", "\n=1+1", '\n"\n', "\t=2", "\n-"]


def line(chance):
    """A text of one line, at most 200 characters, not empty once trimmed."""
    text = ""
    if chance.random() < 0.4:
        text += chance.choice(BLANKS) * (chance.random() < 0.3) + chance.choice(SIGNS) + chance.choice(ENDS)
    # A formula by itself is one that a program understands.
    for _ in range(chance.randrange(0 if text else 1, 4)):
        text += chance.choice([" ", "", ", "]) + chance.choice(PARTS)
    return text[:200]


def text(chance):
    """Notes, with line breaks and tabs too."""
    text = line(chance)
    while chance.random() < 0.4:
        text += chance.choice(BREAKS) + line(chance)
    return text[:500]
