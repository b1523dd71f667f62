/* Meetings of the parts of a run within a step: each part copies rows from other parts. The workload tells
 * which rows a part asks for. */
#include "split/split.h"

#include "base/error.h"
#include "compute/clock.h"
#include "compute/link/gather.h"
#include "compute/link/link.h"
#include "compute/link/mark.h"

#include <shoal/queue.h>
#include <stdlib.h>

/* The link by which a part copies rows from another part. */
struct part_link {
    struct link *link; /* NULL: not created yet */
    size_t bytes;      /* most bytes that the link copies in a meeting */
};

/* Waits for copies that may still read host memory of links. */
static enum shoal_status free_links(struct part *part, struct shoal_error *error)
{
    struct shoal_event *linked = part->linked;
    part->linked = NULL;
    const enum shoal_status status = linked ? shoal_event_wait(linked, error) : SHOAL_OK;
    shoal_event_destroy(&linked);
    return status;
}

/* Creates the link from part number `k` to this part, or enlarges it, for `bytes` bytes. */
static enum shoal_status open_link(struct part *part, size_t k, size_t bytes, struct shoal_error *error)
{
    struct part_link *to_here = &part->links[k];
    if (to_here->link && link_grow(to_here->link, bytes)) {
        to_here->bytes = bytes;
        return SHOAL_OK;
    }
    enum shoal_status status = shoal_queue_finish(part->queue, error);
    if (status)
        return status;
    link_destroy(&to_here->link);
    const size_t room = link_room(to_here->bytes, bytes);
    status = link_create(part->split->parts[k].device, part->device, room, &to_here->link, error);
    to_here->bytes = status ? 0 : room;
    return status;
}

/* Creates the links from the parts that this part asks for rows. */
static enum shoal_status open_links(struct part *part, uint64_t meeting, struct shoal_error *error)
{
    struct split *split = part->split;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < split->count && !status; k++) {
        const size_t bytes = visit_bytes(&split->parts[k], visit_of(part, meeting));
        uint_fast64_t none = 0;
        if (bytes <= part->links[k].bytes || &split->parts[k] == part)
            continue;
        status = open_link(part, k, bytes, error);
        if (!status && link_is_given(part->links[k].link))
            atomic_compare_exchange_strong(&split->given_from, &none, meeting);
    }
    return status;
}

const char *part_path(const struct part *part)
{
    const struct link *slowest = NULL;
    for (size_t k = 0; part->links && k < part->split->count; k++) {
        const struct part_link *to_here = &part->links[k];
        if (to_here->bytes && (!slowest || link_path(to_here->link) > link_path(slowest)))
            slowest = to_here->link;
    }
    return slowest ? shoal_link_path_name(link_path(slowest)) : NULL;
}

void part_close_links(struct part *part)
{
    struct shoal_error ignored;
    if (part->queue && free_links(part, &ignored)) {
        /* nothing to be done: a lost device makes no copies any more */
    }
    for (size_t k = 0; part->links && k < part->split->count; k++)
        link_destroy(&part->links[k].link);
    free(part->links);
    part->links = NULL;
    free(part->pieces);
    part->pieces = NULL;
    gather_destroy(&part->gather);
    for (size_t i = 0; i < 2; i++) {
        free(part->visits[i].tables);
        free(part->visits[i].guests);
        free(part->visits[i].cuts);
        part->visits[i].tables = NULL;
        part->visits[i].guests = NULL;
        part->visits[i].cuts = NULL;
    }
}

/* Returns the buffer that holds row number `row` of a table, and sets *offset to the bytes in it that `taker`
 * copies. taker: the same table of the part that copies. */
static struct shoal_buffer *row_place(const struct solver_table *table, const struct solver_table *taker,
                                      size_t row, size_t *offset)
{
    *offset = taker->offset + (table->buffers ? 0 : row * table->row);
    return table->buffers ? table->buffers[row] : table->buffer;
}

/* Two parts in a meeting: `owner` gives rows, `taker` takes them; gives, asks: their visits. */
struct pair {
    struct part *owner, *taker;
    const struct solver_visit *gives, *asks;
    /* copies read the owner's buffers; false: the owner has already given the rows to the link (link_give),
     * and may have changed its buffers since */
    bool reads_source;
};

/* Empties the list of pieces, and makes room for those of `owners` parts. */
static enum shoal_status clear_pieces(struct part *part, const struct solver_visit *asks, size_t owners,
                                      struct shoal_error *error)
{
    const size_t count = owners * (asks->guest_count * asks->table_count + 1);
    struct link_piece *pieces = visit_grown(part->pieces, &part->piece_room, count, sizeof *part->pieces);
    part->piece_count = 0;
    part->pieces = pieces ? pieces : part->pieces;
    return pieces ? SHOAL_OK : fail_host_memory(error);
}

/* Adds the note of the owner to part->pieces. part: the owner or the taker. */
static void add_note(struct part *part, const struct pair *pair)
{
    const struct solver_visit *asks = pair->asks;
    const size_t place = pair->owner->share.number * asks->notes.row;
    struct shoal_buffer *source = pair->reads_source ? pair->gives->notes.buffer : NULL;
    if (asks->notes.row)
        part->pieces[part->piece_count++] = (struct link_piece){.source = source,
                                                                .source_offset = place,
                                                                .target = asks->notes.buffer,
                                                                .target_offset = place,
                                                                .bytes = asks->notes.row};
}

/* Adds the rows that the taker asks for, and that the owner has, to part->pieces. */
static void add_rows(struct part *part, const struct pair *pair)
{
    const struct solver_visit *asks = pair->asks;
    for (size_t i = 0; i < asks->guest_count; i++) {
        const struct visit_rows rows = visit_rows_of(pair->owner, asks, &asks->guests[i]);
        for (size_t t = 0; t < asks->table_count && rows.count; t++) {
            const struct solver_table *from = &pair->gives->tables[t], *to = &asks->tables[t];
            if (!to->row)
                continue;
            struct link_piece *piece = &part->pieces[part->piece_count++];
            *piece = (struct link_piece){.source = NULL};
            if (pair->reads_source)
                piece->source = row_place(from, to, rows.source, &piece->source_offset);
            piece->target = row_place(to, to, rows.target, &piece->target_offset);
            piece->bytes = rows.count * to->row;
        }
    }
}

/* Sets *pair. Returns false if nothing is copied from `owner` to `taker`: they are the same part, or one of
 * them has made all its steps and does not take part in the meeting. */
static bool make_pair(struct part *owner, struct part *taker, uint64_t meeting, struct pair *pair)
{
    *pair = (struct pair){owner, taker, visit_of(owner, meeting), visit_of(taker, meeting), true};
    return owner != taker && pair->gives && pair->asks;
}

/* Enqueues one half of the copies from `owner` to `taker`: link_take on the taker's side if `takes` is set,
 * otherwise link_give on the owner's side. *holds: set to true if the copies will read host memory of the
 * link. */
static enum shoal_status copy(struct part *owner, struct part *taker, uint64_t meeting, bool takes,
                              bool *holds, struct shoal_error *error)
{
    struct pair pair;
    struct part *part = takes ? taker : owner;
    if (!make_pair(owner, taker, meeting, &pair))
        return SHOAL_OK;
    struct link *link = taker->links[owner - owner->split->parts].link;
    pair.reads_source = !takes || !link || !link_is_given(link);
    enum shoal_status status = clear_pieces(part, pair.asks, 1, error);
    if (status)
        return status;
    add_note(part, &pair);
    add_rows(part, &pair);
    if (part->piece_count)
        status = takes ? link_take(link, taker->copies, part->pieces, part->piece_count, error)
                       : link_give(link, owner->queue, part->pieces, part->piece_count, error);
    *holds = *holds || (takes && part->piece_count && !link_is_free(link));
    return status;
}

/* Gives the rows of this part to the parts that do not read them directly. */
static enum shoal_status give(struct part *part, uint64_t meeting, struct shoal_error *error)
{
    struct split *split = part->split;
    bool holds = false;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < split->count && !status; k++)
        status = copy(part, &split->parts[k], meeting, false, &holds, error);
    return status;
}

static enum shoal_status take(struct part *part, uint64_t meeting, struct shoal_error *error)
{
    struct split *split = part->split;
    bool holds = false;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < split->count && !status; k++)
        status = copy(&split->parts[k], part, meeting, true, &holds, error);
    if (!holds)
        return status;
    const enum shoal_status marked = queue_mark(part->copies, &part->linked, status ? NULL : error);
    return status ? status : marked;
}

static enum shoal_status wait_for_parts(struct part *part, struct shoal_error *error)
{
    return team_meet(part) ? SHOAL_OK : fail(error, SHOAL_FAILED, "another part has failed");
}

/* Makes the commands on a queue visible to other parts, by a mark or a flush, and waits for all parts. After
 * that other parts may copy what these commands have written. */
static enum shoal_status come(struct part *part, struct shoal_queue *queue, struct shoal_error *error)
{
    const enum shoal_status status =
        part->is_direct ? part_mark(part, queue, error) : shoal_queue_flush(queue, error);
    return status ? status : wait_for_parts(part, error);
}

/* For a meeting with `beside`, creates part->beside, the queue of copies that run beside the work of
 * part->queue. For another meeting, lets part->queue wait for the copies on part->beside. */
static enum shoal_status open_beside(struct part *part, const struct solver_visit *visit,
                                     struct shoal_error *error)
{
    if (!visit->beside)
        return part_join(part, error);
    part->has_beside = part->is_direct;
    if (part->beside || !part->has_beside)
        return SHOAL_OK;
    struct shoal_queue *queue;
    const enum shoal_status status = shoal_queue_create(part->device, SHOAL_QUEUE_PROFILING, &queue, error);
    if (status)
        return status;
    queue_time_first_launches(queue, true); /* kernels are launched on this queue, too */
    part->beside = queue;
    return SHOAL_OK;
}

/* Whether the parts wait for each other by kernels that read each other's marks. They do not in the first
 * meetings of a run, in which drivers load kernels and may wait for all work of a device. */
static bool meets_by_kernels(const struct split *split, const struct solver_visit *visit, uint64_t meeting)
{
    enum { FIRST_MEETINGS = 32 };
    return split->has_gathers && !visit->beside && meeting > FIRST_MEETINGS;
}

enum shoal_status part_open_links(struct part *part, struct shoal_error *error)
{
    struct split *split = part->split;
    bool reads_all = split->count > 1 && split->count <= GATHER_MOST_DEVICES;
    part->links = calloc(split->count, sizeof *part->links);
    enum shoal_status status = part->links ? SHOAL_OK : fail_host_memory(error);
    for (size_t k = 0; k < split->count && !status; k++) {
        struct link **link = &part->links[k].link;
        if (&split->parts[k] == part)
            continue;
        if (link_may_be_direct(split->parts[k].device, part->device))
            status = link_create(split->parts[k].device, part->device, 0, link, error);
        reads_all = reads_all && *link && link_reads_by_kernels(*link);
    }
    if (status || !reads_all)
        return status;
    status = gather_create(part->device, &part->gather, error);
    return status ? status : gather_open_mark(part->gather, part->queue, error);
}

/* The copy of visit->own_note to this part's row of the notes; 0 bytes: the row is already written. */
static struct link_piece own_note(const struct part *part, const struct solver_visit *visit)
{
    return (struct link_piece){.source = visit->own_note,
                               .target = visit->notes.buffer,
                               .target_offset = part->share.number * visit->notes.row,
                               .bytes = visit->own_note ? visit->notes.row : 0};
}

static enum shoal_status copy_own_note(struct part *part, const struct solver_visit *visit,
                                       struct shoal_error *error)
{
    const struct link_piece piece = own_note(part, visit);
    return piece.bytes ? shoal_buffer_copy(part->queue, piece.source, 0, piece.target, piece.target_offset,
                                           piece.bytes, error)
                       : SHOAL_OK;
}

/* As `come`, for parts whose kernels wait for each other. later: the meeting can be put off. The two events
 * of a mark take as long as the copies of a short meeting, so only one of MARKED waits has a mark. A meeting
 * with a mark is not put off, so of meetings that can be put off one of MARKED_LATER has a mark, the same
 * ones on all parts. This bounds how many waits a thread enqueues ahead of its device, since it waits for
 * older marks. */
static enum shoal_status come_by_kernels(struct part *part, bool later, struct shoal_error *error)
{
    enum { MARKED = 7, MARKED_LATER = 31 }; /* odd, so that each of the waits of a step has a mark at times */
    part->is_marked =
        later ? team_next_meeting(part->split) % MARKED_LATER == 0 : part->unmarked + 1 >= MARKED;
    if (part->is_marked)
        return come(part, part->queue, error);
    if (later)
        part->unmarked_later++;
    else
        part->unmarked++;
    return wait_for_parts(part, error);
}

/* Begins a meeting: shows the other parts what this part asks for, and waits for them. */
static enum shoal_status begin_meeting(struct part *part, const struct solver_visit *visit, uint64_t meeting,
                                       struct shoal_error *error)
{
    enum shoal_status status = visit_keep(part, visit, meeting, error);
    if (!status)
        status = open_beside(part, visit, error);
    if (!status)
        status = free_links(part, error);
    if (!status)
        status = open_links(part, meeting, error);
    const bool by_kernels = meets_by_kernels(part->split, visit, meeting);
    if (!status && !by_kernels)
        status = copy_own_note(part, visit, error);
    part_ask(part);
    if (!status)
        status = by_kernels ? come_by_kernels(part, visit->later, error)
                            : come(part, visit->from_beside ? part->copies : part->queue, error);
    /* With `beside` or `stays`, another part may already be in the next meeting, and have set split->must_end
     * in it. */
    if (!visit->beside && !visit->stays)
        part->must_end = atomic_load(&part->split->must_end);
    return status;
}

/* Lists the kernels of the other parts that take part in the meeting. */
static void list_peers(const struct part *part, uint64_t meeting, struct gather *peers[GATHER_MOST_DEVICES],
                       struct gather_call *call)
{
    const struct split *split = part->split;
    call->peers = peers;
    for (size_t k = 0; k < split->count; k++)
        if (&split->parts[k] != part && visit_of(&split->parts[k], meeting))
            peers[call->peer_count++] = split->parts[k].gather;
}

/* Enqueues the kernel that waits for the other parts that take part in the meeting. *takes: whether this
 * kernel also copies the pieces of `call`. */
static enum shoal_status wait_by_kernel(struct part *part, uint64_t meeting, struct gather_call *call,
                                        bool *takes, struct shoal_error *error)
{
    struct gather *peers[GATHER_MOST_DEVICES];
    list_peers(part, meeting, peers, call);
    const enum shoal_status status = gather_take(part->gather, part->queue, call, takes, error);
    return status || !part->is_marked ? status : part_mark_met(part, part->queue, error);
}

/* Lists the pieces of a meeting, those of notes first. */
static enum shoal_status list_pieces(struct part *part, const struct solver_visit *visit, uint64_t meeting,
                                     struct gather_call *call, struct shoal_error *error)
{
    struct split *split = part->split;
    const struct solver_merge *merge = visit->merge;
    struct pair pair;
    const enum shoal_status status = clear_pieces(part, visit, split->count, error);
    if (status)
        return status;
    for (size_t k = 0; k < split->count; k++)
        if (make_pair(&split->parts[k], part, meeting, &pair))
            add_note(part, &pair);
    *call = (struct gather_call){.number = (uint32_t)meeting, .early = own_note(part, visit)};
    if (merge) {
        call->note_count = part->piece_count;
        call->largest = merge->largest;
        call->least = merge->least;
    }
    for (size_t k = 0; k < split->count; k++)
        if (make_pair(&split->parts[k], part, meeting, &pair))
            add_rows(part, &pair);
    call->pieces = part->pieces;
    call->count = part->piece_count;
    return SHOAL_OK;
}

/* Whether the launches of all parts can make the meeting. All parts compute the same answer. */
static bool can_put_off(const struct split *split, uint64_t meeting)
{
    bool can = true;
    for (size_t k = 0; k < split->count && can; k++) {
        const struct solver_visit *asks = visit_of(&split->parts[k], meeting);
        size_t count = 0, bytes = 0;
        for (size_t owner = 0; owner < split->count && asks; owner++)
            for (size_t i = 0; i < asks->guest_count && owner != k; i++) {
                const struct visit_rows rows = visit_rows_of(&split->parts[owner], asks, &asks->guests[i]);
                count += rows.count ? asks->table_count : 0;
                for (size_t t = 0; t < asks->table_count; t++)
                    bytes += rows.count * asks->tables[t].row;
            }
        can = gather_can_prepare(count, bytes);
    }
    return can;
}

/* Lets the next launch of the part make the meeting. */
static enum shoal_status put_off(struct part *part, const struct solver_visit *visit, uint64_t meeting,
                                 struct shoal_error *error)
{
    struct gather *peers[GATHER_MOST_DEVICES];
    struct gather_call call = {.number = (uint32_t)meeting};
    struct pair pair;
    enum shoal_status status = clear_pieces(part, visit, part->split->count, error);
    for (size_t k = 0; k < part->split->count && !status; k++)
        if (make_pair(&part->split->parts[k], part, meeting, &pair))
            add_rows(part, &pair);
    call.pieces = part->pieces;
    call.count = part->piece_count;
    list_peers(part, meeting, peers, &call);
    if (!status)
        status = gather_prepare(part->gather, &call, visit->later->kernel, visit->later->job, error);
    visit->later->is_put_off = !status;
    return status;
}

/* Takes the rows in the launch that waits for the other parts or, if there are too many, after this
 * launch. */
static enum shoal_status take_by_kernel(struct part *part, const struct solver_visit *visit, uint64_t meeting,
                                        struct shoal_error *error)
{
    struct solver_merge *merge = visit->merge;
    struct gather_call call;
    bool takes = false;
    enum shoal_status status = list_pieces(part, visit, meeting, &call, error);
    if (!status)
        status = wait_by_kernel(part, meeting, &call, &takes, error);
    if (merge)
        merge->is_done = takes && !status;
    return status || takes ? status : take(part, meeting, error);
}

static enum shoal_status meet_by_kernels(struct part *part, const struct solver_visit *visit,
                                         uint64_t meeting, struct shoal_error *error)
{
    struct gather_call call = {.number = (uint32_t)meeting + 1};
    bool takes;
    /* A mark measures how long the device waits, so its meeting is not put off. */
    if (visit->later && !part->is_marked && can_put_off(part->split, meeting))
        return put_off(part, visit, meeting, error);
    enum shoal_status status = take_by_kernel(part, visit, meeting, error);
    if (status || visit->stays)
        return status;
    status = come_by_kernels(part, false, error);
    return status ? status : wait_by_kernel(part, meeting, &call, &takes, error);
}

/* Threads wait for each other at up to three points of a meeting, only until all threads have come there.
 * First: all parts have enqueued the work that computes the rows. Second, if the bytes of any copy are given
 * (link_is_given): these bytes have been copied from the devices of the parts that give them, so the enqueued
 * work of these parts has ended. Third, if copies may be direct, and unless visit->stays: the copies are
 * enqueued. After the first and the third point the devices wait for each other's marks, so that direct
 * copies see the new rows, and rows change only after the copies. Without direct copies, rows may change
 * after the second point. A part that fails leaves its task, which ends the waits of the other parts. */
enum shoal_status part_meet(void *data, const struct solver_visit *visit, struct shoal_error *error)
{
    struct part *part = data;
    struct split *split = part->split;
    const uint64_t meeting = team_next_meeting(split);
    if (visit->merge)
        visit->merge->is_done = false;
    if (visit->later)
        visit->later->is_put_off = false;
    enum shoal_status status = begin_meeting(part, visit, meeting, error);
    const uint64_t given_from = atomic_load(&split->given_from);
    const bool gives = given_from && given_from <= meeting;
    part->copies = visit->beside && part->is_direct && !gives ? part->beside : part->queue;
    if (visit->queue)
        *visit->queue = part->copies;
    if (!status && meets_by_kernels(split, visit, meeting))
        return meet_by_kernels(part, visit, meeting, error);
    if (!status && gives) {
        status = part_join(part, error);
        if (!status)
            status = give(part, meeting, error);
        if (!status)
            status = wait_for_parts(part, error);
    }
    if (!status && part->is_direct)
        status = part_follow(part, part->copies, error);
    if (!status)
        status = take(part, meeting, error);
    if (status || !split->is_direct || visit->stays || visit->beside)
        return status;
    status = come(part, part->queue, error);
    return status || !part->is_direct ? status : part_follow(part, part->queue, error);
}

void part_release(struct part *part)
{
    struct split *split = part->split;
    for (size_t k = 0; split->has_gathers && k < split->count; k++)
        gather_stop(split->parts[k].gather);
}

void part_rest(struct part *part)
{
    struct shoal_error ignored;
    struct shoal_queue *const queues[] = {part->queue, part->beside};
    for (size_t i = 0; i < 2; i++)
        if (queues[i] && shoal_queue_finish(queues[i], &ignored)) {
            /* nothing to be done: a lost device makes no copies any more, and its next task fails */
        }
    shoal_event_destroy(&part->linked);
    part->has_beside = false;
}

enum shoal_status part_wait_again(struct part *part, struct shoal_error *error)
{
    part_rest(part);
    if (!part->gather || !gather_is_stopped(part->gather))
        return SHOAL_OK;
    return gather_set(part->gather, (uint32_t)atomic_load(&part->split->meetings), error);
}
