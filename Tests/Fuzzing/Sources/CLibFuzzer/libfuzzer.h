#ifndef TIMECLOCK_LIBFUZZER_H
#define TIMECLOCK_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// The entry of libFuzzer for programs with a main of their own (llvm.org/docs/LibFuzzer.html, "Using libFuzzer
// as a library"). It comes without a header.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*check)(const uint8_t *data, size_t size));

#endif
