/* Private: the arrays of a solver, of its method or of another part of it: one table for the memory that they
 * need, for creating and destroying them, and for their sections in a checkpoint. A table is of buffers of a
 * device, or of memory of the host.
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
    double count;     /* number of elements, which may be more than any integer holds; 0: the array does not
                       * exist */
    size_t element;   /* bytes of an element */
    unsigned flags;   /* ARRAY_* */
    const char *name; /* name of its section in checkpoints; NULL: none */
    size_t used;      /* how many of the first elements are read and saved; 0: no section */
};

enum { ARRAYS_MOST = 21 };

struct arrays {
    struct shoal_queue *queue; /* queue that reads and writes the buffers; NULL: the arrays are memory of the
                                * host */
    /* Element d of item i of a tiled array is at (i / tile * stride + d) * tile + i % tile, where count is
     * tiles * tile * stride; Arrays are read and saved in used / items rows; element i of a row belongs to
     * item i. */
    size_t items, tile, tiles;
    struct array list[ARRAYS_MOST];
    size_t count;
};

/* Sets the table; also sets it again after sizes have changed. */
void arrays_set(struct arrays *arrays, const struct array *list, size_t count);
#define ARRAYS_SET(arrays, table)                                                                            \
    do {                                                                                                     \
        _Static_assert(COUNT(table) <= ARRAYS_MOST, "room in struct arrays");                                \
        arrays_set(arrays, table, COUNT(table));                                                             \
    } while (0)

double arrays_bytes(const struct arrays *arrays);
/* Is there memory for the arrays and for `more` bytes? Call this before anything is created: a driver may
 * take long to refuse, or crash the machine, and the host overcommits. The message names `what` needs the
 * memory and ends with `remedy`: "lower particles". */
SHOAL_MUST_CHECK enum shoal_status arrays_check(const struct arrays *arrays, double more, const char *what,
                                                const char *remedy, struct shoal_error *error);
/* After a failure arrays_destroy frees the rest. */
SHOAL_MUST_CHECK enum shoal_status arrays_create(const struct arrays *arrays, struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status arrays_zero(const struct arrays *arrays, struct shoal_error *error);
void arrays_destroy(const struct arrays *arrays); /* accepts zeros */

/* The two change places, as where one holds the next state; lists of arrays follow, as they hold the places.
 */
static inline void buffers_swap(struct shoal_buffer **a, struct shoal_buffer **b)
{
    struct shoal_buffer *const other = *a;
    *a = *b;
    *b = other;
}

/* Reads the used elements of the array `name`; `*out` is malloc'ed. */
SHOAL_MUST_CHECK enum shoal_status arrays_read(const struct arrays *arrays, const char *name, void **out,
                                               struct shoal_error *error);
SHOAL_MUST_CHECK enum shoal_status arrays_save(const struct arrays *arrays, struct checkpoint *checkpoint,
                                               struct shoal_error *error);
/* Reads the sections of a checkpoint into the arrays; leaves all arrays alone where a section is missing. */
SHOAL_MUST_CHECK enum shoal_status
arrays_load(const struct arrays *arrays, const struct checkpoint *checkpoint, struct shoal_error *error);

#endif
