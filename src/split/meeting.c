/* Meetings of the parts within a step, at which each part reads rows of other parts. The workload says which
 * rows a part may ask for; rows are copied through the memory of the host. */
#include "split/split.h"

#include "base/error.h"

#include <shoal/queue.h>
#include <stdlib.h>

/* A run of guests that follow each other both in the rows of the part that has them and in the rows of the
 * part that asks for them. */
struct piece {
    struct part *owner;
    size_t first, count; /* among the guests of the visit */
};

static bool has(const struct part *part, uint64_t unit)
{
    return unit >= part->share.first && unit - part->share.first < part->share.count;
}

static struct piece next_piece(const struct split *split, const struct solver_visit *visit, size_t first)
{
    const struct solver_guest *guest = &visit->guests[first];
    struct piece piece = {split->parts, first, 1};
    while (!has(piece.owner, guest->unit))
        piece.owner++;
    while (first + piece.count < visit->guest_count && guest[piece.count].unit == guest->unit + piece.count &&
           guest[piece.count].row == guest->row + piece.count && has(piece.owner, guest[piece.count].unit))
        piece.count++;
    return piece;
}

/* Bytes of the rows of all guests in the first `tables` tables. */
static size_t bytes_of(const struct solver_visit *visit, size_t tables)
{
    size_t row = 0;
    for (size_t t = 0; t < tables; t++)
        row += visit->tables[t].row;
    return row * visit->guest_count;
}

static char *place_of(const struct part *taker, size_t table, size_t guest)
{
    return taker->guests + bytes_of(taker->visit, table) + guest * taker->visit->tables[table].row;
}

/* Reads the rows that `taker` asks this part for. */
static enum shoal_status give(struct part *part, const struct part *taker, struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    struct piece piece;
    for (size_t i = 0; i < taker->visit->guest_count && !status; i += piece.count) {
        piece = next_piece(part->split, taker->visit, i);
        const size_t from = (size_t)(taker->visit->guests[i].unit - part->share.first);
        for (size_t t = 0; t < part->visit->table_count && piece.owner == part && !status; t++) {
            const struct solver_table *table = &part->visit->tables[t];
            status = shoal_buffer_read(part->queue, table->buffer, from * table->row, place_of(taker, t, i),
                                       piece.count * table->row, error);
        }
    }
    return status;
}

/* Writes the rows that other parts have given to this part. A part that has already made all its steps has
 * given no rows. */
static enum shoal_status take(struct part *part, struct shoal_error *error)
{
    const struct solver_visit *visit = part->visit;
    enum shoal_status status = SHOAL_OK;
    struct piece piece;
    for (size_t i = 0; i < visit->guest_count && !status; i += piece.count) {
        piece = next_piece(part->split, visit, i);
        for (size_t t = 0; t < visit->table_count && piece.owner->attends && !status; t++) {
            const struct solver_table *table = &visit->tables[t];
            status = shoal_buffer_write(part->queue, table->buffer, visit->guests[i].row * table->row,
                                        place_of(part, t, i), piece.count * table->row, error);
        }
    }
    return status;
}

static enum shoal_status make_room(struct part *part, size_t bytes, struct shoal_error *error)
{
    if (bytes <= part->guest_bytes)
        return SHOAL_OK;
    free(part->guests);
    part->guests = malloc(bytes);
    part->guest_bytes = part->guests ? bytes : 0;
    return part->guests ? SHOAL_OK : fail_host_memory(error);
}

enum shoal_status part_meet(void *data, const struct solver_visit *visit, struct shoal_error *error)
{
    struct part *part = data;
    struct split *split = part->split;
    enum shoal_status status = make_room(part, bytes_of(visit, visit->table_count), error);
    if (status)
        return status;
    part->visit = visit;
    part->attends = true;
    if (!team_meet(part))
        return fail(error, SHOAL_FAILED, "another part has failed");
    for (size_t k = 0; k < split->count && !status; k++)
        if (&split->parts[k] != part && split->parts[k].attends)
            status = give(part, &split->parts[k], error);
    /* This second meeting takes place after a failure, too: until all parts have given their rows, other
     * parts read what this part asks for. */
    (void)team_meet(part);
    return status ? status : take(part, error);
}
