#!/bin/sh
# Makes the role and the database of Timeclock in a new PostgreSQL, which runs this once: a role that is no superuser.
set -eu

psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" --username="${POSTGRES_USER:-postgres}" <<'SQL'
CREATE ROLE timeclock LOGIN PASSWORD :'password';
CREATE DATABASE timeclock OWNER timeclock TEMPLATE template0 ENCODING 'UTF8';
SQL
