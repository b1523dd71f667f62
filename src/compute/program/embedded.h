/* The tables that tools/embed.py writes: kernel texts by name, sorted, ended by a NULL name, and the names
 * that occur in them. */
#ifndef SHOAL_COMPUTE_EMBEDDED_H
#define SHOAL_COMPUTE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name, *text;
};

extern const struct embedded_file embedded_files[];

/* How kernel files use a name, by tools/kernel_names.py. No flag: only as that of variables and the like. */
enum {
    NAME_MACRO = 1,
    NAME_DEFINED = 2,    /* a function, type or constant */
    NAME_IN_LIBRARY = 4, /* by a file of cl/lib */
    NAME_LANGUAGE = 8,   /* of the dialect, which all texts use */
    NAME_KEYWORD = 16    /* part of declarations, such as static or uint */
};

struct embedded_name {
    const char *name;
    unsigned flags;
};

extern const struct embedded_name embedded_names[]; /* sorted by strcmp */
extern const size_t embedded_name_count;

#endif
