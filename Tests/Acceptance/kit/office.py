"""An organization of a running service, for checks that keep asking about it."""

from kit import client
from kit.expecting import expect


class Office:
    """Asks with one token over one connection, by default as the admin who was made with the organization."""

    def __init__(self, port, created):
        """`created` is the answer of `Service.create_organization`."""
        self.id = created["organizationID"]
        self.token = created["token"]
        self.base = f"/v1/organizations/{self.id}"
        self.client = client.Client(port)

    def request(self, method, path, body=None, fields=(), token=None):
        """The answer, of any status; the path begins below the organization's."""
        return self.client.request(method, self.base + path, token or self.token, body, fields)

    def ask(self, method, path, body=None, status=200, fields=(), token=None):
        """The content of an answer that has to have this status: JSON as values, other content as bytes."""
        answer = self.request(method, path, body, fields, token)
        expect(answer.status == status, f"{method} {self.base}{path} is not answered {status}", answer)
        return answer.json if answer.fields.get("content-type") == "application/json" else answer.body

    def listed(self, path, name):
        """All elements of a list, whose path has a query; the name is that of the list in a page."""
        return list(client.elements(lambda page: self.ask("GET", page), path, name))

    def add_member(self, email, name, role="member", **more):
        """The new member's id."""
        return self.ask("POST", "/members", {"email": email, "name": name, "role": role, **more}, 201)["userId"]

    def token_of(self, user, name="phone"):
        """A new API token of a member."""
        return self.ask("POST", "/apiTokens", {"name": name, "userId": user}, 201)["token"]

    def log_in(self, user):
        """The token of a log-in of a member, whose API tokens end: the member gets a password for it."""
        password = f"a password of {user}"
        path = f"/members/{user}"
        member = self.ask("PATCH", path, {"password": password}, fields=[("If-Match", "*")])
        stated = {"email": member["email"], "password": password}
        answer = self.client.request("POST", "/v1/auth/token", None, stated)
        expect(answer.status == 200, "a log-in", answer)
        return answer.json["token"]

    def close(self):
        self.client.close()
