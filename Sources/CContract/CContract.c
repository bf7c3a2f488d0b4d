#include "CContract.h"

// C23 6.10.4, which clang has in every language mode since its version 19. The compiler lists the file among those that
// this one is made of, so a changed contract is embedded again.
#pragma clang diagnostic ignored "-Wc23-extensions"
static const unsigned char contract[] = {
#embed "openapi.yaml"
};

const unsigned char *contract_bytes(void) { return contract; }

size_t contract_length(void) { return sizeof contract; }
