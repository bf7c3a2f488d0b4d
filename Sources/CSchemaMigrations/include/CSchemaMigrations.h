#ifndef CSCHEMAMIGRATIONS_H
#define CSCHEMAMIGRATIONS_H

#include <stddef.h>

/// The SQL text of a migration in one dialect. It is there as long as the process.
struct migration_text {
  const unsigned char *bytes;
  size_t length;
};

/// A migration as it stands in `sql/migrations`, in both dialects.
struct migration_files {
  /// The words of the files' names, which end with a 0.
  const char *title;
  struct migration_text sqlite;
  struct migration_text postgresql;
};

/// The first of the migrations, in the order of their numbers.
const struct migration_files *schema_migrations(void);

/// The number of migrations.
size_t schema_migration_count(void);

#endif
