/* The grammar of device selectors (--device). */
#ifndef SHOAL_COMPUTE_SELECT_H
#define SHOAL_COMPUTE_SELECT_H

#include <shoal/device.h>

/* Reads a PCI address "[domain:]bus:device[.function]", in hexadecimal digits as printed by lspci. Returns
 * false if the text is not such an address. */
bool pci_parse(const char *text, struct shoal_pci_address *pci);

#endif
