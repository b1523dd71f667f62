/* Private: macros for the rows of a table of options, which is data:
 *
 *     #define OPTIONS_OF struct X_params
 *     static const struct shoal_option options[] = {
 *         {.name = "inertia", OPTION_REAL(inertia, "W", -10, 10), .help = "inertia weight"},
 *
 * Each macro gives the type of the option, the member of OPTIONS_OF that holds the value, its unit or
 * metavariable ("": none), and its range. A member whose C type does not fit the option does not compile.
 */
#ifndef SHOAL_WORKLOAD_OPTIONS_H
#define SHOAL_WORKLOAD_OPTIONS_H

#include <shoal/workload.h>
#include <stddef.h>

#define OPTION_FLAG(member)          OPTION_VALUE(SHOAL_OPTION_FLAG, member, bool), .unit = ""
#define OPTION_TEXT(member, metavar) OPTION_VALUE(SHOAL_OPTION_TEXT, member, const char *), .unit = metavar
#define OPTION_UINT(member, metavar, least, most)                                                            \
    OPTION_VALUE(SHOAL_OPTION_UINT, member, uint64_t), .unit = metavar, .min = least, .max = most
#define OPTION_REAL(member, metavar, least, most)                                                            \
    OPTION_VALUE(SHOAL_OPTION_REAL, member, double), .unit = metavar, .min = least, .max = most

/* names: the names of the choices, ended by NULL, in the order of the member's enum. */
#define OPTION_CHOICE(member, metavar, names)                                                                \
    .type = SHOAL_OPTION_CHOICE, .unit = metavar, .choices = names,                                          \
    .offset = OPTION_OFFSET(member, int : 0, unsigned : 0)

#define OPTION_VALUE(option_type, member, c_type)                                                            \
    .type = option_type, .offset = OPTION_OFFSET(member, c_type : 0)

/* Offset of a member. The second term is 0 and only checks the type: it does not compile for a type that is
 * not listed. */
#define OPTION_OFFSET(member, ...)                                                                           \
    (offsetof(OPTIONS_OF, member) + 0 * sizeof(_Generic(((OPTIONS_OF *)0)->member, __VA_ARGS__)))

#endif
