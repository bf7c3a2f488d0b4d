"""Fills a database of the service with time entries, beside the service, because it would take long through it."""

import os
import sqlite3

DAY = 86_400_000
# Columns of both databases, but for the organization and the member.
COLUMNS = (
    "date, created_at, id, clock_in, clock_out, time_zone, offset_seconds, session_id, notes, source, flags, "
    "version, updated_at"
)


def identifier(number):
    """The bytes of a UUID of version 7 (RFC 9562)."""
    random = bytearray(number.to_bytes(8, "big") + os.urandom(8))
    random[6] = 0x70 | random[6] & 0x0F
    random[8] = 0x80 | random[8] & 0x3F
    return bytes(random)


def fill_sqlite(path, entry_count, member_count=50):
    """Adds members to the organization that was made last, with a shift on each day from 1970 on.

    The service is stopped.
    """
    database = sqlite3.connect(path)
    (organization,) = database.execute("SELECT max(organization_id) FROM organizations").fetchone()
    (number,) = database.execute("SELECT last_number FROM row_numbers").fetchone()
    (user,) = database.execute("SELECT max(user_id) FROM users").fetchone()
    database.execute(
        "INSERT INTO sessions VALUES (1000000, ?, ?, 20000, 'Evening class', NULL, NULL, NULL, 1, 0, 0)",
        (organization, identifier(1)),
    )
    users = range(user + 1, user + 1 + member_count)
    for one in users:
        email = f"worker{one}@example.com"
        database.execute(
            "INSERT INTO users (user_id, id, email, email_key, name, created_at) VALUES (?, ?, ?, ?, ?, 0)",
            (one, identifier(one), email, email, f"Worker {one}"),
        )
        number += 1
        database.execute(
            "INSERT INTO members (organization_id, user_id, member_number, name, role, active, accepted, version, "
            "created_at, updated_at, email) VALUES (?, ?, ?, ?, 'member', 1, 1, 1, 0, 0, ?)",
            (organization, one, number, f"Worker {one}", email),
        )
    rows = entries(organization, users, entry_count, number)
    database.executemany(
        f"INSERT INTO time_entries (organization_id, user_id, entry_number, {COLUMNS}) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    database.execute("UPDATE row_numbers SET last_number = ?", (number + entry_count,))
    database.commit()
    database.close()


def entries(organization, users, count, number):
    for one in users:
        for day in range(count // len(users)):
            number += 1
            start = day * DAY + 28_800_000 + one % 1_000 * 60_000
            yield (
                organization,
                one,
                number,
                day,
                start + 7,
                identifier(number),
                start,
                start + 29_580_000,
                "Europe/Berlin",
                3_600,
                1_000_000 if day % 4 == 0 else None,
                "Inventory of the cold store, with Anna" if day % 3 == 0 else None,
                "api",
                0,
                1,
                start + 29_580_007,
            )


def fill_postgresql(cluster, name, entry_count, member_count=50):
    """The same on PostgreSQL. The constraint against overlaps is made again at the end: kept up row by row, it takes most
    of the time."""
    exclusion = "EXCLUDE USING gist (organization_id WITH =, user_id WITH =, int8range(clock_in, clock_out) WITH &&)"
    cluster.execute(
        f"""
        ALTER TABLE time_entries DROP CONSTRAINT time_entries_no_overlap;
        CREATE TEMP TABLE place AS SELECT (SELECT max(organization_id) FROM organizations) AS organization;
        INSERT INTO sessions OVERRIDING SYSTEM VALUE SELECT 1000000, organization, {UUID}, 20000, 'Evening class',
          NULL, NULL, NULL, 1, 0, 0 FROM place;
        INSERT INTO users (user_id, id, email, email_key, name, created_at)
          SELECT 1000000 + n, {UUID}, 'worker' || n || '@example.com', 'worker' || n || '@example.com', 'Worker ' || n, 0
          FROM generate_series(1, {member_count}) n;
        INSERT INTO members (organization_id, user_id, name, role, active, accepted, version, created_at, updated_at,
          email)
          SELECT organization, user_id, name, 'member', true, true, 1, 0, 0, email FROM users, place WHERE user_id > 1000000;
        INSERT INTO time_entries (organization_id, user_id, {COLUMNS})
          SELECT organization, 1000000 + n, day, start + 7, {UUID}, start, start + 29580000, 'Europe/Berlin', 3600,
            CASE WHEN day % 4 = 0 THEN 1000000 END,
            CASE WHEN day % 3 = 0 THEN 'Inventory of the cold store, with Anna' END, 'api', 0, 1, start + 29580007
          FROM place, generate_series(1, {member_count}) n, generate_series(0, {entry_count // member_count - 1}) day,
            LATERAL (SELECT day * {DAY}::bigint + 28800000 + n % 1000 * 60000 AS start) s;
        ALTER TABLE time_entries ADD CONSTRAINT time_entries_no_overlap {exclusion};
        ANALYZE""",
        name,
    )


# A random id with the version that the service takes.
UUID = "overlay(gen_random_uuid()::text PLACING '7' FROM 15)::uuid"
