#include "compute/remote/ranks.h"

/* The members of struct shoal_device_info that messages hold, by their types. */
#define STRINGS(X) X(id) X(backend) X(name) X(vendor) X(platform) X(driver) X(compiler)
#define WIDE(X)    X(memory) X(max_allocation) X(local_mem) X(local_mem_max)
#define NARROW(X)                                                                                            \
    X(units)                                                                                                 \
    X(max_work_group)                                                                                        \
    X(simd_width)                                                                                            \
    X(architecture) X(pci.domain) X(pci.bus) X(pci.device) X(pci.function) X(whole_units)
#define FLAGS(X)                                                                                             \
    X(fp64)                                                                                                  \
    X(int64_atomics) X(correct_division) X(is_cpu) X(is_gpu) X(is_host) X(self_caching) X(has_pci)

void put_info(struct text *message, const struct shoal_device_info *info)
{
#define PUT(member) put_string(message, info->member);
    STRINGS(PUT)
#undef PUT
#define PUT(member) put_u64(message, info->member);
    WIDE(PUT)
#undef PUT
#define PUT(member) put_u32(message, info->member);
    NARROW(PUT)
    FLAGS(PUT)
#undef PUT
}

/* Reads the properties of a device of another rank. A device that is a part on that rank is no part on this
 * rank, but whole_units is kept, which determines the order of its sums. */
void get_info(struct reader *reader, struct shoal_device_info *info)
{
    *info = (struct shoal_device_info){.id = NULL};
#define GET(member) info->member = get_string(reader);
    STRINGS(GET)
#undef GET
#define GET(member) info->member = get_u64(reader);
    WIDE(GET)
#undef GET
#define GET(member) info->member = get_u32(reader);
    NARROW(GET)
#undef GET
#define GET(member) info->member = get_u32(reader) != 0;
    FLAGS(GET)
#undef GET
}
