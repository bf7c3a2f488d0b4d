"""The purposes of every plan: projects, tasks and kinds of breaks, some of which are changed when all is entered."""

import dataclasses

from . import facts


@dataclasses.dataclass(frozen=True)
class PlannedProject:
    """`client` and `is_billable` as segments are written with, `last_client` and `last_name` in the end."""

    name: str
    color: str
    client: str | None = None
    last_client: str | None = None
    is_billable: bool = False
    last_name: str | None = None


@dataclasses.dataclass(frozen=True)
class PlannedTask:
    """`project` is a place in the projects or None."""

    name: str
    project: int | None = None


@dataclasses.dataclass(frozen=True)
class PlannedBreakType:
    """`last_paid` and `last_expected` are a type's final values."""

    name: str
    is_paid: bool
    expected: int | None
    last_paid: bool
    last_expected: int | None


# Names that differ in case, in script, or not at all, and one that CSV has to mark. Each has a color of its own.
PROJECTS = [
    PlannedProject("Harbour", "#007AFF", "Acme", "Acme", is_billable=True),
    PlannedProject("Airport", "#34C7AF", "Acme", "acme"),
    PlannedProject("Harbour", "#FF0000", None, None, is_billable=True),
    PlannedProject("harbour", "#000000", None, "Élan"),
    PlannedProject("Émile", "#FFFFFF", "Acme Ltd", None, last_name="=mooring()"),
    PlannedProject("Quay", "#112233", "+1 Ltd", "+1 Ltd"),
]
CLIENTS = ["Acme", "acme", "Acme Ltd", "Élan", "+1 Ltd"]
TASKS = [PlannedTask("Paint"), PlannedTask("Paint", 0), PlannedTask("Émail", 1), PlannedTask("paint")]
BREAKS = [
    PlannedBreakType("Lunch", False, 1_800, False, 1_800),
    PlannedBreakType("Smoke", False, None, True, 300),
    PlannedBreakType("Coffee", True, 600, True, None),
    PlannedBreakType("Stretching", True, None, False, 900),
]
TAGS = ["deep", "Deep", "deep work", "=tag", "über"]


class Subjects:
    """Projects, tasks and kinds of breaks as they are in the end, by their places, with these ids."""

    def __init__(self, projects, tasks, breaks):
        self.projects = [
            facts.Project(identifier, one.last_name or one.name, one.color, one.last_client)
            for identifier, one in zip(projects, PROJECTS)
        ]
        self.tasks = [facts.Task(identifier, one.name) for identifier, one in zip(tasks, TASKS)]
        self.breaks = [
            facts.BreakType(identifier, one.last_paid, one.last_expected) for identifier, one in zip(breaks, BREAKS)
        ]

    def all(self):
        return [*self.projects, *self.tasks, *self.breaks]

    def segment(self, one, member, entry, end, is_anonymous=False):
        """A planned segment as it is in the end; an anonymous member's has no tags."""
        return facts.Segment(
            member,
            entry,
            one.start,
            end,
            one.kind,
            None if one.project is None else self.projects[one.project],
            None if one.task is None else self.tasks[one.task],
            None if one.break_type is None else self.breaks[one.break_type],
            () if is_anonymous else one.tags,
            one.is_billable,
        )


def project_id(place):
    return f"project-{place}"


def task_id(place):
    return f"task-{place}"


def made_up():
    """With made-up ids."""
    return Subjects(
        map(project_id, range(len(PROJECTS))),
        map(task_id, range(len(TASKS))),
        (f"break-{place}" for place in range(len(BREAKS))),
    )
