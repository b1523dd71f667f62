/* Private: the layout of GSD files, version 2 of the file layer
 * (https://gsd.readthedocs.io/en/stable/file-layer.html): a header, a list of names, an index, and chunks of
 * data. An entry of the index names the frame, the name, the type, the shape and the place of a chunk.
 * Entries are sorted by frame and then by name; an entry with the location 0 ends the index. Numbers have the
 * byte order of the machine, as those of the GSD library have. */
#ifndef SHOAL_IO_GSD_H
#define SHOAL_IO_GSD_H

#include <stddef.h>
#include <stdint.h>

#define GSD_MAGIC UINT64_C(0x65DF65DF65DF65DF)

struct gsd_header {
    uint64_t magic;
    uint64_t index_location, index_allocated; /* the latter in entries */
    uint64_t names_location, names_allocated; /* the latter in pieces of GSD_NAME bytes */
    uint32_t schema_version, version;         /* 0xaaaabbbb: aaaa.bbbb */
    char application[64], schema[64];
    char reserved[80];
};

struct gsd_entry {
    uint64_t frame;
    uint64_t rows;
    int64_t location;
    uint32_t columns;
    uint16_t name; /* number of the name in the list, from 0 on */
    uint8_t type;  /* enum gsd_type */
    uint8_t flags;
};

_Static_assert(sizeof(struct gsd_header) == 256 && sizeof(struct gsd_entry) == 32, "the layout of GSD");

/* Names of version 1 have GSD_NAME bytes each; those of version 2 follow each other, each ended by a NUL. */
enum { GSD_NAME = 64 };

enum gsd_type {
    GSD_UINT8 = 1,
    GSD_UINT16,
    GSD_UINT32,
    GSD_UINT64,
    GSD_INT8,
    GSD_INT16,
    GSD_INT32,
    GSD_INT64,
    GSD_FLOAT,
    GSD_DOUBLE,
    GSD_CHARACTER
};

/* Bytes of a number; 0: no type has this number. */
static inline size_t gsd_bytes(unsigned type)
{
    static const uint8_t bytes[] = {0, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 1};
    return type < sizeof bytes ? bytes[type] : 0;
}

#endif
