/* Counts the entries of the lists in the registry, and finds entries by index or name. */
#include "workload/workload.h"

#include "base/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t shoal_workload_count(void)
{
    size_t count = 0;
    while (registry_workloads[count])
        count++;
    return count;
}

const struct shoal_workload *shoal_workload_at(size_t index)
{
    return index < shoal_workload_count() ? &registry_workloads[index]->face : NULL;
}

const struct shoal_workload *shoal_workload_find(const char *name)
{
    for (size_t i = 0; name && registry_workloads[i]; i++)
        if (strcmp(registry_workloads[i]->face.name, name) == 0)
            return &registry_workloads[i]->face;
    return NULL;
}

static size_t count_programs(const struct shoal_program_desc *const *list)
{
    size_t count = 0;
    while (list[count])
        count++;
    return count;
}

size_t shoal_program_desc_count(void)
{
    size_t count = count_programs(shared_programs);
    for (size_t w = 0; registry_workloads[w]; w++)
        count += count_programs(registry_workloads[w]->programs);
    return count;
}

const struct shoal_program_desc *shoal_program_desc_at(size_t index)
{
    for (size_t w = 0; registry_workloads[w]; w++) {
        const size_t count = count_programs(registry_workloads[w]->programs);
        if (index < count)
            return registry_workloads[w]->programs[index];
        index -= count;
    }
    return index < count_programs(shared_programs) ? shared_programs[index] : NULL;
}

size_t shoal_workload_case_count(const struct shoal_workload *workload)
{
    return workload ? workload_of(workload)->case_count : 0;
}

const struct shoal_case *shoal_workload_case_at(const struct shoal_workload *workload, size_t index)
{
    return index < shoal_workload_case_count(workload) ? &workload_of(workload)->cases[index] : NULL;
}

/* Returns the block of parameters that a caller gives: `given` itself if it is a block of
 * workload_params_take, otherwise a new block *copy, which the caller frees. NULL: the parameters are not
 * valid. */
static const void *taken(const struct shoal_workload *workload, const void *given, void **copy)
{
    *copy = NULL;
    if (!workload || !given)
        return NULL;
    if (workload_params_are_taken(workload_of(workload), given))
        return given;
    return workload_params_take(__func__, workload, given, copy, NULL) ? NULL : *copy;
}

uint64_t shoal_workload_total_steps(const struct shoal_workload *workload, const void *params)
{
    void *copy;
    const void *whole = taken(workload, params, &copy);
    const uint64_t steps = whole ? workload_of(workload)->total_steps(whole) : 0;
    free(copy);
    return steps;
}

double shoal_workload_time_limit(const struct shoal_workload *workload, const void *params)
{
    void *copy;
    const void *whole = taken(workload, params, &copy);
    const size_t offset = whole ? workload_of(workload)->time_offset : 0;
    double seconds = NAN;
    if (offset)
        memcpy(&seconds, (const char *)whole + offset, sizeof seconds);
    free(copy);
    return seconds;
}

bool shoal_workload_prefers_host(const struct shoal_workload *workload, const void *params,
                                 const struct shoal_device *device)
{
    void *copy;
    const void *whole = taken(workload, params, &copy);
    const bool is_slow = device && !shoal_device_get_info(device)->is_gpu;
    const bool prefers =
        whole &&
        (workload->flags & SHOAL_WORKLOAD_HOST_FIRST ||
         (workload_of(workload)->prefers_host && workload_of(workload)->prefers_host(whole, is_slow)));
    free(copy);
    return prefers;
}

uint64_t shoal_workload_warm_up_steps(const struct shoal_workload *workload, const void *params)
{
    void *copy;
    const void *whole = taken(workload, params, &copy);
    const uint64_t steps =
        whole && workload_of(workload)->warm_up_steps ? workload_of(workload)->warm_up_steps(whole) : 0;
    free(copy);
    return steps;
}

void shoal_workload_make_endless(const struct shoal_workload *workload, void *params, uint64_t warm_up_steps)
{
    void *whole;
    if (!workload || !params || workload_params_take(__func__, workload, params, &whole, NULL))
        return;
    workload_of(workload)->make_endless(whole, warm_up_steps);
    (void)!workload_params_return(__func__, workload, whole, params, NULL);
    free(whole);
}
