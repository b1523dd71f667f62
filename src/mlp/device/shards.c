#include "mlp/device/shards.h"
#include "compute/launch.h"

#include "base/error.h"
#include "base/integer.h"
#include "compute/contract.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_shards, mlp_join, .roof = SHOAL_ROOF_COPY_BYTES, .help = "sums of two neighbouring shards"),
};

static const struct shoal_define_desc defines[] = {
    DEFINE(mlp_shards, REAL, 32, 64, "bits of a real number, 32 or 64"),
    DEFINE(mlp_shards, WG, 1, 1024, "work-group size"),
};

extern const struct shoal_program_desc mlp_shards_program_desc;
const struct shoal_program_desc mlp_shards_program_desc =
    PROGRAM("mlp.shards", mlp_shards, 0, defines, entries);

/* A node of the tree of shards, and the buffer of its sums. */
struct node {
    struct shard_node tree;
    struct shoal_buffer *sums;
};

struct range {
    size_t first, count;
};

struct device_shards {
    struct shoal_kernel *join;
    /* number of shards of a batch; first shard and number of shards of this device */
    size_t shards, first, count;
    /* While this device computes its shards one after another, the sums of nodes[k] are in buffers[k]. */
    struct shoal_buffer *buffers[SHARDS_MOST_NODES];
    size_t buffer_count;
    struct node nodes[SHARDS_MOST_NODES];
    size_t node_count;
    struct range sums;  /* the part of the sums that additions take */
    struct range taken; /* in a share of a run: the part of the sums that it takes from other shares */
    /* the share has taken its part already, while it computed the sums of its last shard */
    bool has_taken;
    /* In a share of a run: the nodes of the other shares in the order of their shards. The first `before` of
     * these come before the nodes of this share. */
    struct node *guests;
    size_t guest_count, before;
    struct solver_guest *asked; /* [guest_count] */
    /* [shards], first_rows[s]: the sums of the node whose first shard is s; NULL: there is no such node */
    struct shoal_buffer **first_rows;
};

/* Create ------------------------------------------------------------------------------------------------- */

void device_shards_destroy(struct device_shards **pointer)
{
    struct device_shards *const own = *pointer;
    if (!own)
        return;
    for (size_t k = 0; k < own->buffer_count; k++)
        shoal_buffer_destroy(&own->buffers[k]);
    for (size_t k = 0; k < own->guest_count; k++)
        shoal_buffer_destroy(&own->guests[k].sums);
    free(own->guests);
    free(own->asked);
    free((void *)own->first_rows);
    free(own);
    *pointer = NULL;
}

enum shoal_status device_shards_create(struct mlp_device *device, struct shoal_error *error)
{
    struct device_shards *const own = device->shards = calloc(1, sizeof *own);
    struct shard_node ignored[SHARDS_MOST_NODES];
    size_t buffers;
    if (!own)
        return fail_host_memory(error);
    own->shards = own->count = device->base.training->shards;
    if (device->setup.solver) {
        own->first = (size_t)device->setup.solver->share.first;
        own->count = (size_t)device->setup.solver->share.count;
    }
    (void)shard_nodes(own->shards, own->first, own->count, ignored, &buffers);
    device->loss_place = div_up(device->parameter_count, MLP_SUM_SIZE);
    device->sum_count = (device->loss_place + 1) * MLP_SUM_SIZE;
    const struct defines set = {.list = {{"REAL", device->setup.is_double ? 64 : 32}}, .count = 1};
    const struct entry_kernel kernels[] = {{"mlp_join", &own->join}};
    enum shoal_status status = programs_build(device->setup.programs, &mlp_shards_program_desc, &set, kernels,
                                              COUNT(kernels), NULL, error);
    for (; own->buffer_count < buffers && !status; own->buffer_count++)
        status =
            device_zeros(device, device->sum_count, device->bytes, &own->buffers[own->buffer_count], error);
    return status;
}

/* Sums --------------------------------------------------------------------------------------------------- */

/* Additions that become possible with a new node, in their order: right[k] is added to left[k]. */
struct joins {
    struct shoal_buffer *left[SHARDS_MOST_LEVELS], *right[SHARDS_MOST_LEVELS];
    size_t count;
};

/* Appends a node to own->nodes. As long as the last two nodes are halves of a larger node, they become that
 * node, and *joins receives the addition, which writes the sums of the larger node over those of the left
 * half. */
static void push_node(struct device_shards *own, struct node node, struct joins *joins)
{
    joins->count = 0;
    own->nodes[own->node_count++] = node;
    while (own->node_count > 1) {
        struct node *const right = &own->nodes[own->node_count - 1], *const left = right - 1;
        if (!shard_are_halves(&left->tree, &right->tree, own->shards))
            break;
        joins->left[joins->count] = left->sums;
        joins->right[joins->count++] = right->sums;
        left->tree.span *= 2;
        own->node_count--;
    }
}

/* Makes the additions for a range of the sums. With few parameters, the range of a share may be empty. */
static enum shoal_status join(struct mlp_device *device, const struct joins *joins, struct range range,
                              struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < joins->count && range.count && !status; k++)
        status = LAUNCH(mlp_join, device->setup.queue, own->join, shoal_kernel_groups(own->join, range.count),
                        error, .left = joins->left[k], .right = joins->right[k],
                        .first = (uint32_t)range.first, .count = (uint32_t)range.count);
    return status;
}

static enum shoal_status add_node(struct mlp_device *device, struct node node, struct shoal_error *error)
{
    struct joins joins;
    push_node(device->shards, node, &joins);
    return join(device, &joins, device->shards->sums, error);
}

/* Makes a pass over the rows of a shard. *step receives the step of the shard. */
static enum shoal_status pass_shard(struct mlp_device *device, const struct rows_part *epoch, size_t at,
                                    const struct mlp_step *batch, size_t shard, struct mlp_step *step,
                                    struct shoal_error *error)
{
    const size_t shards = device->shards->shards;
    const size_t begin = shard_begin(batch->count, shards, shard),
                 end = shard_begin(batch->count, shards, shard + 1);
    *step = *batch;
    step->count = (unsigned)(end - begin);
    step->update = shard_draw(device->base.state.update, shards, shard);
    return begin == end ? SHOAL_OK
                        : device_run_pass(device, device->parameters, epoch, at + begin, step, error);
}

/* Computes the sums of some layers over the rows of the last pass. *range receives the range of the sums that
 * these layers complete. */
static enum shoal_status sum_layers(struct mlp_device *device, const struct mlp_step *step,
                                    const struct layer_range *layers, struct shoal_buffer *sums,
                                    struct range *range, struct shoal_error *error)
{
    const struct device_form *const form = device->form;
    range->first = layers->first ? form->sum_end(device, layers->first) : 0;
    range->count = form->sum_end(device, layers->end) - range->first;
    if (step->count)
        return form->sum(device, step, layers, sums, error);
    return range->count ? shoal_buffer_fill(device->setup.queue, sums, range->first * device->bytes,
                                            range->count * device->bytes, 0, error)
                        : SHOAL_OK;
}

/* Computes the sums of one shard of the batch, and adds them to those of the earlier shards. */
static enum shoal_status sum_shard(struct mlp_device *device, const struct rows_part *epoch, size_t at,
                                   const struct mlp_step *batch, struct node node, struct shoal_error *error)
{
    const struct layer_range all = {0, device->base.net->layer_count};
    struct mlp_step step;
    struct range range;
    enum shoal_status status = pass_shard(device, epoch, at, batch, node.tree.first, &step, error);
    if (!status)
        status = sum_layers(device, &step, &all, node.sums, &range, error);
    return status ? status : add_node(device, node, error);
}

/* Exchange ----------------------------------------------------------------------------------------------- */

/* Lists the nodes of the shares other than this one. */
static size_t list_guests(const struct device_shards *own, const struct solver_shares *shares,
                          struct node *guests, size_t *before)
{
    size_t count = 0, ignored;
    *before = 0;
    for (size_t k = 0; k < shares->count; k++) {
        const struct solver_share *share = &shares->solvers[k]->share;
        struct shard_node nodes[SHARDS_MOST_NODES];
        if (share->first == own->first)
            continue;
        const size_t theirs =
            shard_nodes(own->shards, (size_t)share->first, (size_t)share->count, nodes, &ignored);
        for (size_t i = 0; i < theirs; i++)
            guests[count++].tree = nodes[i];
        *before = share->first < own->first ? count : *before;
    }
    return count;
}

/* Creates the memory for the nodes of other shares. Called at the first exchange, when the other shares
 * exist. */
static enum shoal_status open_exchange(struct mlp_device *device, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    enum shoal_status status = SHOAL_OK;
    own->guests = calloc(own->shards, sizeof *own->guests);
    own->asked = calloc(own->shards, sizeof *own->asked);
    own->first_rows = calloc(own->shards, sizeof *own->first_rows);
    if (!own->guests || !own->asked || !own->first_rows)
        return fail_host_memory(error);
    own->guest_count = list_guests(own, device->setup.solver->share.whole->shares, own->guests, &own->before);
    for (size_t k = 0; k < own->guest_count && !status; k++) {
        struct node *const guest = &own->guests[k];
        own->asked[k] = (struct solver_guest){.unit = guest->tree.first, .count = 1};
        status = device_zeros(device, device->sum_count, device->bytes, &guest->sums, error);
        own->first_rows[guest->tree.first] = guest->sums;
    }
    return status;
}

static enum shoal_status add_nodes(struct mlp_device *device, const struct node *nodes, size_t count,
                                   struct shoal_error *error)
{
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < count && !status; k++)
        status = add_node(device, nodes[k], error);
    return status;
}

/* Lets other shares read the sums of this share's nodes. */
static void show_nodes(struct device_shards *own)
{
    for (size_t k = 0; k < own->node_count; k++)
        own->first_rows[own->nodes[k].tree.first] = own->nodes[k].sums;
}

/* Copies the sums of other shares' nodes: the part of `range` that is also in own->taken. beside: the copies
 * run while the device computes further sums. */
static enum shoal_status take_nodes(struct mlp_device *device, struct range range, bool beside,
                                    struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const struct shoal_solver *const solver = device->setup.solver;
    const size_t begin = range.first > own->taken.first ? range.first : own->taken.first,
                 end = range.first + range.count, own_end = own->taken.first + own->taken.count,
                 last = end < own_end ? end : own_end;
    const struct solver_table table = {.row = last > begin ? (last - begin) * device->bytes : 0,
                                       .buffers = own->first_rows,
                                       .offset = last > begin ? begin * device->bytes : 0};
    const struct solver_visit visit = {.tables = &table,
                                       .table_count = 1,
                                       .guests = own->asked,
                                       .guest_count = own->guest_count,
                                       .rows = own->shards,
                                       .beside = beside};
    return solver->meet(solver->meet_data, &visit, error);
}

/* Adds the sums of the nodes of all shares. */
static enum shoal_status add_all(struct mlp_device *device, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    struct node nodes[SHARDS_MOST_NODES];
    const size_t count = own->node_count;
    memcpy(nodes, own->nodes, sizeof nodes);
    own->node_count = 0;
    enum shoal_status status = add_nodes(device, own->guests, own->before, error);
    if (!status)
        status = add_nodes(device, nodes, count, error);
    if (!status)
        status = add_nodes(device, own->guests + own->before, own->guest_count - own->before, error);
    return status;
}

/* A meeting for fewer numbers than this takes more time than it saves. */
enum { LEAST_PIECE = 1 << 20 };

/* Returns the layers from `first` on whose sums are exchanged in one meeting. */
static struct layer_range next_piece(const struct mlp_device *device, uint32_t first)
{
    const struct device_form *const form = device->form;
    const uint32_t layers = device->base.net->layer_count;
    const size_t begin = first ? form->sum_end(device, first) : 0;
    struct layer_range piece = {first, first + 1};
    while (piece.end < layers && (form->sum_end(device, piece.end) - begin < LEAST_PIECE ||
                                  device->sum_count - form->sum_end(device, piece.end) < LEAST_PIECE))
        piece.end++;
    return piece;
}

/* Whether `piece` is only some of the layers. A small net has one piece, which the last meeting exchanges. */
static bool range_is_part(const struct mlp_device *device, const struct layer_range *piece)
{
    return piece->first > 0 || piece->end < device->base.net->layer_count;
}

/* Computes the sums of the last shard of this device, piece after piece: while the sums of one piece of
 * layers are computed, the sums of the pieces before are exchanged. */
static enum shoal_status sum_and_take(struct mlp_device *device, const struct rows_part *epoch, size_t at,
                                      const struct mlp_step *batch, struct node node,
                                      struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    struct layer_range piece = {0, 0};
    struct mlp_step step;
    struct joins joins;
    struct range range;
    enum shoal_status status = pass_shard(device, epoch, at, batch, node.tree.first, &step, error);
    push_node(own, node, &joins);
    show_nodes(own);
    while (!status && piece.end < device->base.net->layer_count) {
        piece = next_piece(device, piece.end);
        own->has_taken = range_is_part(device, &piece);
        status = sum_layers(device, &step, &piece, node.sums, &range, error);
        if (!status)
            status = join(device, &joins, range, error);
        if (!status && own->has_taken)
            status = take_nodes(device, range, true, error);
    }
    return status;
}

/* Copies the complete sums of the ranges that other shares have added. */
static enum shoal_status take_ranges(struct mlp_device *device, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const struct shoal_solver *const solver = device->setup.solver;
    const struct solver_table table = {.buffer = own->nodes[0].sums, .row = device->bytes};
    const struct solver_guest all = {.unit = 0, .count = own->shards};
    const struct solver_visit visit = {
        .tables = &table, .table_count = 1, .guests = &all, .guest_count = 1, .rows = device->sum_count};
    return solver->meet(solver->meet_data, &visit, error);
}

/* Sets own->taken. Each of two shares takes all sums of the other. If there are more, each share takes and
 * adds one range of all sums, and then copies the added ranges of the others: a share receives less than
 * twice the sums, however many shares there are. */
static enum shoal_status open_ranges(struct mlp_device *device, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const struct solver_share *const share = &device->setup.solver->share;
    if (share->whole->shares->count > 2) {
        const size_t first = (size_t)share_rows(share, device->sum_count, share->first),
                     end = (size_t)share_rows(share, device->sum_count, share->first + share->count);
        own->taken = (struct range){first, end - first};
    } else {
        own->taken = (struct range){0, device->sum_count};
    }
    return own->guests ? SHOAL_OK : open_exchange(device, error);
}

/* Exchanges sums with the other shares, and adds them. If sums were already taken piece by piece, the last
 * meeting takes nothing; after it, the copies of the earlier meetings are done on all devices. */
static enum shoal_status exchange(struct mlp_device *device, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const struct range rest = {0, own->has_taken ? 0 : device->sum_count};
    enum shoal_status status = take_nodes(device, rest, false, error);
    own->sums = own->taken;
    if (!status)
        status = add_all(device, error);
    const bool have_ranges = device->setup.solver->share.whole->shares->count > 2;
    return status || !have_ranges ? status : take_ranges(device, error);
}

enum shoal_status device_shards_sum(struct mlp_device *device, const struct rows_part *epoch, size_t at,
                                    const struct mlp_step *step, struct shoal_buffer **sums,
                                    struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const bool shares = device->setup.solver != NULL;
    const size_t end = own->first + own->count;
    enum shoal_status status = shares ? open_ranges(device, error) : SHOAL_OK;
    own->node_count = 0;
    own->sums = (struct range){0, device->sum_count};
    for (size_t shard = own->first; shard < end && !status; shard++) {
        const struct node node = {{shard, 1}, own->buffers[own->node_count]};
        status =
            (shares && shard + 1 == end ? sum_and_take : sum_shard)(device, epoch, at, step, node, error);
    }
    if (!status && shares)
        status = exchange(device, error);
    *sums = own->nodes[0].sums;
    return status;
}
