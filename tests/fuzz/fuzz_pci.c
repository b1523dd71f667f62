/* PCI addresses: what is accepted is in range and survives being printed and read again. */
#include "target.h"

#include "compute/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = input_string(data, size);
    struct shoal_pci_address pci, again;
    if (pci_parse(text, &pci)) {
        REQUIRE(pci.bus <= 0xff && pci.device <= 0x1f && pci.function <= 7);
        char printed[32];
        snprintf(printed, sizeof printed, "%04x:%02x:%02x.%x", pci.domain, pci.bus, pci.device, pci.function);
        REQUIRE(pci_parse(printed, &again));
        REQUIRE(memcmp(&pci, &again, sizeof pci) == 0);
    }
    free(text);
    return 0;
}
