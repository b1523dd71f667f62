#include "portfolio/model/epochs.h"

double portfolio_evaluations_left(const struct portfolio_island *island)
{
    double used = 0;
    for (size_t arm = 0; arm < island->problem->arm_count; arm++)
        used += (double)island->arms[arm].evaluations;
    return island->problem->has_budget ? island->problem->evaluations - used : INFINITY;
}

size_t portfolio_next_arm(const struct portfolio_island *island, const bool *was_asked)
{
    const size_t count = island->problem->arm_count;
    struct bandit_record records[PORTFOLIO_MOST];
    size_t next = SIZE_MAX;
    double most = 0;
    bool is_over = false;
    for (size_t arm = 0; arm < count; arm++)
        records[arm] = island->arms[arm].record;
    for (size_t arm = 0; arm < count; arm++) {
        const double index = bandit_index(records, count, arm);
        const bool over = island->arms[arm].is_over;
        if ((was_asked && was_asked[arm]) ||
            (next != SIZE_MAX && over >= is_over && (over || !(index > most))))
            continue;
        next = arm;
        most = index;
        is_over = over;
    }
    return next;
}

/* Returns the arm that must be next so that planned lives come to their end: if the planned lives together
 * need all evaluations left, the arm whose life has the most evaluations to go. SIZE_MAX: no arm. */
static size_t pressed_arm(const struct portfolio_island *island)
{
    const struct portfolio_problem *problem = island->problem;
    const double epoch = (double)problem->params->epoch * (double)problem->search.points;
    double needed = 0, most = 0;
    size_t pressed = SIZE_MAX;
    for (size_t arm = 0; arm < problem->arm_count; arm++) {
        const struct portfolio_arm_state *state = &island->arms[arm];
        const double own = problem->arms[arm].life - (double)state->lived;
        if (!problem->arms[arm].is_planned || state->is_over || own <= 0)
            continue;
        needed += own + epoch;
        if (own > most) {
            most = own;
            pressed = arm;
        }
    }
    return needed >= portfolio_evaluations_left(island) ? pressed : SIZE_MAX;
}

void portfolio_end_epoch(const struct portfolio_island *island, double gain)
{
    const size_t count = island->problem->arm_count;
    const uint64_t champions = island->problem->params->champions;
    struct portfolio_state *state = island->state;
    struct bandit_record records[PORTFOLIO_MOST];
    for (size_t arm = 0; arm < count; arm++)
        records[arm] = island->arms[arm].record;
    bandit_note(records, count, (size_t)state->arm, gain);
    state->epochs++;
    for (size_t arm = 0; arm < count; arm++) {
        island->arms[arm].record = records[arm];
        island->arms[arm].is_offered |= champions && state->epochs % champions == 0;
    }
    const size_t pressed = pressed_arm(island);
    state->arm = pressed != SIZE_MAX ? pressed : portfolio_next_arm(island, NULL);
    state->steps = state->has_won = 0;
}

void portfolio_add_fields(const struct portfolio_problem *problem, double *shares, double *gains,
                          struct shoal_result *result)
{
    const size_t arms = problem->arm_count;
    double all_shares = 0, all_gains = 0;
    for (size_t arm = 0; arm < arms; arm++) {
        all_shares += shares[arm];
        all_gains += gains[arm];
    }
    for (size_t arm = 0; arm < arms; arm++) {
        shares[arm] /= fmax(all_shares, 1);
        gains[arm] /= fmax(all_gains, 1);
    }
    result_add_text(result, "algorithms", problem->names);
    result_add_reals(result, "shares", shares, arms);
    result_add_reals(result, "gains", gains, arms);
}
