/* Division of devices by clCreateSubDevices. The parts of one division share a context. */
#include "compute/opencl/opencl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The ways in which the driver can divide a device. */
struct ability {
    bool equally, by_counts, by_numa;
    cl_uint most; /* largest number of parts */
};

static struct ability read_ability(cl_device_id id)
{
    struct ability ability = {0};
    cl_device_partition_property schemes[8] = {0};
    cl_device_affinity_domain domains = 0;
    size_t bytes = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_PARTITION_PROPERTIES, sizeof schemes, schemes, &bytes) != CL_SUCCESS)
        return ability;
    if (clGetDeviceInfo(id, CL_DEVICE_PARTITION_AFFINITY_DOMAIN, sizeof domains, &domains, NULL) !=
        CL_SUCCESS)
        domains = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof ability.most, &ability.most, NULL) !=
        CL_SUCCESS)
        ability.most = 0;
    for (size_t i = 0; i < bytes / sizeof *schemes; i++) {
        ability.equally = ability.equally || schemes[i] == CL_DEVICE_PARTITION_EQUALLY;
        ability.by_counts = ability.by_counts || schemes[i] == CL_DEVICE_PARTITION_BY_COUNTS;
        ability.by_numa = ability.by_numa || (schemes[i] == CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN &&
                                              (domains & CL_DEVICE_AFFINITY_DOMAIN_NUMA));
    }
    return ability;
}

/* Whether CL_DEVICE_PARTITION_EQUALLY, with units[0] compute units in each part, gives exactly these parts.
 */
static bool are_equal(const struct shoal_device *whole, const uint32_t *units, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (units[i] != units[0])
            return false;
    return (uint64_t)units[0] * count == whole->info.units;
}

static enum shoal_status fail_unable(const struct division *division, const struct ability *ability,
                                     struct shoal_error *error)
{
    const struct shoal_device_info *info = &division->whole->info;
    struct text can = {0};
    if (ability->equally)
        text_add(&can, ", equal parts");
    if (ability->by_counts)
        text_add(&can, ", parts of given numbers of compute units");
    if (ability->by_numa)
        text_add(&can, ", parts by NUMA node");
    enum shoal_status status =
        can.failed ? fail_host_memory(error)
        : can.data ? fail(error, SHOAL_NO_DEVICE, "%s (%s) has no parts %s/%.80s: its driver makes %s",
                          info->id, info->name, info->id, division->word, can.data + 2)
                   : fail(error, SHOAL_NO_DEVICE, "%s (%s) has no parts: its driver does not divide it",
                          info->id, info->name);
    text_free(&can);
    return status;
}

/* Chooses how to divide the device, and fills `properties`: zeros, with room for `count` numbers and four
 * more. */
static enum shoal_status choose_scheme(const struct division *division, const uint32_t *units, size_t count,
                                       cl_device_partition_property *properties, struct shoal_error *error)
{
    const struct shoal_device *whole = division->whole;
    const struct ability ability = read_ability(opencl_device(whole)->id);
    size_t used = 0;
    if (!units && ability.by_numa) {
        properties[used++] = CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN;
        properties[used++] = CL_DEVICE_AFFINITY_DOMAIN_NUMA;
    } else if (units && ability.equally && are_equal(whole, units, count)) {
        properties[used++] = CL_DEVICE_PARTITION_EQUALLY;
        properties[used++] = (cl_device_partition_property)units[0];
    } else if (units && ability.by_counts) {
        properties[used++] = CL_DEVICE_PARTITION_BY_COUNTS;
        for (size_t i = 0; i < count; i++) /* a 0 also ends this list of counts */
            properties[used++] = (cl_device_partition_property)units[i];
    } else {
        return fail_unable(division, &ability, error);
    }
    if (count > ability.most)
        return fail(error, SHOAL_NO_DEVICE, "%s (%s) has no parts %s/%.80s: its driver makes %u at most",
                    whole->info.id, whole->info.name, whole->info.id, division->word, ability.most);
    return SHOAL_OK;
}

/* The sub-devices of one device that were created with these properties. They exist until the process ends,
 * and all instances share them: PoCL frees a sub-device when it is released, although contexts, queues and
 * threads of PoCL still refer to it. */
struct sub_devices {
    struct sub_devices *next;
    cl_device_id whole;
    cl_device_partition_property *properties; /* including the zeros at the end of the list */
    size_t property_count;
    cl_uint count;
    cl_device_id *ids;
};

static struct sub_devices *all_sub_devices; /* guarded by sub_devices_lock */
static pthread_mutex_t sub_devices_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct sub_devices *
find_sub_devices(cl_device_id whole, const cl_device_partition_property *properties, size_t count)
{
    const struct sub_devices *set = all_sub_devices;
    while (set && !(set->whole == whole && set->property_count == count &&
                    memcmp(set->properties, properties, count * sizeof *properties) == 0))
        set = set->next;
    return set;
}

static void sub_devices_free(struct sub_devices *set)
{
    free(set->properties);
    free(set->ids);
    free(set);
}

static enum shoal_status create(struct shoal_device *whole, const cl_device_partition_property *properties,
                                size_t property_count, struct sub_devices **out, struct shoal_error *error)
{
    const cl_device_id id = opencl_device(whole)->id;
    cl_uint count = 0;
    cl_int code = clCreateSubDevices(id, properties, 0, NULL, &count);
    if (code != CL_SUCCESS)
        return opencl_fail(whole, error, "clCreateSubDevices", code, "dividing the device");
    struct sub_devices *set = calloc(1, sizeof *set);
    if (!set)
        return fail_host_memory(error);
    *set = (struct sub_devices){.whole = id,
                                .properties = calloc(property_count, sizeof *properties),
                                .property_count = property_count,
                                .ids = calloc((size_t)count + 1, sizeof(cl_device_id)),
                                .count = count};
    if (!set->properties || !set->ids) {
        sub_devices_free(set);
        return fail_host_memory(error);
    }
    memcpy(set->properties, properties, property_count * sizeof *properties);
    code = clCreateSubDevices(id, properties, count, set->ids, NULL);
    if (code != CL_SUCCESS) {
        sub_devices_free(set);
        return opencl_fail(whole, error, "clCreateSubDevices", code, "dividing the device");
    }
    *out = set;
    return SHOAL_OK;
}

static enum shoal_status find_or_create(struct shoal_device *whole,
                                        const cl_device_partition_property *properties, size_t property_count,
                                        const struct sub_devices **out, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    struct sub_devices *set = NULL;
    pthread_mutex_lock(&sub_devices_lock);
    *out = find_sub_devices(opencl_device(whole)->id, properties, property_count);
    if (!*out)
        status = create(whole, properties, property_count, &set, error);
    if (set) {
        set->next = all_sub_devices;
        all_sub_devices = set;
        *out = set;
    }
    pthread_mutex_unlock(&sub_devices_lock);
    return status;
}

/* Adds a part to a division. Its memory is that of the whole device, which all parts share. */
static enum shoal_status add_part(struct division *division, cl_device_id id, cl_context context,
                                  struct shoal_error *error)
{
    const struct shoal_device *whole = division->whole;
    struct shoal_device_info info = whole->info;
    cl_uint units = 0;
    cl_ulong local = 0;
    cl_int code = clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    if (code == CL_SUCCESS)
        code = clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(division->whole, error, "clGetDeviceInfo", code, "asking a part of the device");
    info.units = units;
    info.local_mem = info.local_mem_max = local;
    struct opencl_device *native = calloc(1, sizeof *native);
    if (!native)
        return fail_host_memory(error);
    const struct opencl_device *of_whole = opencl_device(whole);
    *native = (struct opencl_device){.platform = of_whole->platform,
                                     .id = id,
                                     .context = context,
                                     .is_pocl = of_whole->is_pocl,
                                     .miscompiles_groups_of_one = of_whole->miscompiles_groups_of_one};
    const enum shoal_status status = device_add_part(division, &info, native, error);
    if (status)
        free(native);
    else
        clRetainContext(context);
    return status;
}

enum shoal_status opencl_device_divide(struct division *division, const uint32_t *units, size_t count,
                                       struct shoal_error *error)
{
    const size_t most = count + 4;
    cl_device_partition_property *properties = calloc(most, sizeof *properties);
    const struct sub_devices *set = NULL;
    cl_context context = NULL;
    enum shoal_status status =
        properties ? choose_scheme(division, units, count, properties, error) : fail_host_memory(error);
    if (!status)
        status = find_or_create(division->whole, properties, most, &set, error);
    if (!status)
        status = opencl_context_create(division->whole, set->ids, set->count, &context, error);
    while (!status && division->count < set->count)
        status = add_part(division, set->ids[division->count], context, error);
    if (context)
        clReleaseContext(context);
    free(properties);
    return status;
}
