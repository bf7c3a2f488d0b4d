#ifndef CCONTRACT_H
#define CCONTRACT_H

#include <stddef.h>

/// The first byte of the contract, openapi.yaml. It is there as long as the process.
const unsigned char *contract_bytes(void);

/// The number of its bytes.
size_t contract_length(void);

#endif
