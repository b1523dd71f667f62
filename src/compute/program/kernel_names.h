/* Private: the names in kernel files. A user's text that is compiled with these files must not define
 * them. */
#ifndef SHOAL_COMPUTE_KERNEL_NAMES_H
#define SHOAL_COMPUTE_KERNEL_NAMES_H

#include "compute/program/words.h"

#include <shoal/device.h>

/* How kernel files use a name: these flags and those of embedded.h, combined. NAME_KNOWN alone: as a variable
 * or the like. */
enum {
    NAME_KNOWN = 1,
    NAME_MACRO = 2,
    NAME_DEFINED = 4,   /* a function, type or constant */
    NAME_IN_LIBRARY = 8 /* used by a file of lib/ */
};

struct kernel_name {
    struct word word;
    unsigned flags;
};

/* The names of all kernel files: trees of <search.h> with elements of struct kernel_name. */
struct kernel_names {
    const void *built_in;
    void *own;   /* tree of the names of a kernel folder */
    bool failed; /* there was not enough memory */
};

/* Finds the names in the built-in files and, unless `shoal` is NULL, in the files of its kernel folder: those
 * that replace built-in files, and the files that these include. A file that cannot be read has no names;
 * compiling it fails. */
SHOAL_MUST_CHECK enum shoal_status kernel_names_create(const struct shoal *shoal, struct kernel_names *names,
                                                       struct shoal_error *error);
/* Returns the flags NAME_* of a name, from the kernel files and the dialect; 0: they do not have the name. */
unsigned kernel_names_flags(const struct kernel_names *names, struct word word);
void kernel_names_free(struct kernel_names *names);

#endif
