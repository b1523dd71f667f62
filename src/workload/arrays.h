/* Private: a table of the arrays of a solver, a method or another part. The table serves to sum up the memory
 * that the arrays need, to create and destroy them, and to save them in checkpoints. All arrays of a table
 * are buffers of a device, or all are memory of the host.
 */
#ifndef SHOAL_WORKLOAD_ARRAYS_H
#define SHOAL_WORKLOAD_ARRAYS_H

#include "base/integer.h"
#include "workload/checkpoint/checkpoint.h"

#include <shoal/queue.h>

/* Flags of an array. ZERO: arrays_create and arrays_zero fill the array with zeros; arrays_create fills host
 * memory in any case. SAVE: the array is a section of checkpoints. TILED: the array is tiled, see struct
 * arrays. */
enum { ARRAY_ZERO = 1, ARRAY_SAVE = 2, ARRAY_TILED = 4 };

struct array {
    void *pointer;    /* address of the struct shoal_buffer *, or of the pointer to memory of the host */
    double count;     /* number of elements, as a double because it may exceed every integer type; 0: the
                       * array does not exist */
    size_t element;   /* bytes of an element */
    unsigned flags;   /* ARRAY_* */
    const char *name; /* name of the section in checkpoints; NULL: no section */
    size_t used;      /* number of leading elements that are read and saved; 0: no section */
};

enum { ARRAYS_MOST = 23 };

struct arrays {
    struct shoal_queue *queue; /* queue that reads and writes the buffers; NULL: the arrays are memory of the
                                * host */
    /* A tiled array stores element d of item i at index (i / tile * stride + d) * tile + i % tile, where
     * stride is count / (tiles * tile). Arrays are read and saved as used / items rows; element i of row d is
     * element d of item i. */
    size_t items, tile, tiles;
    /* If buffers of tiled arrays also have tiles of other items: first_tile is the number of tiles before the
     * `tiles` tiles of this table, all_tiles the number of all tiles. all_tiles 0: buffers have no other
     * tiles. */
    size_t first_tile, all_tiles;
    struct array list[ARRAYS_MOST];
    size_t count;
};

/* Sets the table; called again when sizes have changed. */
void arrays_set(struct arrays *arrays, const struct array *list, size_t count);
#define ARRAYS_SET(arrays, table)                                                                            \
    do {                                                                                                     \
        _Static_assert(COUNT(table) <= ARRAYS_MOST, "room in struct arrays");                                \
        arrays_set(arrays, table, COUNT(table));                                                             \
    } while (0)

double arrays_bytes(const struct arrays *arrays);
/* Checks that there is memory for the arrays and for `more` bytes. Call this before anything is created: a
 * driver may take long to refuse, or crash the machine, and the host overcommits memory. The message says
 * that `what`, a plural noun, need the memory, and ends with `remedy`, for example "lower particles". */
SHOAL_MUST_CHECK enum shoal_status arrays_check(const struct arrays *arrays, double more, const char *what,
                                                const char *remedy, struct shoal_error *error);
/* Creates all arrays. After a failure, arrays_destroy frees those that were created. */
SHOAL_MUST_CHECK enum shoal_status arrays_create(const struct arrays *arrays, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status arrays_zero(const struct arrays *arrays, struct shoal_error *error);
void arrays_destroy(const struct arrays *arrays); /* accepts zeros */

/* Swaps two buffers, for example the current and the next state. Tables of arrays see the swap, since they
 * hold the addresses of the pointers. */
static inline void buffers_swap(struct shoal_buffer **a, struct shoal_buffer **b)
{
    struct shoal_buffer *const other = *a;
    *a = *b;
    *b = other;
}

/* The array whose section in checkpoints has this name; NULL: there is none. */
const struct array *arrays_find(const struct arrays *arrays, const char *name);
/* Reads the used elements of the array `name`; the caller frees *out. */
SHOAL_MUST_CHECK enum shoal_status arrays_read(const struct arrays *arrays, const char *name, void **out,
                                               struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status arrays_save(const struct arrays *arrays, struct checkpoint *checkpoint,
                                               struct shoal_error *error);
/* Does arrays_save for `count` tables that together hold the items of the whole run, in the order of the
 * tables: tiled arrays are joined row by row, other arrays are appended. */
SHOAL_MUST_CHECK enum shoal_status arrays_join(const struct arrays *const *tables, size_t count,
                                               struct checkpoint *checkpoint, struct shoal_error *error);
/* The reverse of arrays_join: adds the sections of table `index` to `share`, cut out of the sections of
 * `whole`. `whole` must live as long as `share`. */
SHOAL_MUST_CHECK enum shoal_status arrays_cut(const struct arrays *const *tables, size_t count, size_t index,
                                              const struct checkpoint *whole, struct checkpoint *share,
                                              struct shoal_error *error);
/* Reads the sections of a checkpoint into the arrays. If a section is missing, no array is changed. */
SHOAL_MUST_CHECK enum shoal_status
arrays_load(const struct arrays *arrays, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
