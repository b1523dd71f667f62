#include "mlp/device/shards.h"
#include "compute/launch.h"

#include "base/error.h"
#include "base/integer.h"
#include "compute/contract.h"
#include "workload/workload.h"

#include <stdlib.h>
#include <string.h>

static const struct shoal_entry_desc entries[] = {
    ENTRY(mlp_shards, mlp_join, .roof = SHOAL_ROOF_COPY_BYTES, .help = "sums of neighbouring shards"),
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

struct device_shards {
    struct shoal_kernel *join;
    /* shards: number of shards of a batch; first, count: first shard and number of shards that this device
     * computes */
    size_t shards, first, count;
    /* While this device computes its shards one after another, the sums of nodes[k] are in buffers[k]. */
    struct shoal_buffer *buffers[SHARDS_MOST_NODES];
    size_t buffer_count;
    struct node nodes[SHARDS_MOST_NODES];
    size_t node_count;
    /* In a share of a run: `guests` are the nodes of the other shares, in the order of the shards; `before`
     * is the number of guests that come before the nodes of this share. */
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
    device->loss_place = div_up(rounded_up(device->parameter_count, device->update_unit), MLP_SUM_SIZE);
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

/* A list of additions, which are made in order: the sums of right[k] are added to the sums of left[k]. A
 * launch makes up to AT_ONCE additions. */
enum { AT_ONCE = 3, MOST_JOINS = AT_ONCE + SHARDS_MOST_LEVELS };
struct joins {
    struct shoal_buffer *left[MOST_JOINS], *right[MOST_JOINS];
    size_t count;
};

/* Appends a node to own->nodes. As long as the last two nodes are halves of a larger node, the larger node
 * replaces them, and the addition of the right half to the left half is appended to `joins`. After this
 * addition the buffer of the left half has the sums of the larger node. */
static void push_node(struct device_shards *own, struct node node, struct joins *joins)
{
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

/* Makes the additions of `joins` for the sums in `part`. If `part` is empty, as it may be in a share of a
 * small net, there is nothing to add. */
static enum shoal_status make_joins(struct mlp_device *device, const struct joins *joins,
                                    const struct update_part *part, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const size_t count = part->end - part->first, more = part->has_losses ? MLP_SUM_SIZE : 0;
    enum shoal_status status = SHOAL_OK;
    for (size_t k = 0; k < joins->count && count + more && !status; k += AT_ONCE) {
        const size_t now = joins->count - k < AT_ONCE ? joins->count - k : AT_ONCE;
        struct shoal_buffer *const *const left = joins->left + k, *const *const right = joins->right + k;
        status = LAUNCH(mlp_join, part->queue, own->join, shoal_kernel_groups(own->join, count + more), error,
                        .left0 = left[0], .right0 = right[0], .left1 = now > 1 ? left[1] : NULL,
                        .right1 = now > 1 ? right[1] : NULL, .left2 = now > 2 ? left[2] : NULL,
                        .right2 = now > 2 ? right[2] : NULL, .joins = (uint32_t)now,
                        .first = (uint32_t)part->first, .count = (uint32_t)count,
                        .second = (uint32_t)(device->loss_place * MLP_SUM_SIZE), .more = (uint32_t)more);
    }
    return status;
}

/* Returns the part that has all parameters and the losses, on the queue of the device. */
static struct update_part whole_part(const struct mlp_device *device)
{
    return (struct update_part){
        .end = device->parameter_count, .has_losses = true, .queue = device->setup.queue};
}

enum shoal_status device_shards_wait(struct mlp_device *device, uint32_t layer, struct shoal_error *error)
{
    const struct shoal_solver *const solver = device->setup.solver;
    const uint32_t layers = device->base.net->layer_count;
    if (layer < device->late || device->late == layers)
        return SHOAL_OK;
    device->late = layers;
    return solver->join(solver->meet_data, error);
}

/* Makes a pass over the rows of a shard of the batch that begins at row `at` of the epoch. *step receives the
 * step of the shard. */
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
    return begin == end ? device_shards_wait(device, device->base.net->layer_count, error)
                        : device_run_pass(device, device->parameters, epoch, at + begin, step, error);
}

/* Returns the part of the sums that is complete when `layers` are computed, without the sums that are
 * complete before. */
static struct update_part part_of(const struct mlp_device *device, const struct layer_range *layers)
{
    const struct device_form *const form = device->form;
    struct update_part part = whole_part(device);
    part.first = layers->first ? form->sum_end(device, layers->first) : 0;
    part.has_losses = layers->end == device->base.net->layer_count;
    part.end = part.has_losses ? part.end : form->sum_end(device, layers->end);
    return part;
}

/* Computes the sums of `layers` over the rows of the last pass. For a shard without rows, sets the sums to
 * 0. */
static enum shoal_status sum_layers(struct mlp_device *device, const struct mlp_step *step,
                                    const struct layer_range *layers, struct shoal_buffer *sums,
                                    struct shoal_error *error)
{
    const struct update_part part = part_of(device, layers);
    const size_t end = part.has_losses ? device->sum_count : part.end;
    if (step->count)
        return device->form->sum(device, step, layers, sums, error);
    return end > part.first ? shoal_buffer_fill(device->setup.queue, sums, part.first * device->bytes,
                                                (end - part.first) * device->bytes, 0, error)
                            : SHOAL_OK;
}

/* Computes the sums of one shard of the batch, and adds them to the sums of earlier shards if the tree joins
 * their nodes. */
static enum shoal_status sum_shard(struct mlp_device *device, const struct rows_part *epoch, size_t at,
                                   const struct mlp_step *batch, struct node node, struct shoal_error *error)
{
    const struct layer_range all = {0, device->base.net->layer_count};
    const struct update_part whole = whole_part(device);
    struct joins joins = {.count = 0};
    struct mlp_step step;
    enum shoal_status status = pass_shard(device, epoch, at, batch, node.tree.first, &step, error);
    if (!status)
        status = sum_layers(device, &step, &all, node.sums, error);
    push_node(device->shards, node, &joins);
    return status ? status : make_joins(device, &joins, &whole, error);
}

/* Exchange ----------------------------------------------------------------------------------------------- */

/* Lists in `guests` the nodes of all other shares, and returns their number. *before: number of guests that
 * belong to shares before this share. */
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

/* Enters the sums of this share's nodes into own->first_rows, where the other shares read them. */
static void show_nodes(struct device_shards *own)
{
    for (size_t k = 0; k < own->node_count; k++)
        own->first_rows[own->nodes[k].tree.first] = own->nodes[k].sums;
}

/* Whether each share updates a part of the parameters, and shares then exchange parameters. If not, shares
 * exchange sums, and each share updates all parameters: because the update needs a norm over the whole
 * gradient, or because rows have weights, and a part of the sums does not include the weight of the batch. */
static bool updates_parts(const struct mlp_device *device)
{
    return !device_needs_norm(device) && !device->setup.prepared->weights;
}

/* Number of units of parameters in a part. */
static size_t count_units(const struct mlp_device *device, const struct update_part *part)
{
    return div_up(part->end - part->first, device->update_unit);
}

/* Returns the part of the sums that this share takes from the other shares and adds. */
static struct update_part own_part(const struct mlp_device *device, const struct update_part *part)
{
    const struct solver_share *const share = &device->setup.solver->share;
    const size_t units = count_units(device, part), unit = device->update_unit;
    const size_t first = part->first + (size_t)share_rows(share, units, share->first) * unit,
                 end = part->first + (size_t)share_rows(share, units, share->first + share->count) * unit;
    struct update_part own = *part;
    own.first = first < part->end ? first : part->end;
    own.end = end < part->end ? end : part->end;
    return own;
}

/* Copies the sums in `part` of the nodes of other shares into own->guests; part->queue receives the queue of
 * the copies. beside: the copies run while further sums are computed. */
static enum shoal_status take_nodes(struct mlp_device *device, struct update_part *part, bool beside,
                                    struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const struct shoal_solver *const solver = device->setup.solver;
    const size_t loss = MLP_SUM_SIZE * device->bytes;
    const struct solver_table tables[] = {{.row = (part->end - part->first) * device->bytes,
                                           .buffers = own->first_rows,
                                           .offset = part->first * device->bytes},
                                          {.row = part->has_losses ? loss : 0,
                                           .buffers = own->first_rows,
                                           .offset = device->loss_place * loss}};
    const struct solver_visit visit = {.tables = tables,
                                       .table_count = COUNT(tables),
                                       .guests = own->asked,
                                       .guest_count = own->guest_count,
                                       .rows = own->shards,
                                       .beside = beside,
                                       .stays = true,
                                       .queue = &part->queue};
    return solver->meet(solver->meet_data, &visit, error);
}

/* Copies the elements of `buffer` in `part` that other shares have computed: parameters, sums, or a state of
 * the optimiser. from_beside: the copies run on the queue of the last call of take_nodes with `beside`. */
static enum shoal_status take_parts(struct mlp_device *device, struct shoal_buffer *buffer,
                                    const struct update_part *part, bool from_beside,
                                    struct shoal_error *error)
{
    const struct shoal_solver *const solver = device->setup.solver;
    const struct solver_table table = {
        .buffer = buffer, .row = device->update_unit * device->bytes, .offset = part->first * device->bytes};
    const struct solver_guest all = {.unit = 0, .count = device->shards->shards};
    const struct solver_visit visit = {.tables = &table,
                                       .table_count = 1,
                                       .guests = &all,
                                       .guest_count = 1,
                                       .rows = count_units(device, part),
                                       .beside = from_beside,
                                       .from_beside = from_beside};
    return solver->meet(solver->meet_data, &visit, error);
}

/* Adds the sums in `part` of the nodes of all shares. *sums receives the buffer with the total. own->nodes
 * stays as it is. */
static enum shoal_status add_all(struct mlp_device *device, const struct update_part *part,
                                 struct shoal_buffer **sums, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    struct node nodes[SHARDS_MOST_NODES];
    struct joins joins = {.count = 0};
    const size_t count = own->node_count;
    enum shoal_status status = SHOAL_OK;
    memcpy(nodes, own->nodes, sizeof nodes);
    own->node_count = 0;
    for (size_t k = 0; k < own->guest_count + count && !status; k++) {
        const bool is_own = k >= own->before && k < own->before + count;
        push_node(own, is_own ? nodes[k - own->before] : own->guests[k < own->before ? k : k - count],
                  &joins);
        if (joins.count < AT_ONCE)
            continue;
        status = make_joins(device, &joins, part, error);
        joins.count = 0;
    }
    *sums = own->nodes[0].sums;
    memcpy(own->nodes, nodes, sizeof nodes);
    own->node_count = count;
    return status ? status : make_joins(device, &joins, part, error);
}

/* Exchanges a part of the sums: each share takes and adds the sums of some parameters, updates these
 * parameters, and then takes the other parameters from the other shares. If each share has one node, each
 * receives less than twice the bytes of the sums, however many shares there are. beside: the exchange runs
 * beside what this share enqueues next. part->queue receives the queue of the exchange. */
static enum shoal_status exchange(struct mlp_device *device, const struct mlp_step *batch,
                                  struct update_part *part, bool beside, struct shoal_buffer **sums,
                                  struct shoal_error *error)
{
    struct update_part own = own_part(device, part);
    const bool parts = updates_parts(device);
    enum shoal_status status = take_nodes(device, &own, beside, error);
    part->queue = own.queue;
    /* Other shares may still copy the losses, which all shares take. */
    own.has_losses = false;
    if (!status)
        status = add_all(device, &own, sums, error);
    if (!status && parts)
        status = device->form->apply(device, batch, *sums, &own, error);
    return status ? status : take_parts(device, parts ? device->parameters : *sums, part, beside, error);
}

/* Least number of sums in an exchange: exchanges of fewer sums take more time than they save. */
enum { LEAST_PIECE = 1 << 20 };

/* Returns the layers from `first` on whose sums are exchanged together. */
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

/* Returns the first layer that has parameters in `part`. first: the first layer whose sums are in `part`. */
static uint32_t first_layer_of(const struct mlp_device *device, const struct update_part *part,
                               uint32_t first)
{
    while (first > 0 && part->first < device->layers[first].weights)
        first--;
    return first;
}

/* Exchanges the sums of the last piece of layers, and sets device->late if the pass of the next update can
 * begin before the exchange ends. No share then waits for the whole exchange of the others. It need not: a
 * share changes sums and parameters of this piece again only in its next update, after it has waited for its
 * own exchange, whose last copies the other shares give only after they have taken and added all sums. */
static enum shoal_status exchange_last(struct mlp_device *device, const struct mlp_step *batch,
                                       const struct layer_range *piece, struct update_part *part,
                                       struct shoal_buffer **sums, struct shoal_error *error)
{
    const struct shoal_solver *const solver = device->setup.solver;
    const uint32_t late = first_layer_of(device, part, piece->first);
    if (!late || !device->may_be_late || !device->form->waits_for_layers || !updates_parts(device))
        return exchange(device, batch, part, false, sums, error);
    /* The first layers of the next pass need the parameters of the earlier pieces. */
    enum shoal_status status = solver->join(solver->meet_data, error);
    if (!status)
        status = exchange(device, batch, part, true, sums, error);
    if (!status)
        device->late = late;
    return status;
}

/* Computes the sums of the last shard of this device, some layers at a time, exchanges the sums of these
 * layers with the other shares, and makes the update. The exchange of a piece of layers runs while the sums
 * of the next piece are computed. */
static enum shoal_status sum_and_update(struct mlp_device *device, const struct rows_part *epoch, size_t at,
                                        const struct mlp_step *batch, struct node node,
                                        struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const bool parts = updates_parts(device);
    struct update_part rest = whole_part(device), losses = rest, part = rest;
    struct layer_range piece = {0, 0};
    struct mlp_step step;
    struct joins joins = {.count = 0};
    struct shoal_buffer *sums = NULL;
    enum shoal_status status = pass_shard(device, epoch, at, batch, node.tree.first, &step, error);
    push_node(own, node, &joins);
    show_nodes(own);
    while (!status && piece.end < device->base.net->layer_count) {
        piece = next_piece(device, piece.end);
        part = part_of(device, &piece);
        status = sum_layers(device, &step, &piece, node.sums, error);
        if (!status)
            status = make_joins(device, &joins, &part, error);
        if (!status)
            status = part.has_losses ? exchange_last(device, batch, &piece, &part, &sums, error)
                                     : exchange(device, batch, &part, true, &sums, error);
    }
    losses.end = losses.first;
    losses.queue = part.queue;
    if (!status)
        status = add_all(device, &losses, &sums, error);
    rest = parts ? losses : rest;
    if (!status)
        status = device->form->apply(device, batch, sums, &rest, error);
    return status || !parts ? status : device->form->refresh(device, error);
}

enum shoal_status device_shards_update(struct mlp_device *device, const struct rows_part *epoch, size_t at,
                                       const struct mlp_step *step, struct shoal_error *error)
{
    struct device_shards *const own = device->shards;
    const bool shares = device->setup.solver != NULL;
    const size_t end = own->first + own->count;
    const struct update_part whole = whole_part(device);
    enum shoal_status status = shares && !own->guests ? open_exchange(device, error) : SHOAL_OK;
    own->node_count = 0;
    for (size_t shard = own->first; shard < end && !status; shard++) {
        const struct node node = {{shard, 1}, own->buffers[own->node_count]};
        status =
            (shares && shard + 1 == end ? sum_and_update : sum_shard)(device, epoch, at, step, node, error);
    }
    return status || shares ? status : device->form->apply(device, step, own->nodes[0].sums, &whole, error);
}

/* Copies into `state`, an array of the optimiser's state, the elements that other shares have computed. */
static enum shoal_status take_state(struct mlp_device *device, struct shoal_buffer *state,
                                    struct shoal_error *error)
{
    struct layer_range piece = {0, 0};
    enum shoal_status status = SHOAL_OK;
    while (!status && piece.end < device->base.net->layer_count) {
        piece = next_piece(device, piece.end);
        const struct update_part part = part_of(device, &piece);
        status = take_parts(device, state, &part, false, error);
    }
    return status;
}

/* The array s2 need not be gathered: only iRPROP+ uses it, whose updates need a norm, so that each share has
 * all of s2. */
enum shoal_status mlp_device_gather(struct net_training *training, struct shoal_error *error)
{
    struct mlp_device *const device = device_of(training);
    const int optimiser = device->base.training->optimiser;
    enum shoal_status status = SHOAL_OK;
    if (!updates_parts(device))
        return SHOAL_OK;
    if (optimiser != MLP_SGD)
        status = take_state(device, device->s0, error);
    return status || optimiser < MLP_ADAM ? status : take_state(device, device->s1, error);
}
