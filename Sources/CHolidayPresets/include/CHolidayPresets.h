#ifndef CHOLIDAYPRESETS_H
#define CHOLIDAYPRESETS_H

#include <stddef.h>

/// The first byte of holidays.txt. It is there as long as the process.
const unsigned char *holiday_presets_bytes(void);

/// The number of its bytes.
size_t holiday_presets_length(void);

#endif
