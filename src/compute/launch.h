/* Private: launches whose arguments have names.
 *
 * launches.h, which tools/embed.py writes, has for each entry of a kernel file, such as sort_count, a struct
 * sort_count_args, whose members have the names of the arguments, and a function launch_sort_count, which
 * launches a kernel of this entry or of another entry with equal arguments. A buffer is a buffer; it may be
 * NULL only where the kernel file says "or NULL" in a comment after the argument. A number is a C number of
 * its type, a double for a real. A struct is a pointer to the host's struct of the same name, which the
 * launch copies.
 */
#ifndef SHOAL_COMPUTE_LAUNCH_H
#define SHOAL_COMPUTE_LAUNCH_H

#include <shoal/program.h>

/* LAUNCH(sort_count, queue, kernel, groups, error, .keys = keys, .n = n) calls launch_sort_count.
 * LAUNCH_EVENT also takes the address of an event, see shoal_launch. */
#define LAUNCH_EVENT(entry, queue, kernel, groups, event, error, ...)                                        \
    launch_##entry(queue, kernel, groups, &(const struct entry##_args){__VA_ARGS__}, event, error)
#define LAUNCH(entry, queue, kernel, groups, error, ...)                                                     \
    LAUNCH_EVENT(entry, queue, kernel, groups, NULL, error, __VA_ARGS__)

/* Marks the structs of arguments: gcc warns of a member without its name, so that two arguments cannot be
 * swapped unnoticed. Other compilers lack the attribute. */
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

/* Values and names of the members of a struct of arguments. */
struct launch_args {
    const char *entry;
    const char *names; /* names of the members, each followed by a blank */
    const struct launch_member *members;
    uint32_t count;
};

/* Calls shoal_launch with the arguments in the struct `values`, which `args` describes. SHOAL_INVALID: a
 * buffer is missing, or the kernel takes other arguments. */
SHOAL_MUST_CHECK enum shoal_status launch_with(struct shoal_queue *queue, struct shoal_kernel *kernel,
                                               size_t groups, const struct launch_args *args,
                                               const void *values, struct shoal_event **event,
                                               struct shoal_error *error);

#include "launches.h"

#endif
