"""A member's conversation with the service: on any of its instances, at the instant at which the clock stands."""

from time_model.comparing import expect

from . import shown
from .step import expect_shown


class Session:
    def __init__(self, stage, connection, operator, counts):
        self.stage = stage
        self.counts = counts
        self.begin()

    def close(self):
        pass

    def begin(self):
        """Continues with another member, of whom nothing is known."""
        # The clock never goes back: an instance that is just looking for timers would take the time of before for the present.
        self.set(max(self.now(), self.stage.start))
        _, self.token = self.stage.add_member()
        # The last queue, and by the id of each command the answer to it.
        self.sent = []
        self.answers = {}
        self.looks = 0
        # The sessions that were compared last.
        self.sessions = []
        # Of the timer that was shown last: id, version and instant of the last transition.
        self.last = None

    def now(self):
        return self.stage.clock.now

    def set(self, now):
        self.stage.clock.set(now)

    def ask(self, method, path, body=None, fields=(), instance=0):
        answer = self.stage.request(method, path, self.token, body, fields, instance)
        self.counts[answer.code or answer.status] += 1
        return answer

    def version(self, desk):
        """The version of the timer as it is now; None if there is no timer."""
        if not desk.timer:
            return None
        timer = self.ask("GET", "/timers/current").json["timer"]
        expect(timer is not None, "the model has a timer", desk.timer)
        return timer["version"]

    def look(self, desk):
        """Compares the timer and the sessions, at each instance in turn."""
        now = self.now()
        time = desk.pass_to(now)
        self.looks += 1
        answer = self.ask("GET", "/timers/current", None, (), self.looks)
        expect(answer.status == 200, "the model answers 200", answer)
        expect_shown(answer.json, shown.current(desk, time), "the state", answer)
        self.look_at_version(answer.json["timer"])
        # If none should have changed they are looked at now and then.
        if self.sessions != desk.sessions or self.looks % 5 == 0:
            self.look_at_sessions(desk)

    def look_at_sessions(self, desk):
        self.sessions = list(desk.sessions)
        answer = self.ask("GET", "/timerSessions?limit=1000", None, (), self.looks)
        expect(answer.status == 200, "the model answers 200", answer)
        expect_shown(answer.json["timerSessions"], shown.sessions(desk), "the sessions", answer)

    def look_at_version(self, timer):
        if timer is None:
            return
        now = timer["id"], timer["version"], timer["updatedAt"]
        if self.last and self.last[0] == now[0]:
            changed = self.last[2] != now[2]
            expect(now[1] > self.last[1] if changed else now[1] >= self.last[1], "versions rise", self.last, now)
        self.last = now
