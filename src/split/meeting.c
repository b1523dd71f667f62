/* Meetings of the parts within a step, at which each part copies rows of other parts. The workload says which
 * rows a part may ask for. */
#include "split/split.h"

#include "base/error.h"
#include "compute/link/link.h"

#include <shoal/queue.h>
#include <stdlib.h>

/* Copies from another part to the part that has this link. */
struct part_link {
    struct link *link; /* NULL: nothing was asked for yet */
    size_t bytes;      /* most bytes of one meeting */
};

/* Rows that a part copies from the tables of another part to its own tables. */
struct rows {
    size_t source, target, count;
};

/* The rows of a guest of `taker` that `owner` has. */
static struct rows rows_of(const struct part *owner, const struct part *taker,
                           const struct solver_guest *guest)
{
    const struct solver_share *share = &owner->share;
    const uint64_t rows = taker->visit->rows;
    const uint64_t first = share->first > guest->unit ? share->first : guest->unit;
    const uint64_t own_end = share->first + share->count, end = guest->unit + guest->count;
    const uint64_t last = own_end < end ? own_end : end;
    if (last <= first)
        return (struct rows){0};
    if (!rows)
        return (struct rows){.source = (size_t)(first - share->first),
                             .target = guest->row + (size_t)(first - guest->unit),
                             .count = (size_t)(last - first)};
    const size_t place = (size_t)share_rows(share, rows, first);
    return (struct rows){place, place, (size_t)share_rows(share, rows, last) - place};
}

/* Bytes that `part` asks `owner` for. */
static size_t count_bytes(const struct part *part, const struct part *owner)
{
    size_t row = 0, rows = 0;
    for (size_t t = 0; t < part->visit->table_count; t++)
        row += part->visit->tables[t].row;
    for (size_t i = 0; i < part->visit->guest_count; i++)
        rows += rows_of(owner, part, &part->visit->guests[i]).count;
    return row * rows;
}

/* Opens the links to the parts that this part asks for rows. */
static enum shoal_status open_links(struct part *part, struct shoal_error *error)
{
    struct split *split = part->split;
    enum shoal_status status = SHOAL_OK;
    if (!part->links)
        part->links = calloc(split->count, sizeof *part->links);
    if (!part->links)
        return fail_host_memory(error);
    for (size_t k = 0; k < split->count && !status; k++) {
        struct part_link *to_here = &part->links[k];
        const size_t bytes = count_bytes(part, &split->parts[k]);
        if (bytes <= to_here->bytes)
            continue;
        link_destroy(&to_here->link);
        status = link_create(split->parts[k].device, part->device, bytes, &to_here->link, error);
        to_here->bytes = status ? 0 : bytes;
    }
    return status;
}

void part_close_links(struct part *part)
{
    for (size_t k = 0; part->links && k < part->split->count; k++)
        link_destroy(&part->links[k].link);
    free(part->links);
    part->links = NULL;
}

/* Where what `taker` copies of a row of a table lies in the same table of this or another share. */
static struct shoal_buffer *row_place(const struct solver_table *table, const struct solver_table *taker,
                                      size_t row, size_t *offset)
{
    *offset = table->buffers ? taker->offset : row * table->row;
    return table->buffers ? table->buffers[row] : table->buffer;
}

/* Lists what `taker` asks `owner` for; both have come to the meeting. The caller frees the pieces. */
static enum shoal_status list_pieces(const struct part *owner, const struct part *taker,
                                     struct link_piece **pieces, size_t *count, struct shoal_error *error)
{
    const struct solver_visit *visit = taker->visit;
    *count = 0;
    *pieces = malloc((visit->guest_count * visit->table_count + 1) * sizeof **pieces);
    if (!*pieces)
        return fail_host_memory(error);
    for (size_t i = 0; i < visit->guest_count; i++) {
        const struct rows rows = rows_of(owner, taker, &visit->guests[i]);
        for (size_t t = 0; t < visit->table_count && rows.count; t++) {
            const struct solver_table *from = &owner->visit->tables[t], *to = &visit->tables[t];
            struct link_piece *piece = &(*pieces)[(*count)++];
            piece->source = row_place(from, to, rows.source, &piece->source_offset);
            piece->target = row_place(to, to, rows.target, &piece->target_offset);
            piece->bytes = rows.count * to->row;
        }
    }
    return SHOAL_OK;
}

/* Makes the owner's or the taker's half of the copies between two parts. A part that has already made all its
 * steps does not come to the meeting, and gives no rows. */
static enum shoal_status copy(struct part *owner, struct part *taker, bool takes, struct shoal_error *error)
{
    struct link_piece *pieces;
    size_t count;
    if (owner == taker || !owner->visit || !taker->visit)
        return SHOAL_OK;
    struct link *link = taker->links[owner - owner->split->parts].link;
    enum shoal_status status = list_pieces(owner, taker, &pieces, &count, error);
    if (!status && count)
        status = takes ? link_take(link, taker->queue, pieces, count, error)
                       : link_give(link, owner->queue, pieces, count, error);
    free(pieces);
    return status;
}

/* All parts come to the three waits of a meeting, also after a failure: until the last wait, other parts read
 * what this part asks for and copy its rows. */
enum shoal_status part_meet(void *data, const struct solver_visit *visit, struct shoal_error *error)
{
    struct part *part = data;
    struct split *split = part->split;
    part->visit = visit;
    enum shoal_status status = open_links(part, error);
    part_ask(part);
    if (!status && !team_meet(part))
        status = fail(error, SHOAL_FAILED, "another part has failed");
    part->must_end = atomic_load(&split->must_end);
    if (status) {
        part->visit = NULL;
        return status;
    }
    for (size_t k = 0; k < split->count && !status; k++)
        status = copy(part, &split->parts[k], false, error);
    (void)team_meet(part);
    for (size_t k = 0; k < split->count && !status; k++)
        status = copy(&split->parts[k], part, true, error);
    const enum shoal_status ended = shoal_queue_finish(part->queue, status ? NULL : error);
    (void)team_meet(part);
    part->visit = NULL;
    return status ? status : ended;
}
