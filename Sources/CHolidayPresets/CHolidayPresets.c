#include "CHolidayPresets.h"

// As in CContract.c.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char presets[] = {
#embed "holidays.txt"
};

const unsigned char *holiday_presets_bytes(void) { return presets; }

size_t holiday_presets_length(void) { return sizeof presets; }
