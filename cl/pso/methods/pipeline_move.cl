/* The first kernel of the pipeline: new velocities and positions, or initial ones. pso_move divides the work by
 * particles and dimensions; pso_move_whole gives a particle to one work-item, for rules that need all its dimensions
 * at once or one after the other: SPSO-2011 and the generators with a state. */
#ifndef WG
#define WG 64
#endif

#include "pso/model/links.clh"
#include "pso/thesis/xorwow.clh"

/* Dimensions of a work-item: those of one block of random words, a word each. */

/* One particle in one step. */
typedef struct {
    ulong seed;
    uint i, island, index; /* among all; its island; its number in the run */
    uint step, dim;
    int is_drawn;
    uint start; /* in a draw: number of the restart */
} mover;

static mover mover_of(struct search_shape shape, __global const uint *words, uint i, uint step)
{
    mover m;
    m.i = i;
    m.island = i / shape.members;
    m.seed = seed_of(shape, m.island);
    m.index = first_index_of(shape, m.island) + i % shape.members;
    m.step = step;
    m.dim = shape.dim;
    m.is_drawn = is_drawing(shape, words, m.island, step);
    m.start = step == 0u ? 0u : words[(ulong)m.island * ISLAND_WORDS + ISLAND_RESTARTS] + 1u;
    return m;
}

/* The word of dimension d in draws of a word each. */
static uint word_of_dimension(mover m, uint stream, uint draw, uint d)
{
    const struct shoal_words w = shoal_random_words(m.seed, stream, m.step, m.index, draw + d / 4u);
    return d & 2u ? (d & 1u ? w.w : w.z) : (d & 1u ? w.y : w.x);
}

/* r1 and r2 of dimension d by a counter. */
static void pair_of(mover m, uint d, real *own, real *goal)
{
#if SCALAR_RANDOM
    d = 0u;
#endif
#if RANDOM == PHILOX16
    const uint word = word_of_dimension(m, SHOAL_STREAM_PSO_MOVE, 0u, d);
    *own = uniform16(word & 0xffffu);
    *goal = uniform16(word >> 16);
#else
    const struct shoal_words w = shoal_random_words(m.seed, SHOAL_STREAM_PSO_MOVE, m.step, m.index, d / 2u);
    *own = uniform(d & 1u ? w.z : w.x);
    *goal = uniform(d & 1u ? w.w : w.y);
#endif
}

static coordinate first_coordinate(mover m, uint d, real lower, real upper)
{
    const struct shoal_words position =
        shoal_random_words(m.seed, SHOAL_STREAM_PSO_POSITION, m.start, m.index, d / 2u);
    const struct shoal_words velocity =
        shoal_random_words(m.seed, SHOAL_STREAM_PSO_VELOCITY, m.start, m.index, d / 2u);
    return drawn(d & 1u ? position.z : position.x, d & 1u ? velocity.z : velocity.x, lower, upper);
}

/* Moves coordinate d by the velocity c.v and stores it; returns whether the particle may not be evaluated there. */
static uint store_moved(mover m, coordinate c, real lower, real upper, __global const real *settings,
                        __global real *x, __global real *v, ulong at, uint d)
{
    uint again = 0u;
#if BOUNDS == REENTRY
    again = word_of_dimension(m, SHOAL_STREAM_PSO_REENTRY, 0u, d);
#else
    (void)m;
    (void)d;
#endif
    move_coordinate(&c.x, &c.v, lower, upper, settings[SET_LIMIT], again);
    x[at] = c.x;
    v[at] = c.v;
    return is_inside(c.x, lower, upper) ? 0u : 1u;
}

static real inertia_of(__global const real *settings, uint step)
{
    return settings[SET_INERTIA] + settings[SET_INERTIA_STEP] * (real)(step - 1u);
}

#if UPDATE == FIPS
/* Informant number `count` of particle i of its island, `before` the one before; NO_INDEX after the last. */
static uint informant(struct search_shape shape, struct pipeline_links links, __global const uint *head,
                      __global const uint *next, uint start, uint i, uint count, uint before)
{
#if TOPOLOGY == RANDOM_LINKS
    return next_informant(links, head, next, start, i, count == 0u ? 0u : before + 1u);
#else
    (void)head;
    (void)next;
    (void)start;
    (void)before;
    return count < neighbour_count(shape.members, links.neighbours)
               ? neighbour(i, count, shape.members, links.neighbours, links.columns)
               : NO_INDEX;
#endif
}

/* The mean over the informants j of u (p_j - x) in dimension d; a particle without informants informs itself. */
static real informed_pull(struct search_shape shape, struct pipeline_links links, mover m, __global const real *p,
                          __global const uint *head, __global const uint *next, uint d, real x)
{
    const uint own = m.i % shape.members, start = m.i - own, draws = (shape.dim + 3u) / 4u;
    real sum = R(0.0);
    uint count = 0u, j = informant(shape, links, head, next, start, own, 0u, 0u);
    if (j == NO_INDEX)
        j = own;
    while (j != NO_INDEX) {
        sum += uniform(word_of_dimension(m, SHOAL_STREAM_PSO_FIPS, count * draws, d)) *
               (p[place_of(shape, start + j, d)] - x);
        count++;
        j = informant(shape, links, head, next, start, own, count, j);
    }
    return sum / (real)count;
}
#endif

/* batch.lanes neighbouring work-items share a particle: 1, or enough for neighbouring dimensions where a tile has one
 * particle. Groups: those that cover the particles, times those that cover the dimensions. leader: of each particle, whose
 * best position it follows; with GLOBAL_BEST of each island. outside: a word for each particle that is 0 before. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_move(__global real *restrict x, __global real *restrict v, __global const real *restrict p,
              __global const uint *restrict leader, __global const uint *restrict head,
              __global const uint *restrict next, __global uint *restrict outside, __global const uint *restrict words,
              __global const real *restrict settings, struct search_shape shape, struct pipeline_links links,
              struct pipeline_batch batch)
{
    const uint numbers = batch.count * shape.islands, lanes = batch.lanes, columns = WG / lanes;
    const uint groups = (numbers + columns - 1u) / columns;
    const uint group = (uint)get_group_id(0), lid = (uint)get_local_id(0);
    const uint number = group % groups * columns + lid / lanes;
    const uint first = (group / groups * lanes + lid % lanes) * MOVE_BLOCK, end = min(first + MOVE_BLOCK, shape.dim);
    if (number < numbers && !has_run_ended(words, particle_of(shape, batch, number) / shape.members)) {
        const mover m = mover_of(shape, words, particle_of(shape, batch, number), batch.step);
        uint is_out = 0u, d;
        for (d = first; d < end; d++) {
            const real lower = box_lower(settings, d, shape.dim), upper = box_upper(settings, d, shape.dim);
            const ulong at = place_of(shape, m.i, d);
            coordinate c;
            if (m.is_drawn) {
                c = first_coordinate(m, d, lower, upper);
                x[at] = c.x;
                v[at] = c.v;
            } else {
                c.x = x[at];
                c.v = v[at];
#if UPDATE == FIPS
                c.v = inertia_of(settings, batch.step) * c.v +
                      settings[SET_SOCIAL] * informed_pull(shape, links, m, p, head, next, d, c.x);
                (void)leader;
#else
                const uint best = TOPOLOGY == GLOBAL_BEST ? m.island * shape.members + leader[m.island] : leader[m.i];
                real own, goal;
                pair_of(m, d, &own, &goal);
                c.v = pulled(c, inertia_of(settings, batch.step), settings[SET_COGNITIVE] * own, p[at],
                             settings[SET_SOCIAL] * goal, p[place_of(shape, best, d)]);
                (void)head;
                (void)next;
#endif
                is_out |= store_moved(m, c, lower, upper, settings, x, v, at, d);
            }
        }
        if (is_out)
            atomic_or(outside + m.i, 1u);
    }
}

/* Random numbers of a particle in dimension order. */
typedef struct {
    struct xorwow state;
    real own, goal;
} source;

static void source_open(source *s, mover m, __global const uint *states, uint stride)
{
#if RANDOM == GLOB
    uint k;
    for (k = 0; k < XORWOW_WORDS; k++)
        s->state.s[k] = states[k * (ulong)stride + m.i];
#elif RANDOM == REG
    s->state = xorwow_start(m.seed, m.index, m.step);
    (void)states;
    (void)stride;
#else
    (void)s;
    (void)m;
    (void)states;
    (void)stride;
#endif
}

static void source_store(const source *s, mover m, __global uint *states, uint stride)
{
#if RANDOM == GLOB
    uint k;
    for (k = 0; k < XORWOW_WORDS; k++)
        states[k * (ulong)stride + m.i] = s->state.s[k];
#else
    (void)s;
    (void)m;
    (void)states;
    (void)stride;
#endif
}

static void source_draw(source *s, mover m, uint d)
{
#if RANDOM <= PHILOX16
    pair_of(m, d, &s->own, &s->goal);
#else
    (void)m;
    if (!SCALAR_RANDOM || d == 0u) {
        s->own = uniform(xorwow_next(&s->state));
        s->goal = uniform(xorwow_next(&s->state));
    }
#endif
}

#if UPDATE == SPSO2011
/* The distance from x to the centre of the ball, in one dimension. is_alone: the particle follows itself. */
static real centre_of(__global const real *settings, real x, real p, real l, int is_alone)
{
    const real own = settings[SET_COGNITIVE] * (p - x);
    return is_alone ? own / R(2.0) : (own + settings[SET_SOCIAL] * (l - x)) / R(3.0);
}

/* The normal number of dimension d, of the two that `w` gives it and the next. */
static real normal_of(struct shoal_words w, uint d)
{
    real first, second;
    normal_pair(d & 2u ? w.z : w.x, d & 2u ? w.w : w.y, &first, &second);
    return d & 1u ? second : first;
}

static struct shoal_words words_of_normals(mover m, uint d)
{
    return shoal_random_words(m.seed, SHOAL_STREAM_PSO_SPHERE, m.step, m.index, d / 4u);
}

/* Factor of the normal numbers that gives the random point of the ball: its distance from the centre over their
 * length. */
static real reach_of(struct search_shape shape, mover m, __global const real *x, __global const real *p, uint best,
                     __global const real *settings)
{
    const uint word = shoal_random_words(m.seed, SHOAL_STREAM_PSO_SPHERE, m.step, m.index, 0x80000000u).x;
    struct shoal_words words = words_of_normals(m, 0u);
    real radius = R(0.0), length = R(0.0);
    uint d;
    for (d = 0; d < shape.dim; d++) {
        const ulong at = place_of(shape, m.i, d);
        const real distance = centre_of(settings, x[at], p[at], p[place_of(shape, best, d)], best == m.i);
        const real turn = normal_of(words, d);
        radius += distance * distance;
        length += turn * turn;
        if (d % 4u == 3u)
            words = words_of_normals(m, d + 1u);
    }
    /* 0 where the length is; a choice of the quotient ends the program with PoCL 6. */
    return uniform(word) * sqrt(radius) / (length > R(0.0) ? sqrt(length) : (real)INFINITY);
}
#endif

/* states: XORWOW_WORDS rows, a column for each particle (GLOB). */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void pso_move_whole(__global real *restrict x, __global real *restrict v, __global const real *restrict p,
                    __global const uint *restrict leader, __global uint *restrict states,
                    __global uint *restrict outside, __global const uint *restrict words,
                    __global const real *restrict settings, struct search_shape shape, struct pipeline_batch batch)
{
    const uint number = (uint)get_global_id(0), stride = shape.members * shape.islands;
    if (number < batch.count * shape.islands &&
        !has_run_ended(words, particle_of(shape, batch, number) / shape.members)) {
        const mover m = mover_of(shape, words, particle_of(shape, batch, number), batch.step);
        uint is_out = 0u, d;
        source s;
        if (m.is_drawn) {
            for (d = 0; d < shape.dim; d++) {
                const ulong at = place_of(shape, m.i, d);
                const coordinate c =
                    first_coordinate(m, d, box_lower(settings, d, shape.dim), box_upper(settings, d, shape.dim));
                x[at] = c.x;
                v[at] = c.v;
            }
            s.state = xorwow_start(m.seed, m.index, m.start);
        } else {
            const real inertia = inertia_of(settings, batch.step);
            const uint best = TOPOLOGY == GLOBAL_BEST ? m.island * shape.members + leader[m.island] : leader[m.i];
#if UPDATE == SPSO2011
            const real reach = reach_of(shape, m, x, p, best, settings);
            struct shoal_words words = words_of_normals(m, 0u);
#endif
            source_open(&s, m, states, stride);
            for (d = 0; d < shape.dim; d++) {
                const real lower = box_lower(settings, d, shape.dim), upper = box_upper(settings, d, shape.dim);
                const ulong at = place_of(shape, m.i, d);
                const real l = p[place_of(shape, best, d)];
                coordinate c;
                c.x = x[at];
                c.v = v[at];
#if UPDATE == SPSO2011
                c.v = inertia * c.v + centre_of(settings, c.x, p[at], l, best == m.i) + reach * normal_of(words, d);
                if (d % 4u == 3u)
                    words = words_of_normals(m, d + 1u);
#else
                source_draw(&s, m, d);
                c.v = pulled(c, inertia, settings[SET_COGNITIVE] * s.own, p[at], settings[SET_SOCIAL] * s.goal, l);
#endif
                is_out |= store_moved(m, c, lower, upper, settings, x, v, at, d);
            }
        }
        source_store(&s, m, states, stride);
        outside[m.i] = is_out;
    }
}
