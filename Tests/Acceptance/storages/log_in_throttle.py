#!/usr/bin/env python3
"""Guessing passwords is slow, through however many servers, and keeps nobody out of their own account.

Three servers on one PostgreSQL, and one on SQLite. Of 64 guesses at once for one person, who has an account or has
none, five are looked at (401) and all others are not (429), however they are spread; of 64 for as many people from one
address, as many as fit into its fifty. Meanwhile the person logs in from another address, also after more than a
hundred guesses from elsewhere, when a network that is new gets one attempt. The counts outlive the servers.

`log_in_throttle.py ROUNDS` races as often; `log_in_throttle.py --self-check` takes the counting away, and expects each
check to notice.
"""

import collections
import itertools
import pathlib
import sys
import tempfile
import time

from kit import client, postgresql, service

# One for somebody who has an account, and one for nobody.
ROUNDS = 2
INSTANCES = 3
AT_ONCE = 64
PASSWORD = "what nobody guesses"
# The attempts allowed at once, and the seconds until the next one.
OF_PAIR, PAIR_SECONDS = 5, 180
OF_NETWORK, NETWORK_SECONDS = 50, 18
OF_ACCOUNT, ACCOUNT_SECONDS = 100, 36

# Nothing but these tests, and each of them only once: no address is counted twice.
ADDRESSES = (f"127.{b}.{c}.{d}" for b, c, d in itertools.product(range(1, 250), range(1, 250), range(1, 250)))


class LogIns:
    """The people who log in, and the servers that they may ask."""

    def __init__(self, instances, cluster=None, at_once=AT_ONCE):
        """`cluster` is where the servers' database is, if it is PostgreSQL's."""
        self.instances = instances
        self.cluster = cluster
        self.at_once = at_once
        self.created = instances[0].create_organization()
        self.next_instance = itertools.cycle(instances)
        self.numbers = itertools.count()

    def person(self):
        """The e-mail address of somebody new who has a password."""
        email = f"person{next(self.numbers)}@example.com"
        admin = client.Client(self.instances[0].port)
        answer = admin.request(
            "POST",
            f"/v1/organizations/{self.created['organizationID']}/members",
            self.created["token"],
            {"email": email, "name": "P", "role": "member", "password": PASSWORD},
        )
        admin.close()
        assert answer.status == 201, answer
        return email

    def guess(self, email, address, password="a wrong guess"):
        """The answer to one log-in, by whichever server is next."""
        one = client.Client(next(self.next_instance).port, source=address)
        answer = one.request("POST", "/v1/auth/token", body={"email": email, "password": password})
        one.close()
        return answer

    def count(self, email, address, attempts, seconds):
        """Counts attempts that nobody has made; on PostgreSQL only."""
        account = f"sha256('{email}')" if email else "''"
        self.cluster.execute(
            "INSERT INTO log_in_attempts (account, network, clear_at) VALUES "
            f"({account}, '{address}', extract(epoch FROM clock_timestamp()) * 1000 + {attempts * seconds * 1000}) "
            "ON CONFLICT (account, network) DO UPDATE SET clear_at = excluded.clear_at",
            "clock",
        )

    def guess_at_once(self, emails, address):
        clients = [client.Client(next(self.next_instance).port, source=address) for _ in emails]
        requests = [
            client.written("POST", "/v1/auth/token", body={"email": email, "password": "a wrong guess"})
            for email in emails
        ]
        answers = client.at_once(clients, requests)
        for one in clients:
            one.close()
        return answers


def expect_looked_at(guess, guess_again, count, seconds):
    """This many of the guesses were looked at, and all others were refused with the time to wait; the answers.

    One address has few of the places for hashing: guesses that found none are `rate_limited` and not counted, so they are
    made again, one at a time. On a slow machine the guesses take so long that there is room for more of them meanwhile.
    """
    start = time.monotonic()
    answers = list(guess())
    for _ in range(count + 1):
        answers.append(guess_again())
        if answers[-1].code == "too_many_attempts":
            break
    more = int((time.monotonic() - start) / seconds)
    found = collections.Counter(f"{answer.status} {answer.code}" for answer in answers)
    assert set(found) <= {"401 invalid_credentials", "429 too_many_attempts", "429 rate_limited"}, dict(found)
    assert count <= found["401 invalid_credentials"] <= count + more, f"{dict(found)}, not {count}, or {more} more"
    for answer in answers:
        if answer.status == 429:
            assert 1 <= int(answer.fields["retry-after"]) <= seconds, answer.fields
    return answers


def one_person_at_once(office, rounds):
    """The existence of an account makes no difference to the answers."""
    bodies = set()
    for number in range(rounds):
        email = office.person() if number % 2 == 0 else f"nobody{number}@example.com"
        address = next(ADDRESSES)
        answers = expect_looked_at(
            lambda: office.guess_at_once([email] * office.at_once, address),
            lambda: office.guess(email, address),
            OF_PAIR,
            PAIR_SECONDS,
        )
        bodies |= {answer.body for answer in answers if answer.status == 401}
        if number % 2 == 0:
            assert office.guess(email, address, PASSWORD).status == 429, "the right password is let in"
            assert office.guess(email, next(ADDRESSES), PASSWORD).status == 200, "the owner is locked out"
    assert len(bodies) == 1, bodies


def many_people_at_once(office):
    """All but ten of a network's attempts are counted before, to spare the time of hashing."""
    address = next(ADDRESSES)
    office.count(None, address, OF_NETWORK - 10, NETWORK_SECONDS)
    emails = [f"{next(office.numbers)}@example.com" for _ in range(office.at_once)]
    expect_looked_at(
        lambda: office.guess_at_once(emails, address),
        lambda: office.guess(f"{next(office.numbers)}@example.com", address),
        10,
        NETWORK_SECONDS,
    )


def from_many_addresses(office):
    """An attack on one account from everywhere leaves its owner alone."""
    email = office.person()
    home = next(ADDRESSES)
    assert office.guess(email, home, PASSWORD).status == 200, "nobody has guessed yet"
    office.count(email, "", OF_ACCOUNT + 10, ACCOUNT_SECONDS)
    new = next(ADDRESSES)
    assert office.guess(email, new).status == 401, "a first attempt is refused"
    answer = office.guess(email, new, PASSWORD)
    assert answer.status == 429, "a second attempt at once is looked at"
    assert int(answer.fields["retry-after"]) <= 60, answer.fields
    assert office.guess(email, next(ADDRESSES), PASSWORD).status == 200, "the owner is locked out of a new place"
    for _ in range(OF_PAIR - 1):
        assert office.guess(email, home).status == 401, "the owner has less attempts at home"
    assert office.guess(email, home, PASSWORD).status == 200, "the owner is locked out at home"


def outlives_the_servers(office):
    email, address = office.person(), next(ADDRESSES)
    expect_looked_at(
        lambda: office.guess_at_once([email] * 8, address), lambda: office.guess(email, address), OF_PAIR, PAIR_SECONDS
    )
    for instance in office.instances:
        instance.kill()
        instance.start()
    assert office.guess(email, address, PASSWORD).status == 429, "what was counted is forgotten"
    assert office.guess(email, next(ADDRESSES), PASSWORD).status == 200


def checks(office, rounds):
    yield lambda: one_person_at_once(office, rounds)
    if office.cluster:
        yield lambda: many_people_at_once(office)
        yield lambda: from_many_addresses(office)
    yield lambda: outlives_the_servers(office)


def start_on_postgresql(binary, folder, cluster, at_once):
    location = cluster.make_database("clock")
    instances = []
    for number in range(INSTANCES):
        place = pathlib.Path(folder, str(number))
        place.mkdir()
        instances.append(service.Service(binary, place, database=location))
    for instance in instances:
        instance.start()
    return LogIns(instances, cluster, at_once)


def start_on_sqlite(binary, folder):
    place = pathlib.Path(folder, "sqlite")
    place.mkdir()
    instance = service.Service(binary, place)
    created = instance.create_organization()
    instance.create_organization = lambda: created
    instance.start()
    return LogIns([instance])


def stop(office):
    for instance in office.instances:
        instance.stop()


def check_itself(office, cluster):
    """Without counting, every check fails."""
    cluster.execute(
        "CREATE FUNCTION nothing() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; "
        "CREATE TRIGGER nothing BEFORE INSERT OR UPDATE ON log_in_attempts FOR EACH ROW EXECUTE FUNCTION nothing()",
        "clock",
    )
    noticed = 0
    for check in checks(office, 1):
        noticed += 1
        try:
            check()
        except AssertionError:
            continue
        sys.exit(f"check {noticed} does not notice that nothing is counted")
    print(f"log-in throttle: without counting, each of {noticed} checks fails")


def main():
    arguments = sys.argv[1:]
    binary = service.built_binary()
    with tempfile.TemporaryDirectory() as folder, postgresql.Cluster() as cluster:
        is_self_check = arguments == ["--self-check"]
        office = start_on_postgresql(binary, folder, cluster, at_once=16 if is_self_check else AT_ONCE)
        if is_self_check:
            check_itself(office, cluster)
            stop(office)
            return
        rounds = int(arguments[0]) if arguments else ROUNDS
        for check in checks(office, rounds):
            check()
        stop(office)
        office = start_on_sqlite(binary, folder)
        for check in checks(office, rounds):
            check()
        stop(office)
    print(
        f"log-in throttle: {rounds} rounds of {OF_PAIR} of {AT_ONCE} guesses looked at on PostgreSQL and SQLite, "
        "and no owner locked out"
    )


main()
