/* A gas that several devices share: each device computes the forces on the particles of its share and moves
 * these particles.
 *
 * Each device has room for all particles. With forces between all pairs, a share is a range of particle
 * numbers, and between steps the positions of all particles are current on every device. With neighbour
 * lists, a share is a range of places, and between steps the positions of its halo are current
 * (gas/domains/domains.h). The rows of other arrays are current only on the device whose share has the
 * particle, until gas_collect or gas_gather copies them. One device computes each sum over all particles, in
 * the same order as for a gas that is not shared, so that the bits of the sums do not depend on the shares.
 */
#include "base/error.h"
#include "base/integer.h"
#include "gas/device/device.h"
#include "gas/device/motion.h"
#include "gas/domains/domains.h"
#include "gas/model/problem.h"
#include "gas/start/start.h"

#include <math.h>
#include <string.h>

/* Division --------------------------------------------------------------------------------------------- */

bool gas_suits_lists(double cutoff, size_t dim, const double length[GAS_MAX_DIM])
{
    double cells = 1;
    for (size_t k = 0; k < dim; k++)
        cells *= floor(length[k] / cutoff);
    return isfinite(cutoff) && cells >= 27;
}

/* Whether each share has a range of the particles in the order of their neighbour lists; otherwise it has a
 * range of particle numbers. If the parameters leave the method open, the rule for one device decides here.
 * gas_check_shared later fails if the chosen method is another. */
static bool has_lists(const struct shoal_gas_params *params)
{
    const int32_t method = gas_method_of(params);
    const size_t n = gas_start_particles(params);
    double length[GAS_MAX_DIM];
    struct shoal_error ignored;
    if (method != SHOAL_GAS_AUTO)
        return method == SHOAL_GAS_LIST;
    return gas_potential_of(params) != SHOAL_GAS_REAL && !gas_box_of(params, n, NULL, length, &ignored) &&
           gas_suits_lists(gas_cutoff_of(params), params->dim, length);
}

static uint64_t count_particles(const void *params)
{
    return has_lists(params) ? 0 : gas_start_particles(params);
}

static uint64_t count_blocks(const void *params)
{
    return has_lists(params) ? div_up(gas_start_particles(params), GAS_UNIT) : 0;
}

/* Each device would move a chain of its own, and the chains of unlike devices would part. A pressure changes
 * the cells by which particles are divided. Shares would have to exchange the species of their particles. */
static enum shoal_status check_ensemble(const void *data, struct shoal_error *error)
{
    const struct shoal_gas_params *params = data;
    if (params->species)
        return fail(error, SHOAL_INVALID, "--species is for one device: leave out --split");
    if (params->piston)
        return fail(error, SHOAL_INVALID, "--piston is for one device: leave out --split");
    if (!isnan(params->pressure))
        return fail(error, SHOAL_INVALID,
                    "--pressure is for one device: leave it out for several devices, or take one device");
    if (params->thermostat != SHOAL_GAS_CHAIN)
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "--thermostat chain is for one device: take langevin or rescale for several devices");
}

static enum shoal_status check(const void *params, struct shoal_error *error)
{
    const int32_t method = gas_method_of(params);
    if (method == SHOAL_GAS_AUTO || method == SHOAL_GAS_ALLPAIRS)
        return check_ensemble(params, error);
    return fail(error, SHOAL_INVALID,
                "particles are divided among devices by --method allpairs and list, not by %s: give one of "
                "these, or take one device",
                gas_method_names[method]);
}

/* A share writes no frames: the solver of the whole gas writes them. */
static void take(const struct solver_share *share, void *params)
{
    struct shoal_gas_params *own = params;
    (void)share;
    own->frames = 0;
    own->on_frame = NULL;
    own->on_moment = NULL;
}

const struct workload_split gas_split = {.scheme = SPLIT_SLICES,
                                         .unit = "particle",
                                         .units = "particles",
                                         .option = "--particles",
                                         .count = count_particles,
                                         .check = check,
                                         .meets = true,
                                         .take = take};

const struct workload_split gas_domains_split = {.scheme = SPLIT_SLICES,
                                                 .unit = "block",
                                                 .units = "blocks of 128 particles",
                                                 .option = "--particles",
                                                 .option_step = GAS_UNIT,
                                                 .count = count_blocks,
                                                 .check = check_ensemble,
                                                 .agree = gas_domains_agree,
                                                 .meets = true,
                                                 .take = take};

const struct method *gas_shared_method(const struct workload_split *rules)
{
    return rules == &gas_domains_split ? &gas_list_method.base : &gas_allpairs_method.base;
}

enum shoal_status gas_check_shared(const struct workload_split *rules, const struct method *method,
                                   struct shoal_error *error)
{
    if (method == gas_shared_method(rules))
        return SHOAL_OK;
    return fail(error, SHOAL_INVALID,
                "one device would take --method %s for this gas, and several devices --method %s: give one "
                "of allpairs and list as --method, or take one device",
                method->name, gas_shared_method(rules)->name);
}

enum shoal_status gas_borrow_problem(struct shoal_solver *share, struct shoal_error *error)
{
    struct gas_problem *problem = &gas_device_of(share)->problem;
    *problem = gas_device_of(share->share.whole)->problem;
    problem->params = share->params;
    if (share->share.of == div_up(problem->n, gas_unit(&share->share)))
        return SHOAL_OK;
    return fail(error, SHOAL_IO, "%s has changed, and now holds %zu particles: start the run again",
                problem->params->start_file ? problem->params->start_file : "the start", problem->n);
}

/* Rows of other shares --------------------------------------------------------------------------------- */

enum { MOST_TABLES = 9 };

/* Lists the buffers that hold `rows`, and returns their number. */
static size_t list_tables(const struct gas_device *device, unsigned rows,
                          struct solver_table tables[MOST_TABLES])
{
    const size_t sum = device->precision == SHOAL_GAS_SINGLE ? sizeof(float) : sizeof(double);
    const struct {
        unsigned rows;
        struct shoal_buffer *buffer;
        size_t bytes;
    } list[MOST_TABLES] = {
        {GAS_POSITIONS, device->position, device->position_bytes},
        {GAS_VELOCITIES, device->velocity, device->velocity_bytes},
        {GAS_ACCELERATIONS, device->acceleration, device->velocity_bytes},
        {GAS_CROSSINGS, gas_domains_crossings(device), device->problem.dim * sizeof(int32_t)},
        {GAS_CROSSINGS, device->domains ? device->id : NULL, sizeof(uint32_t)},
        {GAS_REFERENCE, gas_domains_reference(device), device->position_bytes},
        {GAS_EXCHANGE, device->exchange, gas_exchange_entries(&device->problem) * GAS_EXCHANGE_BYTES},
        {GAS_ENERGIES, device->energy, sum},
        {GAS_ENERGIES, device->virial, sum}};
    size_t count = 0;
    for (size_t i = 0; i < MOST_TABLES; i++)
        if (list[i].rows & rows && list[i].buffer && list[i].bytes)
            tables[count++] = (struct solver_table){list[i].buffer, list[i].bytes};
    return count;
}

enum shoal_status gas_gather(struct shoal_solver *share, unsigned rows, bool takes, struct shoal_error *error)
{
    const struct gas_device *device = gas_device_of(share);
    const unsigned wanted = device->domains ? rows | GAS_POSITIONS : rows;
    struct solver_table tables[MOST_TABLES];
    const struct solver_guest all = {.unit = 0, .count = share->share.of};
    const struct solver_visit visit = {.tables = tables,
                                       .table_count = list_tables(device, wanted, tables),
                                       .guests = &all,
                                       .guest_count = takes,
                                       .rows = share->share.of * gas_unit(&share->share),
                                       .cuts = gas_domains_cuts(device)};
    if (!share->meet)
        return SHOAL_OK;
    enum shoal_status status = rows & GAS_CROSSINGS ? gas_domains_pack(share, error) : SHOAL_OK;
    if (!status)
        status = share->meet(share->meet_data, &visit, error);
    return status || !takes || !(rows & GAS_CROSSINGS) ? status : gas_domains_unpack(share, error);
}

static bool holds_whole(const struct shoal_solver *share)
{
    return share->share.first == 0;
}

static enum shoal_status collect(struct shoal_solver *share, void *data, struct shoal_error *error)
{
    return gas_gather(share, *(const unsigned *)data, holds_whole(share), error);
}

enum shoal_status gas_collect(struct shoal_solver *solver, unsigned rows, struct shoal_error *error)
{
    return solver->shares ? solver->shares->each(solver, collect, &rows, error) : SHOAL_OK;
}

static enum shoal_status find_forces(struct shoal_solver *share, void *data, struct shoal_error *error)
{
    const bool energies = *(const bool *)data;
    const unsigned rows = GAS_MOTION | GAS_BORDERS | (energies ? GAS_ENERGIES : 0);
    enum shoal_status status = gas_device_method(share)->forces(share, energies, error);
    return status ? status : gas_gather(share, rows, holds_whole(share), error);
}

enum shoal_status gas_find_forces(struct shoal_solver *solver, bool energies, struct shoal_error *error)
{
    return solver->shares ? solver->shares->each(solver, find_forces, &energies, error)
                          : gas_device_method(solver)->forces(solver, energies, error);
}

/* Checkpoints ------------------------------------------------------------------------------------------ */

bool gas_takes_chosen(const struct shoal_solver *solver)
{
    const struct shoal_solver *whole = solver->share.whole;
    return !whole || strcmp(shoal_device_get_info(solver->device)->name,
                            shoal_device_get_info(whole->device)->name) == 0;
}

/* Loads the state of all particles into each share. */
enum shoal_status gas_shares_load(struct shoal_solver *whole, const struct checkpoint *checkpoint,
                                  struct shoal_error *error)
{
    struct gas_device *device = gas_device_of(whole);
    const struct solver_list holders = solver_holders(&whole);
    const struct gas_past past = device->problem.past;
    enum shoal_status status = gas_past_load(&device->problem, checkpoint, error);
    if (!status)
        status = gas_common_load(&device->common, checkpoint, error);
    gas_set_step(&device->problem, device->common.clock.steps_done);
    whole->shares->loads(whole, checkpoint);
    for (size_t k = 0; k < holders.count && !status; k++)
        status = gas_device_load(holders.solvers[k], checkpoint, error);
    if (status) {
        gas_common_reset(&device->common);
        device->problem.past = past;
    }
    return status;
}
