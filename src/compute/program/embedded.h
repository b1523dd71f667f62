/* The table that tools/embed.py writes: kernel texts by name, sorted, ended by a NULL name. */
#ifndef SHOAL_COMPUTE_EMBEDDED_H
#define SHOAL_COMPUTE_EMBEDDED_H

struct embedded_file {
    const char *name, *text;
};

extern const struct embedded_file embedded_files[];

#endif
