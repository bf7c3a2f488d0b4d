"""A smaller plan, and its text in words."""

import dataclasses

from . import zones
from .subjects import BREAKS, PROJECTS, TASKS


def entries(plan):
    """All that can be left out of a plan by itself."""
    return [*plan.entries, *plan.outside]


def segments(plan):
    return [segment for one in plan.entries for segment in one.segments]


def without(plan, left_out):
    """A plan without these very entries, segments, or segments without an entry."""
    gone = {id(one) for one in left_out}
    kept = [place for place, one in enumerate(plan.entries) if id(one) not in gone]
    return dataclasses.replace(
        plan,
        entries=tuple(thinned(plan.entries[place], gone) for place in kept),
        deleted=kept.index(plan.deleted) if plan.deleted in kept else None,
        outside=tuple(one for one in plan.outside if id(one) not in gone),
    )


def thinned(entry, gone):
    if not any(id(one) in gone for one in entry.segments):
        return entry
    return dataclasses.replace(entry, segments=tuple(one for one in entry.segments if id(one) not in gone))


def described(plan):
    """In lines."""
    for one in plan.entries:
        session = "" if one.session is None else f" for {plan.sessions[one.session]}"
        yield f"{plan.members[one.member]} {span(one)}{session}" + " clocked" * one.is_clocked
        for segment in one.segments:
            yield f"  {span(segment)} {purpose(segment)}"
    for member, segment in plan.outside:
        yield f"{plan.members[member]} without an entry: {span(segment)} {purpose(segment)}"


def span(one):
    return f"{zones.written(one.start)} to {'…' if one.end is None else zones.written(one.end)}"


def purpose(segment):
    if segment.break_type is not None:
        words = [f"break {BREAKS[segment.break_type].name}", segment.kind]
    else:
        project = segment.project is not None and PROJECTS[segment.project]
        words = [f"project {project.last_name or project.name} {project.color}"] if project else []
        words += [] if segment.task is None else [f"task {TASKS[segment.task].name}"]
        words += ["billable"] if segment.is_billable else []
    return ", ".join([*words, *[f"tag {tag}" for tag in segment.tags]])
