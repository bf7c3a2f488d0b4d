// Listed by scripts/list-migrations from the files in sql/migrations: run it when one comes.

#include "CSchemaMigrations.h"

// As in CContract.c.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char sqlite_1[] = {
#embed "../../sql/migrations/0001_schema.sqlite.sql"
};
static const unsigned char postgresql_1[] = {
#embed "../../sql/migrations/0001_schema.postgresql.sql"
};
static const unsigned char sqlite_2[] = {
#embed "../../sql/migrations/0002_holiday_calendars.sqlite.sql"
};
static const unsigned char postgresql_2[] = {
#embed "../../sql/migrations/0002_holiday_calendars.postgresql.sql"
};
static const unsigned char sqlite_3[] = {
#embed "../../sql/migrations/0003_holidays.sqlite.sql"
};
static const unsigned char postgresql_3[] = {
#embed "../../sql/migrations/0003_holidays.postgresql.sql"
};
static const unsigned char sqlite_4[] = {
#embed "../../sql/migrations/0004_work_schedules.sqlite.sql"
};
static const unsigned char postgresql_4[] = {
#embed "../../sql/migrations/0004_work_schedules.postgresql.sql"
};
static const unsigned char sqlite_5[] = {
#embed "../../sql/migrations/0005_entitlements.sqlite.sql"
};
static const unsigned char postgresql_5[] = {
#embed "../../sql/migrations/0005_entitlements.postgresql.sql"
};
static const unsigned char sqlite_6[] = {
#embed "../../sql/migrations/0006_adjustments.sqlite.sql"
};
static const unsigned char postgresql_6[] = {
#embed "../../sql/migrations/0006_adjustments.postgresql.sql"
};
static const unsigned char sqlite_7[] = {
#embed "../../sql/migrations/0007_groups.sqlite.sql"
};
static const unsigned char postgresql_7[] = {
#embed "../../sql/migrations/0007_groups.postgresql.sql"
};
static const unsigned char sqlite_8[] = {
#embed "../../sql/migrations/0008_managers_see.sqlite.sql"
};
static const unsigned char postgresql_8[] = {
#embed "../../sql/migrations/0008_managers_see.postgresql.sql"
};
static const unsigned char sqlite_9[] = {
#embed "../../sql/migrations/0009_absences.sqlite.sql"
};
static const unsigned char postgresql_9[] = {
#embed "../../sql/migrations/0009_absences.postgresql.sql"
};
static const unsigned char sqlite_10[] = {
#embed "../../sql/migrations/0010_periods.sqlite.sql"
};
static const unsigned char postgresql_10[] = {
#embed "../../sql/migrations/0010_periods.postgresql.sql"
};
static const unsigned char sqlite_11[] = {
#embed "../../sql/migrations/0011_balance_caps.sqlite.sql"
};
static const unsigned char postgresql_11[] = {
#embed "../../sql/migrations/0011_balance_caps.postgresql.sql"
};
static const unsigned char sqlite_12[] = {
#embed "../../sql/migrations/0012_corrections.sqlite.sql"
};
static const unsigned char postgresql_12[] = {
#embed "../../sql/migrations/0012_corrections.postgresql.sql"
};
static const unsigned char sqlite_13[] = {
#embed "../../sql/migrations/0013_pay_rules.sqlite.sql"
};
static const unsigned char postgresql_13[] = {
#embed "../../sql/migrations/0013_pay_rules.postgresql.sql"
};
static const unsigned char sqlite_14[] = {
#embed "../../sql/migrations/0014_record_reads.sqlite.sql"
};
static const unsigned char postgresql_14[] = {
#embed "../../sql/migrations/0014_record_reads.postgresql.sql"
};
static const unsigned char sqlite_15[] = {
#embed "../../sql/migrations/0015_approval_overtime.sqlite.sql"
};
static const unsigned char postgresql_15[] = {
#embed "../../sql/migrations/0015_approval_overtime.postgresql.sql"
};
static const unsigned char sqlite_16[] = {
#embed "../../sql/migrations/0016_organization_moves.sqlite.sql"
};
static const unsigned char postgresql_16[] = {
#embed "../../sql/migrations/0016_organization_moves.postgresql.sql"
};

static const struct migration_files files[] = {
    {"schema", {sqlite_1, sizeof sqlite_1}, {postgresql_1, sizeof postgresql_1}},
    {"holiday_calendars", {sqlite_2, sizeof sqlite_2}, {postgresql_2, sizeof postgresql_2}},
    {"holidays", {sqlite_3, sizeof sqlite_3}, {postgresql_3, sizeof postgresql_3}},
    {"work_schedules", {sqlite_4, sizeof sqlite_4}, {postgresql_4, sizeof postgresql_4}},
    {"entitlements", {sqlite_5, sizeof sqlite_5}, {postgresql_5, sizeof postgresql_5}},
    {"adjustments", {sqlite_6, sizeof sqlite_6}, {postgresql_6, sizeof postgresql_6}},
    {"groups", {sqlite_7, sizeof sqlite_7}, {postgresql_7, sizeof postgresql_7}},
    {"managers_see", {sqlite_8, sizeof sqlite_8}, {postgresql_8, sizeof postgresql_8}},
    {"absences", {sqlite_9, sizeof sqlite_9}, {postgresql_9, sizeof postgresql_9}},
    {"periods", {sqlite_10, sizeof sqlite_10}, {postgresql_10, sizeof postgresql_10}},
    {"balance_caps", {sqlite_11, sizeof sqlite_11}, {postgresql_11, sizeof postgresql_11}},
    {"corrections", {sqlite_12, sizeof sqlite_12}, {postgresql_12, sizeof postgresql_12}},
    {"pay_rules", {sqlite_13, sizeof sqlite_13}, {postgresql_13, sizeof postgresql_13}},
    {"record_reads", {sqlite_14, sizeof sqlite_14}, {postgresql_14, sizeof postgresql_14}},
    {"approval_overtime", {sqlite_15, sizeof sqlite_15}, {postgresql_15, sizeof postgresql_15}},
    {"organization_moves", {sqlite_16, sizeof sqlite_16}, {postgresql_16, sizeof postgresql_16}},
};

const struct migration_files *schema_migrations(void) { return files; }

size_t schema_migration_count(void) { return sizeof files / sizeof files[0]; }
