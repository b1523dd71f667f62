/* Computes the points of members that are genomes, for an objective over reals. */
#ifndef WG
#define WG 64
#endif

#include "lib/coded.clh"
#include "lib/real.clh"
#include "search/layout.clh"

/* Each work-item computes one coordinate of a point. Points have the tiles of the members. variables: VARIABLE_WORDS
 * words for each variable; ranges: least value and width of the range of each variable. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void search_decode(__global const uint *restrict members, __global real *restrict points,
                   __global const uint *restrict variables, __global const real *restrict ranges,
                   struct search_decode launch)
{
    const ulong n = get_global_id(0);
    const uint lane = (uint)(n % launch.tile), v = (uint)(n / launch.tile % launch.variables);
    const uint tile = (uint)(n / launch.tile / launch.variables), member = tile * launch.tile + lane;
    if (member < launch.count) {
        __global const uint *const own = members + (ulong)tile * launch.words * launch.tile + lane;
        __global const uint *const variable = variables + v * VARIABLE_WORDS;
        __global const uint *const bits = own + launch.bits * launch.tile;
        const uint kind = variable[VARIABLE_KIND], gene = variable[VARIABLE_GENE], count = variable[VARIABLE_BITS];
        real x;
        if (kind == REAL_GENE) {
#if REAL == 64
            const ulong low = own[2u * gene * launch.tile], high = own[(2u * gene + 1u) * launch.tile];
            x = as_double((long)(high << 32 | low));
#else
            x = as_float(own[gene * launch.tile]);
#endif
        } else if (kind == WHOLE_GENE) {
            x = (real)(int)own[(launch.wholes + gene) * launch.tile];
        } else if (kind == BIT_GENE) {
            x = (real)(bits[gene / 32u * launch.tile] >> gene % 32u & 1u);
        } else if (kind == PLACE_GENE) {
            x = (real)(own[(launch.places + gene / 2u) * launch.tile] >> gene % 2u * 16u & 0xffffu);
        } else {
            const uint low = bits[gene / 32u * launch.tile], high = bits[(gene + count - 1u) / 32u * launch.tile];
            uint code = coded_bits(low, high, gene % 32u, count);
            if (variable[VARIABLE_GRAY])
                code = coded_gray(code);
            if (kind == REAL_CODE) {
                /* The last code means the greatest value. */
                const uint last = 0xffffffffu >> (32u - count);
                x = ranges[2u * v] + ranges[2u * v + 1u] * ((real)code / (real)last);
            } else {
                const uint steps = (uint)(((ulong)code * ((ulong)variable[VARIABLE_SPAN] + 1u)) >> count);
                x = (real)((long)(int)variable[VARIABLE_LOWER] + (long)steps);
            }
        }
        points[((ulong)tile * launch.variables + v) * launch.tile + lane] = x;
    }
}
