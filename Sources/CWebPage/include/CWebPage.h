#ifndef CWEBPAGE_H
#define CWEBPAGE_H

#include <stddef.h>

/// A file of Sources/WebPage/web. It is there as long as the process.
struct web_file {
  /// The file's name, which ends with a 0.
  const char *name;
  const unsigned char *bytes;
  size_t length;
};

/// The first of the files, in the order of their names' bytes.
const struct web_file *web_files(void);

/// The number of files.
size_t web_file_count(void);

#endif
