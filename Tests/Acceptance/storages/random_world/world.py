"""The records made so far, and the requests about them."""

from random_world.chances import Chances
from random_world.days import Days
from random_world.meanings import Meanings
from random_world.operations import OPERATIONS, resolved
from random_world.requests import Pair, Request
from random_world.timers import Timers
from random_world.values import BAD_TOKENS, IDENTIFIERS, SELDOM, taken_and_refused
from random_world.weights import WEIGHTS, is_scripted

NO_IDS = ["no-id", "%20", "019AA0F1-0000-7000-8000-000000000001", "%00", "019aa0f1-0000-7000-8000-00000000000g"]
CONDITIONS = ["*", '"1"', '"1", "2", "3"', 'W/"1"', '"x"', "1", '"01"', '"99999999999999999999"', "", '"a" "b"']
NO_CURSORS = ["", "abc", "MTIz", "LTEuMS4xLjE", "x" * 200, "=", "%00"]
# The weight of a step that no table knows, by its method.
USUAL = {"GET": 2, "POST": 3, "PATCH": 4, "PUT": 3, "DELETE": 2}


class World(Chances, Meanings, Timers, Days):
    def __init__(self, random, ask, operator, start):
        self.random = random
        self.send = ask
        self.operator = operator
        self.start = start
        self.organizations = []
        self.log_ins = []
        # The organizations of those that are valid in one alone.
        self.homes = {}
        self.old_tokens = []
        self.invitation_tokens = []
        self.foreign_ids = [Pair(*["019aa0f1-0000-7000-8000-000000000001"] * 2)]
        self.password_count = 0
        drawn = {name: WEIGHTS.get(name, USUAL[one.method]) for name, one in OPERATIONS.items() if not is_scripted(one)}
        self.steps = [(lambda name=name: self.draw(name), weight) for name, weight in drawn.items()]
        self.steps += [*self.timer_steps(), (self.ask_nonsense, 2)]
        for number in range(2):
            self.make_organization(number)
        self.make_account()

    def step(self):
        step = self.random.choices([step for step, _ in self.steps], [weight for _, weight in self.steps])[0]
        step()

    def ask(self, *arguments, **named):
        """The answers of both sides, each as JSON if it succeeded, else None; and the first one whole."""
        request = Request(*arguments, **named)
        answers = self.send(request)
        if answers[0].status == 401 or answers[0].code == "member_deactivated":
            self.retire(request.token)
        if answers[0].status >= 300 or not answers[0].body or answers[0].fields["content-type"] != "application/json":
            return None, answers[0]
        return [answer.json for answer in answers], answers[0]

    def retire(self, token):
        """A token that is good for nothing is tried again now and then only."""
        for tokens in [self.log_ins, *[organization.tokens for organization in self.organizations]]:
            if token in tokens:
                tokens.remove(token)
                self.old_tokens.append(token)

    def meant(self, name, token, *ids, body=None, query="", seen=None, fields=()):
        """An operation as it is meant: with these ids in its path, in their order, and the `ETag` of an answer before."""
        operation = OPERATIONS[name]
        fields = [*fields, ("If-Match", seen.fields["etag"])] if seen else fields
        return self.ask(name, operation.method, [*operation.path(ids), *query], token, body, fields)

    def made(self, name, token, *ids, **named):
        """The pair of ids made by an operation, and the answer."""
        made, answer = self.meant(name, token, *ids, **named)
        return self.each(made, "id"), answer

    # Callers and subjects.

    def organization(self):
        """One of the latest to which somebody has a token."""
        while not (open_ones := [one for one in self.organizations if one.tokens][-5:]):
            self.draw("createOrganization")
        return self.pick(open_ones)

    def token(self, organization, role=None):
        """Mostly one of the organization's; operations for managers and admins are called by its first admin as
        often."""
        if self.chance(0.03):
            return self.pick(BAD_TOKENS + [None, self.operator])
        if self.chance(0.05):
            return self.pick(self.organization().tokens)
        if self.old_tokens and self.chance(0.03):
            return self.pick(self.old_tokens)
        if self.log_ins and self.chance(0.1):
            return self.pick(self.log_ins)
        is_first = role in ("manager", "admin") and self.chance(0.4)
        return organization.tokens[0] if is_first else self.pick(organization.tokens)

    def of_log_ins(self):
        """An organization, mostly with the token of a log-in that is good there."""
        if self.log_ins and self.chance(0.6):
            token = self.pick(self.log_ins)
            return self.homes.get(token) or self.pick(self.organizations[:2]), token
        one = self.organization()
        return one, self.token(one)

    def one_of(self, organization, collection):
        """Mostly something of the organization's own, else of another one's, or nothing at all."""
        own = organization.known.get(collection, [])
        if own and self.chance(0.9):
            return self.pick(own[-40:])
        others = [each for one in self.organizations for each in one.known.get(collection, [])]
        return self.pick(others[-40:] + self.foreign_ids) if self.chance(0.7) else self.pick(NO_IDS)

    # Requests drawn by the contract.

    def draw(self, name):
        """Any operation, with ids, parameters and a body as the contract has them, and as `Meanings` says."""
        operation = OPERATIONS[name]
        one, somebody = self.of_log_ins() if operation.is_for_log_ins else (self.organization(), None)
        ids = [one.id if id == "organizationID" else self.one_of(one, kind) for id, kind in operation.collections]
        ids = self.meaning("ids", name, one, ids) or ids
        token = one.owners.get(ids[-1]) if ids and self.chance(0.9) else None
        token = token or somebody
        token = self.meaning("token", name, one) if token is None else token
        token = self.token(one, operation.role) if token is None else token
        query = self.query(operation, one)
        if operation.page:
            return self.page(operation, one, token, ids, query)
        body = self.body(self.members(name, one, operation.body)) if operation.body else None
        if body is not None and not operation.has_body and self.chance(0.3):
            body = None
        if not operation.body and operation.method in ("GET", "DELETE") and self.chance(0.01):
            body = b"{}"
        fields = self.fields(operation, one.etags.get(ids[-1] if ids else None, '"1"'))
        drawn = self.meaning("request", name, one, body, query, fields)
        body, query, fields = drawn or (body, query, fields)
        method = "HEAD" if operation.method == "GET" and self.chance(0.25) else operation.method
        made, answer = self.ask(name, method, self.with_query(operation.path(ids), query), token, body, fields)
        if ids and "etag" in answer.fields:
            one.etags[ids[-1]] = answer.fields["etag"]
        if made and answer.status == 201 and (id := next((id for id in ("id", "userId") if id in made[0]), None)):
            one.known.setdefault(operation.makes, []).append(self.each(made, id))
            one.etags[self.each(made, id)] = answer.fields.get("etag", '"1"')
        if answer.status < 300:
            self.meaning("after", name, one, made, ids, token)

    def meaning(self, kind, name, *arguments):
        """The result of a method such as `body_createProject`; None if there is none."""
        method = getattr(self, f"{kind}_{name}", None)
        return method(*arguments) if method else None

    def members(self, name, one, schema):
        """The members of a body, mostly those that it takes; `...` stands for one that is left out."""
        schema = resolved(schema)
        needed = schema.get("required", [])
        own = self.meaning("body", name, one) or {}
        drawn = {key: self.value(one, key, each, key in needed) for key, each in schema["properties"].items()}
        return {key: value for key, value in {**drawn, **own}.items() if value is not ...}

    def value(self, one, name, schema, is_needed, probability=0.5):
        """A value for a property or a parameter."""
        found = resolved(schema)
        is_instant = found.get("format") == "date-time"
        usual = 0.25 if is_instant else probability
        if not is_needed and not self.chance(SELDOM.get(name, usual)):
            return ...
        if method := getattr(self, f"value_{name}", None):
            return method(one, is_needed)
        if name in IDENTIFIERS and found.get("type") == "array":
            return self.stated_for([self.one_of(one, IDENTIFIERS[name]) for _ in range(self.pick([1, 1, 2, 3]))])
        if name in IDENTIFIERS:
            return self.pick([self.one_of(one, IDENTIFIERS[name])], [None] if not is_needed else [])
        if is_instant:
            return self.instant(5)
        if found.get("format") == "date":
            return self.date()
        if "properties" in found:
            return self.members(name, one, found)
        taken, refused = taken_and_refused(name, schema)
        return self.pick(taken, refused, 0.1)

    def fields(self, operation, etag):
        """Mostly no more header fields than a condition."""
        fields = []
        if "If-Match" in operation.fields and (condition := self.pick([etag, etag, "*"], [*CONDITIONS, None], 0.2)):
            fields.append(("If-Match", condition))
        if operation.body and self.chance(0.02):
            types = ["text/plain", "application/json; charset=utf-8", "application/JSON", ""]
            fields.append(("Content-Type", self.pick(types)))
        if "Idempotency-Key" in operation.fields and self.chance(0.2):
            # Few keys, so that most come again, with the same body now and then.
            keys = [f"key-{number}" for number in range(30)]
            fields.append(("Idempotency-Key", self.pick(keys, ["", "a b", "k" * 256])))
        return fields

    def query(self, operation, one):
        """Some of the parameters, those that are needed among them mostly, as names and texts."""
        if (stated := self.meaning("query", operation.id, one)) is None:
            stated = self.parameters(operation, one)
        if self.chance(0.03):
            stated.append((self.pick(["unknown", "limit", "USERID", "größe"]), self.pick(["1", "x", ""])))
        return stated

    def parameters(self, operation, one, without=(), probability=0.35):
        drawn = [
            (name, self.value(one, name, schema, name in operation.needed and self.chance(0.95), probability))
            for name, schema in operation.query.items()
            if name not in without
        ]
        return [(name, self.text(value)) for name, value in drawn if value is not ... and value is not None]

    def page(self, operation, one, token, ids, stated):
        """A page, and the cursor of the next one; or the next page of a list seen before."""
        if one.cursors and self.chance(0.4):
            kind, *seen, cursor = self.pick(one.cursors[-30:])
            if kind == operation.id and self.chance(0.9):
                ids, stated, token = seen
            stated = [(name, value) for name, value in stated if name != "cursor"] + [("cursor", cursor)]
        elif self.chance(0.03):
            stated = [*stated, ("cursor", self.pick(NO_CURSORS))]
        pages, _ = self.ask(operation.id, "GET", self.with_query(operation.path(ids), stated), token)
        if pages and pages[0]["nextCursor"]:
            one.cursors.append((operation.id, ids, stated, token, self.each(pages, "nextCursor")))
