#include "workload/arrays.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void arrays_set(struct arrays *arrays, const struct array *list, size_t count)
{
    memcpy(arrays->list, list, count * sizeof *list);
    arrays->count = count;
}

/* Returns the pointer to a buffer or to host memory that is stored at array->pointer. memcpy avoids an access
 * through another pointer type. */
static void *pointer_of(const struct array *array)
{
    void *pointer;
    memcpy(&pointer, array->pointer, sizeof pointer);
    return pointer;
}

static void set_pointer(const struct array *array, void *pointer)
{
    memcpy(array->pointer, &pointer, sizeof pointer);
}

static double bytes_of(const struct array *array)
{
    return array->count * (double)array->element;
}

static size_t used_bytes(const struct array *array)
{
    return array->used * array->element;
}

static bool is_saved(const struct array *array)
{
    return array->flags & ARRAY_SAVE && array->used;
}

/* Memory ----------------------------------------------------------------------------------------------- */

double arrays_bytes(const struct arrays *arrays)
{
    double bytes = 0;
    for (size_t i = 0; i < arrays->count; i++)
        bytes += bytes_of(&arrays->list[i]);
    return bytes;
}

enum shoal_status arrays_check(const struct arrays *arrays, double more, const char *what, const char *remedy,
                               struct shoal_error *error)
{
    const double total = arrays_bytes(arrays) + more;
    if (!arrays->queue)
        return check_host_memory(total, what, remedy, error);
    const struct shoal_device_info *info = shoal_device_get_info(shoal_queue_device(arrays->queue));
    double largest = 0;
    for (size_t i = 0; i < arrays->count; i++)
        largest = fmax(largest, bytes_of(&arrays->list[i]));
    if (total > (double)info->memory)
        return fail(error, SHOAL_OUT_OF_DEVICE_MEMORY,
                    "%s need at least %.0f bytes on %s (%s), which has %llu: %s", what, total, info->id,
                    info->name, (unsigned long long)info->memory, remedy);
    if (info->max_allocation && largest > (double)info->max_allocation)
        return fail(error, SHOAL_OUT_OF_DEVICE_MEMORY,
                    "%s need buffers of %.0f bytes on %s (%s), which allows %llu each: %s", what, largest,
                    info->id, info->name, (unsigned long long)info->max_allocation, remedy);
    return SHOAL_OK;
}

static enum shoal_status create_one(const struct arrays *arrays, const struct array *array,
                                    struct shoal_error *error)
{
    struct shoal_buffer *buffer = NULL;
    if (array->count == 0)
        return SHOAL_OK;
    if (arrays->queue) {
        enum shoal_status status =
            shoal_buffer_create(shoal_queue_device(arrays->queue), (size_t)bytes_of(array), &buffer, error);
        set_pointer(array, buffer);
        return status;
    }
    set_pointer(array, calloc((size_t)array->count, array->element));
    return pointer_of(array)
               ? SHOAL_OK
               : fail(error, SHOAL_OUT_OF_HOST_MEMORY,
                      "the host has no %.0f bytes for an array: make the problem smaller", bytes_of(array));
}

enum shoal_status arrays_create(const struct arrays *arrays, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < arrays->count && !status; i++)
        status = create_one(arrays, &arrays->list[i], error);
    return status || !arrays->queue ? status : arrays_zero(arrays, error);
}

enum shoal_status arrays_zero(const struct arrays *arrays, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < arrays->count && !status; i++) {
        const struct array *array = &arrays->list[i];
        const size_t bytes = (size_t)bytes_of(array);
        if (!(array->flags & ARRAY_ZERO) || !bytes)
            continue;
        if (arrays->queue)
            status = shoal_buffer_fill(arrays->queue, pointer_of(array), 0, bytes, 0, error);
        else
            memset(pointer_of(array), 0, bytes);
    }
    return status;
}

void arrays_destroy(const struct arrays *arrays)
{
    for (size_t i = 0; i < arrays->count; i++) {
        struct shoal_buffer *buffer = pointer_of(&arrays->list[i]);
        if (arrays->queue)
            shoal_buffer_destroy(&buffer);
        else
            free(pointer_of(&arrays->list[i]));
        set_pointer(&arrays->list[i], NULL);
    }
}

/* Between buffers and the host ------------------------------------------------------------------------- */

static size_t rows_of(const struct arrays *arrays, const struct array *array)
{
    return array->used / arrays->items;
}

/* Number of rows of a tile in memory, with padding. */
static size_t stride_of(const struct arrays *arrays, const struct array *array)
{
    const size_t places = (arrays->all_tiles ? arrays->all_tiles : arrays->tiles) * arrays->tile;
    return places ? (size_t)array->count / places : 0;
}

static size_t tile_bytes(const struct arrays *arrays, const struct array *array)
{
    return stride_of(arrays, array) * arrays->tile * array->element;
}

/* moved_bytes: bytes that a read or a write of the array transfers. moved_from: offset of these bytes in the
 * buffer. */
static size_t moved_bytes(const struct arrays *arrays, const struct array *array)
{
    return array->flags & ARRAY_TILED ? tile_bytes(arrays, array) * arrays->tiles : used_bytes(array);
}

static size_t moved_from(const struct arrays *arrays, const struct array *array)
{
    return array->flags & ARRAY_TILED ? tile_bytes(arrays, array) * arrays->first_tile : 0;
}

/* Some tiles of an array. items: number of items in these tiles, without padding. */
struct tiles {
    size_t first, count, items;
};

static struct tiles tiles_from(const struct arrays *arrays, size_t first, size_t most)
{
    const size_t count = arrays->tiles - first < most ? arrays->tiles - first : most;
    const size_t items = count * arrays->tile, left = arrays->items - first * arrays->tile;
    return (struct tiles){first, count, items < left ? items : left};
}

static void copy_tiles(const struct arrays *arrays, const struct array *array, const struct tiles *tiles,
                       char *tiled, char *plain, bool to_plain)
{
    const size_t rows = rows_of(arrays, array), stride = stride_of(arrays, array), element = array->element;
    for (size_t tile = 0; tile < tiles->count; tile++) {
        const size_t first = tile * arrays->tile, left = tiles->items - first;
        const size_t bytes = (left < arrays->tile ? left : arrays->tile) * element;
        for (size_t row = 0; row < rows; row++) {
            char *in_tile = tiled + (tile * stride + row) * arrays->tile * element;
            char *in_row = plain + (row * tiles->items + first) * element;
            memcpy(to_plain ? in_row : in_tile, to_plain ? in_tile : in_row, bytes);
        }
    }
}

static enum shoal_status read_one(const struct arrays *arrays, const struct array *array, void **out,
                                  struct shoal_error *error)
{
    const bool is_tiled = array->flags & ARRAY_TILED;
    const size_t moved = moved_bytes(arrays, array), used = used_bytes(array);
    const struct tiles all = tiles_from(arrays, 0, arrays->tiles);
    char *raw = malloc(moved ? moved : 1), *plain = is_tiled ? malloc(used ? used : 1) : NULL;
    enum shoal_status status = raw && (plain || !is_tiled) ? SHOAL_OK : fail_host_memory(error);
    if (!status && moved)
        status =
            shoal_buffer_read(arrays->queue, pointer_of(array), moved_from(arrays, array), raw, moved, error);
    if (!status && is_tiled)
        copy_tiles(arrays, array, &all, raw, plain, true);
    *out = is_tiled ? plain : raw;
    if (is_tiled)
        free(raw);
    if (status) {
        free(*out);
        *out = NULL;
    }
    return status;
}

const struct array *arrays_find(const struct arrays *arrays, const char *name)
{
    for (size_t i = 0; i < arrays->count; i++)
        if (arrays->list[i].name && strcmp(arrays->list[i].name, name) == 0)
            return &arrays->list[i];
    return NULL;
}

enum shoal_status arrays_read(const struct arrays *arrays, const char *name, void **out,
                              struct shoal_error *error)
{
    const struct array *array = arrays_find(arrays, name);
    *out = NULL;
    return array ? read_one(arrays, array, out, error)
                 : fail(error, SHOAL_FAILED, "there is no array %s", name);
}

/* Writes plain rows to a tiled buffer. Padding elements of the last tile become 0. */
static enum shoal_status write_tiled(const struct arrays *arrays, const struct array *array, const void *data,
                                     struct shoal_error *error)
{
    const size_t bytes = moved_bytes(arrays, array);
    const struct tiles all = tiles_from(arrays, 0, arrays->tiles);
    char *tiled = calloc(1, bytes);
    if (!tiled)
        return fail_host_memory(error);
    copy_tiles(arrays, array, &all, tiled, (char *)data, false);
    enum shoal_status status =
        shoal_buffer_write(arrays->queue, pointer_of(array), moved_from(arrays, array), tiled, bytes, error);
    free(tiled);
    return status;
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

static size_t row_length(const struct arrays *arrays, size_t i)
{
    return arrays->list[i].flags & ARRAY_TILED ? arrays->items : arrays->list[i].used;
}

static size_t joined_bytes(const struct arrays *const *tables, size_t count, size_t i)
{
    size_t bytes = 0;
    for (size_t k = 0; k < count; k++)
        bytes += used_bytes(&tables[k]->list[i]);
    return bytes;
}

/* The source of one section of a checkpoint: array number i of each of `count` tables. */
struct joined {
    size_t i, count;
    const struct arrays *tables[];
};

/* Bytes of device memory that are read at a time. */
enum { PIECE = 8 << 20 };

static enum shoal_status put_plain(const struct arrays *arrays, const struct array *array, size_t place,
                                   char *piece, struct checkpoint_sink *sink, struct shoal_error *error)
{
    const size_t bytes = used_bytes(array);
    enum shoal_status status = SHOAL_OK;
    if (!arrays->queue)
        return checkpoint_put(sink, place, pointer_of(array), bytes, error);
    for (size_t at = 0; at < bytes && !status; at += PIECE) {
        const size_t size = bytes - at < PIECE ? bytes - at : PIECE;
        status = shoal_buffer_read(arrays->queue, pointer_of(array), at, piece, size, error);
        if (!status)
            status = checkpoint_put(sink, place + at, piece, size, error);
    }
    return status;
}

/* Writes a tiled array to its section of the checkpoint, in plain rows. A row of the section has `all` items,
 * the items of all joined tables; the items of `arrays` begin after the first `before` items. */
static enum shoal_status put_tiled(const struct arrays *arrays, const struct array *array, size_t before,
                                   size_t all, struct checkpoint_sink *sink, struct shoal_error *error)
{
    const size_t rows = rows_of(arrays, array), each = tile_bytes(arrays, array), element = array->element;
    const size_t most = each < PIECE ? PIECE / each : 1;
    char *tiled = malloc(most * each), *plain = malloc(rows * most * arrays->tile * element);
    enum shoal_status status = tiled && plain ? SHOAL_OK : fail_host_memory(error);
    for (size_t first = 0; first < arrays->tiles && !status; first += most) {
        const struct tiles some = tiles_from(arrays, first, most);
        status = shoal_buffer_read(arrays->queue, pointer_of(array), moved_from(arrays, array) + first * each,
                                   tiled, some.count * each, error);
        if (!status)
            copy_tiles(arrays, array, &some, tiled, plain, true);
        for (size_t row = 0; row < rows && !status; row++)
            status = checkpoint_put(sink, (row * all + before + first * arrays->tile) * element,
                                    plain + row * some.items * element, some.items * element, error);
    }
    free(tiled);
    free(plain);
    return status;
}

static enum shoal_status put_joined(const void *data, struct checkpoint_sink *sink, struct shoal_error *error)
{
    const struct joined *joined = data;
    char *piece = malloc(PIECE);
    enum shoal_status status = piece ? SHOAL_OK : fail_host_memory(error);
    size_t all = 0, before = 0;
    for (size_t k = 0; k < joined->count; k++)
        all += row_length(joined->tables[k], joined->i);
    for (size_t k = 0; k < joined->count && !status; k++) {
        const struct arrays *arrays = joined->tables[k];
        const struct array *array = &arrays->list[joined->i];
        status = array->flags & ARRAY_TILED
                     ? put_tiled(arrays, array, before, all, sink, error)
                     : put_plain(arrays, array, before * array->element, piece, sink, error);
        before += row_length(arrays, joined->i);
    }
    free(piece);
    return status;
}

enum shoal_status arrays_join(const struct arrays *const *tables, size_t count, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < tables[0]->count && !status; i++) {
        if (!is_saved(&tables[0]->list[i]))
            continue;
        struct joined *joined = malloc(sizeof *joined + count * sizeof(struct arrays *));
        if (!joined)
            return fail_host_memory(error);
        joined->i = i;
        joined->count = count;
        memcpy((void *)joined->tables, (const void *)tables, count * sizeof(struct arrays *));
        status = checkpoint_add_source(checkpoint, tables[0]->list[i].name, joined_bytes(tables, count, i),
                                       put_joined, joined, error);
    }
    return status;
}

enum shoal_status arrays_save(const struct arrays *arrays, struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    if (arrays->queue)
        return arrays_join(&arrays, 1, checkpoint, error);
    for (size_t i = 0; i < arrays->count; i++) {
        const struct array *array = &arrays->list[i];
        if (is_saved(array))
            checkpoint_add(checkpoint, array->name, pointer_of(array), used_bytes(array));
    }
    return SHOAL_OK;
}

/* Adds array i of table `index` to `share`. joined: the content of array i for all tables. The array's bytes
 * are copied only if they are not contiguous in `joined`.
 */
static enum shoal_status add_share(const struct arrays *const *tables, size_t count, size_t index, size_t i,
                                   const char *joined, struct checkpoint *share, struct shoal_error *error)
{
    const struct array *array = &tables[index]->list[i];
    const size_t bytes = used_bytes(array), length = row_length(tables[index], i) * array->element;
    size_t all = 0, before = 0;
    for (size_t k = 0; k < count; k++) {
        before += k < index ? row_length(tables[k], i) * array->element : 0;
        all += row_length(tables[k], i) * array->element;
    }
    if (bytes == length || all == length) {
        checkpoint_add(share, array->name, joined + before, bytes);
        return SHOAL_OK;
    }
    char *own = malloc(bytes);
    if (!own)
        return fail_host_memory(error);
    for (size_t row = 0; row < bytes / length; row++)
        memcpy(own + row * length, joined + row * all + before, length);
    checkpoint_add_copy(share, array->name, own, bytes);
    return SHOAL_OK;
}

enum shoal_status arrays_cut(const struct arrays *const *tables, size_t count, size_t index,
                             const struct checkpoint *whole, struct checkpoint *share,
                             struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < tables[index]->count && !status; i++) {
        const struct array *array = &tables[index]->list[i];
        const void *joined;
        if (!is_saved(array))
            continue;
        status = checkpoint_expect(whole, array->name, joined_bytes(tables, count, i), &joined, error);
        if (!status)
            status = add_share(tables, count, index, i, joined, share, error);
    }
    return status;
}

enum shoal_status arrays_load(const struct arrays *arrays, const struct checkpoint *checkpoint,
                              struct shoal_error *error)
{
    const void *data[ARRAYS_MOST] = {NULL};
    enum shoal_status status = SHOAL_OK;
    for (size_t i = 0; i < arrays->count && !status; i++)
        if (is_saved(&arrays->list[i]))
            status = checkpoint_expect(checkpoint, arrays->list[i].name, used_bytes(&arrays->list[i]),
                                       &data[i], error);
    for (size_t i = 0; i < arrays->count && !status; i++) {
        const struct array *array = &arrays->list[i];
        if (!data[i])
            continue;
        if (!arrays->queue)
            memcpy(pointer_of(array), data[i], used_bytes(array));
        else if (array->flags & ARRAY_TILED)
            status = write_tiled(arrays, array, data[i], error);
        else
            status =
                shoal_buffer_write(arrays->queue, pointer_of(array), 0, data[i], used_bytes(array), error);
    }
    return status;
}
