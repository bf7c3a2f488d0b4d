"""The meaning of operations on organizations, members, log-ins and tokens."""

from random_world.organization import Organization
from random_world.requests import Pair
from random_world.values import BAD_TOKENS, EMAILS, NAMES, NO_EMAILS, NO_NAMES, NO_PASSWORDS, PASSWORDS, ZONES

# Those whom an admin makes at first.
ROLES = ["manager", "member", "member", "manager", "admin"]
# Hashing passwords is slow on purpose.
PASSWORD_LIMIT = 3


class People:
    def make_organization(self, number):
        admin = {"email": f"admin{number}@example.com", "name": "Admin"}
        stated = {"name": f"Shop {number}", "timeZone": ZONES[number], "admin": admin}
        made, _ = self.meant("createOrganization", self.operator, body=stated)
        one = self.after_createOrganization(None, made)
        for index, role in enumerate(ROLES):
            person = {"email": f"m{number}{index}@example.com", "name": f"M {index}", "role": role}
            self.add_member(one, person)
            self.add_token(one, one.known["members"][-1])
        return one

    def add_member(self, one, person):
        made, answer = self.meant("createMember", one.tokens[0], one.id, body=person)
        one.known["members"].append(self.each(made, "userId"))
        return answer

    def add_token(self, one, user):
        made, _ = self.meant("createApiToken", one.tokens[0], one.id, body={"name": "T", "userId": user})
        one.tokens.append(self.each(made, "token"))
        return one.tokens[-1]

    def log_in(self, person):
        granted, _ = self.meant("createToken", None, body=person)
        return self.each(granted, "token")

    def make_account(self):
        """A person who logs in to both organizations, with a password of the person's own, and one in each."""
        email = {"email": "account@example.com"}
        for one, password in zip(self.organizations, [PASSWORDS[0], None]):
            self.add_member(one, {**email, "name": "Both", "role": "manager", "password": password})
        second = self.organizations[1]
        token = self.add_token(second, second.known["members"][-1])
        second.tokens.remove(token)
        stated = {"currentPassword": PASSWORDS[0], "newPassword": PASSWORDS[1], "apiToken": token}
        self.meant("changePassword", self.log_in({**email, "password": PASSWORDS[0]}), body=stated)
        self.log_ins.append(self.log_in({**email, "password": PASSWORDS[1]}))
        for number, one in enumerate(self.organizations):
            person = {"email": f"phone{number}@example.com", "password": PASSWORDS[0]}
            self.add_member(one, {**person, "name": "Phone", "role": "member"})
            self.log_ins.append(self.log_in(person))
            self.homes[self.log_ins[-1]] = one

    def token_createOrganization(self, one):
        return self.pick([self.operator], self.old_tokens)

    def after_createOrganization(self, one, made, *_):
        organization = Organization(Pair(*[each["organization"]["id"] for each in made]))
        organization.known["members"].append(Pair(*[each["user"]["id"] for each in made]))
        organization.tokens.append(self.each(made, "token"))
        self.organizations.append(organization)
        return organization

    def value_active(self, one, is_needed):
        # Not too often false, lest nobody be left.
        return self.pick([..., True, None, False])

    def value_policy(self, one, is_needed):
        """A few limits at once."""
        stated = self.members("updateOrganization", one, {"$ref": "/PolicyUpdate"})
        return {name: value for name, value in stated.items() if self.chance(0.5)}

    def value_password(self, one, is_needed):
        """A password, while there is time to hash one."""
        if self.password_count >= PASSWORD_LIMIT or (not is_needed and self.chance(0.7)):
            return self.pick([..., None], NO_PASSWORDS, 0.05)
        self.password_count += 1
        return self.pick(PASSWORDS, NO_PASSWORDS)

    def value_userId(self, one, is_needed):
        return self.one_of(one, "members") if is_needed or self.chance(0.7) else self.pick([..., None])

    def request_createMembers(self, one, body, query, fields):
        """As JSON, or as a table."""
        people = body.get("members") if isinstance(body, dict) and self.chance(0.3) else None
        if not isinstance(people, list) or not all(isinstance(person, dict) for person in people):
            return None
        names = ["email", "name", "role", "personnelNumber"]
        rows = [",".join(str(person.get(name) or "") for name in names) for person in people]
        head = self.pick([",".join(names)], ["email,name,role,shoe"])
        return "\n".join([head, *rows]).encode(), query, self.as_table(fields)

    def as_table(self, fields):
        kind = self.pick(["text/csv", "text/csv; charset=utf-8"], ["text/plain", "application/json"], 0.05)
        return [("Content-Type", kind), *(field for field in fields if field[0] != "Content-Type")]

    def body_createMembers(self, one):
        people = [
            {
                "email": self.pick(EMAILS, NO_EMAILS, 0.04),
                "name": self.pick(NAMES, NO_NAMES, 0.04),
                "role": "member",
                "personnelNumber": self.pick([None, None, None, "8", str(number)]),
            }
            for number in range(self.pick([1, 1, 2, 5]))
        ]
        return {"members": people}

    def after_deactivateMember(self, one, made, ids, token):
        one.gone.append(ids[-1])

    def ids_anonymizeMember(self, one, ids):
        """Mostly somebody who has left; others are active, and refused."""
        return [one.id, self.pick(one.gone)] if one.gone and self.chance(0.7) else None

    def body_createApiToken(self, one):
        return {"expiresAt": self.pick([..., ..., None, "2099-01-01T00:00:00+05:45"], [self.instant()])}

    def after_createApiToken(self, one, made, *_):
        one.tokens.append(self.each(made, "token"))

    def body_createInvitation(self, one):
        return {"expiresAt": self.pick([..., ..., None], [self.instant(), "2099-01-01T00:00:00+05:45"])}

    def after_createInvitation(self, one, made, *_):
        self.invitation_tokens.append(self.each(made, "token"))

    def body_acceptInvitation(self, one):
        return {"token": self.pick(self.invitation_tokens[-5:] or BAD_TOKENS, BAD_TOKENS)}

    def after_acceptInvitation(self, one, made, *_):
        self.log_ins.append(self.each(made, "token"))

    after_createToken = after_acceptInvitation

    def token_updateMe(self, one):
        return self.pick(self.log_ins) if self.log_ins and self.chance(0.8) else None

    def token_deleteToken(self, one):
        return self.pick(self.log_ins) if len(self.log_ins) > 1 and self.chance(0.3) else self.pick(BAD_TOKENS)

    def after_deleteToken(self, one, made, ids, token):
        self.retire(token)

    token_changePassword = token_updateMe

    def body_changePassword(self, one):
        return {
            "currentPassword": self.pick(PASSWORDS),
            "newPassword": self.pick(
                NO_PASSWORDS if self.password_count >= PASSWORD_LIMIT else PASSWORDS, NO_PASSWORDS
            ),
            "apiToken": self.pick([..., ..., ..., None, self.pick(self.organization().tokens)]),
        }
