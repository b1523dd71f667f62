/* --device over a machine with every kind of device. */
#include "target.h"

#include "fake.h"

enum { CAPACITY = 16 };

static struct shoal *open_machine(void)
{
    static const struct backend *const backends[] = {&fake_other_backend, &fake_backend};
    fake_reset();
    struct shoal_device_info info = fake_gpu("NVIDIA H200");
    info.has_pci = true;
    info.pci = (struct shoal_pci_address){0, 0x1b, 0, 0};
    fake_add_device(&fake_other_backend, &info);
    fake_add_device(&fake_backend, &info);
    info = fake_gpu("pthread-epyc, 64 cores");
    info.is_gpu = false;
    info.is_cpu = true;
    fake_add_device(&fake_backend, &info);
    struct shoal_params params;
    shoal_params_init(&params);
    params.no_cache = true;
    struct shoal *shoal;
    REQUIRE(shoal_open_with(&shoal, &params, backends, 2, NULL) == SHOAL_OK);
    return shoal;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct shoal *shoal;
    if (!shoal)
        shoal = open_machine();
    char *selector = input_string(data, size);
    for (unsigned flags = 0; flags <= SHOAL_SELECT_ALIASES; flags++) {
        struct shoal_device *devices[CAPACITY];
        struct shoal_error error = {0};
        size_t count = CAPACITY + 1;
        enum shoal_status status =
            shoal_device_select(shoal, selector, flags, devices, CAPACITY, &count, &error);
        REQUIRE(status == SHOAL_OK || status == SHOAL_NO_DEVICE || status == SHOAL_INVALID);
        REQUIRE(status == error.status);
        REQUIRE((status == SHOAL_OK) == (count > 0));
        REQUIRE(status == SHOAL_OK || (error.message[0] && !strpbrk(error.message, "\r\n")));
        REQUIRE(count <= CAPACITY);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < i; k++)
                REQUIRE(devices[i] != devices[k]);
    }
    free(selector);
    return 0;
}
