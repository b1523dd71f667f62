/* First tours of a run, and the draft: the tour of a run that is cut before it finds one. */
#include "tsp/improve/greedy_device.h"
#include "tsp/improve/improve.h"
#include "tsp/tsp.h"

#include <math.h>
#include <string.h>

void tsp_set_draft(const struct shoal_solver *solver, const uint32_t *tour)
{
    struct tsp_run *run = tsp_run_of(solver);
    memcpy(run->scratch, tour, run->problem.form.n * sizeof *run->scratch);
    run->has_draft = true;
}

enum shoal_status tsp_start_status(const struct shoal_solver *solver, const uint32_t *tour,
                                   struct shoal_error *error)
{
    const enum shoal_status status = long_step_status(&tsp_run_of(solver)->cut, error);
    if (status)
        tsp_set_draft(solver, tour);
    return status;
}

/* Bytes of the run in memory of its device: those of each share beside the others there. */
static double held_bytes(struct shoal_solver *const solver)
{
    const struct solver_list holders = solver_holders(&solver);
    double most = 0;
    for (size_t i = 0; i < holders.count; i++) {
        const struct tsp_run *run = tsp_run_of(holders.solvers[i]);
        most = fmax(most, solver_on_memory(holders.solvers[i]) *
                              (run->method_bytes + arrays_bytes(&run->places.arrays)));
    }
    return solver->shares ? most + arrays_bytes(&tsp_run_of(solver)->places.arrays) : most;
}

enum shoal_status tsp_first_greedy(struct shoal_solver *solver, const uint32_t *lists, uint32_t neighbours,
                                   uint32_t *tour, struct shoal_error *error)
{
    struct tsp_run *run = tsp_run_of(solver);
    const struct tsp_places *places = solver->queue ? &run->places : NULL;
    return tsp_greedy_is_for_device(&run->problem, places, neighbours, held_bytes(solver))
               ? tsp_greedy_by_device(&run->problem, places, &solver->programs, lists, neighbours, &run->cut,
                                      tour, error)
               : tsp_greedy_tour(&run->problem, lists, neighbours, NULL, &run->cut, tour, error);
}

enum shoal_status tsp_improve_until_cut(const struct shoal_solver *solver,
                                        const struct tsp_improve_rules *rules, uint32_t *tour,
                                        struct shoal_error *error)
{
    enum { ROUNDS = 16 }; /* number of rounds of the local search between two calls of long_step_look */
    struct tsp_run *run = tsp_run_of(solver);
    struct tsp_improver *improver = NULL;
    const enum shoal_status status = tsp_improver_create(&run->problem, rules, &improver, error);
    if (status)
        return status;
    tsp_improver_begin(improver, tour, NULL, NULL, 0);
    while (!tsp_improver_advance(improver, ROUNDS) && !long_step_look(&run->cut))
        continue;
    tsp_improver_destroy(&improver);
    return SHOAL_OK;
}

enum shoal_status tsp_improve_first(const struct shoal_solver *solver, const struct tsp_improve_rules *rules,
                                    uint32_t *tour, struct shoal_error *error)
{
    const enum shoal_status status = tsp_improve_until_cut(solver, rules, tour, error);
    return status ? status : tsp_start_status(solver, tour, error);
}
