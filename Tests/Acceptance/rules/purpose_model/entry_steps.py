"""Correcting and deleting entries, which their segments follow."""

from time_model import editing_steps
from time_model.drawing import Words as Notes
from time_model.drawing import chance
from time_model.step import CONDITIONS

from .drawing import Moment, Span, draw_reason


class UpdateEntry(editing_steps.UpdateEntry):
    @classmethod
    def draw(cls, random, actor):
        start = end = span = None
        roll = random.random()
        if roll < 0.35:
            start = Moment.draw(random)
        elif roll < 0.75:
            end = Moment.draw(random)
        else:
            span = Span.draw(random)
        condition = random.choice(CONDITIONS) if chance(random, 0.2) else "present"
        reason = Notes(draw_reason(random))
        return cls(actor, *cls.draw_entry(random), condition, start, end, span, None, None, reason)

    def run(self, office, session):
        super().run(office, session)
        office.settle(session.window)


class DeleteEntry(editing_steps.DeleteEntry):
    @classmethod
    def draw(cls, random, actor):
        condition = random.choice(CONDITIONS) if chance(random, 0.2) else "present"
        return cls(actor, *cls.draw_entry(random), condition, Notes(draw_reason(random)))

    def run(self, office, session):
        super().run(office, session)
        office.settle(session.window)
