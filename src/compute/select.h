/* The grammar of --device. */
#ifndef SHOAL_COMPUTE_SELECT_H
#define SHOAL_COMPUTE_SELECT_H

#include <shoal/device.h>

/* Parses "[domain:]bus:device[.function]", hexadecimal as lspci prints it. */
bool pci_parse(const char *text, struct shoal_pci_address *pci);

#endif
