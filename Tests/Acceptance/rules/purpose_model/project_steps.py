"""Purposes of time come, move and go."""

import dataclasses

from time_model.comparing import expect, is_refused
from time_model.drawing import ABSENT_ID, chance, chosen
from time_model.rules import Refusal
from time_model.step import Step, condition, query

from .drawing import REASON
from .rules import BreakType, Project, Task, change
from .segment_steps import draw_condition


def make_project(office, session, token, name, owner=None, is_billable=False):
    made = session.make(token, "POST", f"{session.base}/projects", {"name": name, "billable": is_billable})
    project = Project(made["id"], owner, is_billable)
    office.projects.append(project)
    return project


def make_task(office, session, token, name, project, owner=None):
    body = {"name": name, "projectId": project and project.id}
    task = Task(session.make(token, "POST", f"{session.base}/tasks", body)["id"], owner, project)
    office.tasks.append(task)
    return task


def set_flag(session, path, body):
    """Changes something as the owner, in any version."""
    answer = session.connection.request("PATCH", session.base + path, session.owner.token, body, [("If-Match", "*")])
    expect(answer.status == 200, "the model answers 200", answer)


def furnish(office, session):
    """The purposes at the beginning: the organization's, somebody's own, and some out of use."""
    owner, ana = office.people["owner"], office.people["ana"]
    orchard = make_project(office, session, owner.token, "Orchard")
    cider = make_project(office, session, owner.token, "Cider", is_billable=True)
    make_project(office, session, ana.token, "Garden", ana)
    closed = make_project(office, session, owner.token, "Closed")
    make_task(office, session, owner.token, "Pick", orchard)
    make_task(office, session, owner.token, "Press", cider)
    make_task(office, session, owner.token, "Rake", None)
    hidden = make_task(office, session, owner.token, "Weed", orchard)
    make_task(office, session, ana.token, "Water", None, ana)
    for name, is_paid, is_archived in [("Lunch", False, False), ("Coffee", True, False), ("Smoke", True, True)]:
        body = {"name": name, "isPaid": is_paid}
        made = session.make(owner.token, "POST", f"{session.base}/breakTypes", body)
        office.break_types.append(BreakType(made["id"], is_paid, is_archived))
        if is_archived:
            set_flag(session, f"/breakTypes/{made['id']}", {"archived": True})
    set_flag(session, f"/projects/{closed.id}", {"archived": True})
    closed.is_archived = True
    closed.version += 1
    set_flag(session, f"/tasks/{hidden.id}", {"hidden": True})
    hidden.is_hidden = True


@dataclasses.dataclass(frozen=True)
class MakeProject(Step):
    is_billable: bool

    @classmethod
    def draw(cls, random, actor):
        return cls(actor, chance(random, 0.5))

    def run(self, office, session):
        actor = office.people[self.actor]
        owner = actor if actor.role == "member" else None
        project = make_project(office, session, actor.token, "Another", owner, self.is_billable)
        make_task(office, session, actor.token, "Plan", project, owner)


@dataclasses.dataclass(frozen=True)
class ArchiveProject(Step):
    choice: float

    @classmethod
    def draw(cls, random, actor):
        return cls(actor, random.random())

    def run(self, office, session):
        project = chosen(office.projects, self.choice, None)
        if project:
            project.is_archived = not project.is_archived
            set_flag(session, f"/projects/{project.id}", {"archived": project.is_archived})
            project.version += 1


@dataclasses.dataclass(frozen=True)
class MoveTask(Step):
    """A task of the organization comes to another project of it, or to none."""

    choice: float
    target: float

    @classmethod
    def draw(cls, random, actor):
        return cls(actor, random.random(), random.random())

    def run(self, office, session):
        task = chosen([one for one in office.tasks if one.owner is None], self.choice, None)
        targets = [one for one in office.projects if one.owner is None and not one.is_archived]
        project = chosen([*targets, None], self.target, None)
        if task:
            set_flag(session, f"/tasks/{task.id}", {"projectId": project and project.id})
            task.project = project


@dataclasses.dataclass(frozen=True)
class DeleteProject(Step):
    choice: float
    condition: str | None
    mode: str | None
    reason: str | None

    @classmethod
    def draw(cls, random, actor):
        actor = actor if chance(random, 0.4) else "manager"
        mode = random.choice([None, "detach", "detach", "delete", "delete"])
        return cls(actor, random.random(), draw_condition(random), mode, REASON if chance(random, 0.8) else None)

    def run(self, office, session):
        actor = office.people[self.actor]
        # The last is none.
        project = chosen([*office.projects, None], self.choice, None)
        fields, demanded = condition(self.condition, project.version if project else 1)
        path = f"/projects/{project.id if project else ABSENT_ID}"
        answer, window = session.ask(
            actor, "DELETE", path + query(segments=self.mode, reason=self.reason), None, fields
        )

        def refusals(_):
            unconditional = [Refusal(428, "precondition_required")] if demanded is False else []
            if project is None:
                return [Refusal(404, "project_not_found"), *unconditional]
            found = office.project_deletion_refusals(actor, project, demanded, self.mode, self.reason)
            return found + [one for one in unconditional if found]

        if is_refused(answer, window, refusals):
            return
        expect(answer.status == 204 and not answer.body, "the model answers 204", answer)
        for segment in office.of_project(project):
            if self.mode == "delete":
                office.remove(segment)
            elif office.is_detached(segment, project):
                segment.purpose = dataclasses.replace(segment.purpose, project=None)
                change(segment, window)
        if self.mode == "delete":
            office.tasks = [task for task in office.tasks if task.project is not project]
        for task in office.tasks:
            task.project = None if task.project is project else task.project
        office.projects.remove(project)
