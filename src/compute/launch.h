/* Private: launches with named arguments.
 *
 * tools/embed.py writes launches.h. For each entry of a kernel file, such as sort_count, that file has a
 * struct sort_count_args, whose members have the names of the entry's arguments, and a function
 * launch_sort_count, which launches a kernel of this entry, or of another entry with equal arguments. The
 * members are: for a buffer a struct shoal_buffer pointer, which may be NULL only if the kernel file says "or
 * NULL" in a comment after the argument; for a number a C number of its type, a double for a real; for a
 * struct a pointer to the host's struct of the same name, which the launch copies.
 */
#ifndef SHOAL_COMPUTE_LAUNCH_H
#define SHOAL_COMPUTE_LAUNCH_H

#include <shoal/program.h>

/* LAUNCH(sort_count, queue, kernel, groups, error, .keys = keys, .n = n) calls launch_sort_count.
 * LAUNCH_EVENT takes the address of an event, too: see shoal_launch. */
#define LAUNCH_EVENT(entry, queue, kernel, groups, event, error, ...)                                        \
    launch_##entry(queue, kernel, groups, &(const struct entry##_args){__VA_ARGS__}, event, error)
#define LAUNCH(entry, queue, kernel, groups, error, ...)                                                     \
    LAUNCH_EVENT(entry, queue, kernel, groups, NULL, error, __VA_ARGS__)

/* An attribute of the structs of arguments: gcc warns if a member is initialised without its name, since two
 * arguments could be swapped then. Other compilers lack the attribute. */
#if defined(__has_attribute)
#if __has_attribute(designated_init)
#define LAUNCH_BY_NAME __attribute__((designated_init))
#endif
#endif
#ifndef LAUNCH_BY_NAME
#define LAUNCH_BY_NAME
#endif

/* Describes a member of a struct of arguments. */
struct launch_member {
    uint16_t place; /* offset in the struct, in bytes */
    uint8_t type;   /* enum shoal_type */
    bool or_null;
};

/* Describes a struct of arguments. */
struct launch_args {
    const char *entry;
    const char *names; /* names of the members, each followed by a blank */
    const struct launch_member *members;
    uint32_t count;
};

/* Calls shoal_launch with the arguments in the struct `values`, which `args` describes. SHOAL_INVALID: a
 * buffer is NULL that must not be, or the kernel takes other arguments. */
SHOAL_MUST_CHECK enum shoal_status launch_with(struct shoal_queue *queue, struct shoal_kernel *kernel,
                                               size_t groups, const struct launch_args *args,
                                               const void *values, struct shoal_event **event,
                                               struct shoal_error *error);

/* Events of later launches of this kernel have no times. If a caller asks for the event of a launch on a
 * queue that measures times, CUDA records one before and one after it. On an H200 the gap at such a record is
 * 3.8 us, elsewhere 1.0 to 1.6 us. The server of a remote device measures these launches all the same. */
void kernel_omit_times(struct shoal_kernel *kernel);

#include "launches.h"

#endif
