/* Bandwidth of global memory for reads alone and for writes alone, by neighbours or scattered.
 *
 * Word w of the memory is w * 2654435761 + salt, which the writes leave there and the reads add up, so that the sum of
 * all sums tells whether every word was written and read once.
 */
#ifndef WG
#define WG 256
#endif
/* 0: neighbouring work-items have neighbouring vectors of 16 bytes. 1: they have words of 4 bytes far from each other,
 * so that each access takes a piece of memory of its own. */
#ifndef SCATTER
#define SCATTER 0
#endif
/* Number of vectors, or of words, of each work-item. */
#ifndef ITEMS
#define ITEMS 16
#endif

/* An odd number: with a number of places that is a power of two, each place is met once. */
#if SCATTER
#define PLACE(i, places) ((i) * 0x9e3779b1u & ((places) - 1u))
#else
#define PLACE(i, places) (i)
#endif
#define VALUE(word, salt) ((word) * 2654435761u + (salt))

/* places: number of vectors, or of words: a power of two up to 2^31. sums[i]: sum of the words that work-item i reads.
 */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_read(__global const uint4 *in, __global uint *sums, uint places)
{
#if SCATTER
    __global const uint *words = (__global const uint *)in;
#endif
    const uint first = (uint)get_group_id(0) * (WG * ITEMS) + (uint)get_local_id(0);
    uint sum = 0, k;
#pragma unroll
    for (k = 0; k < ITEMS; k++) {
        const uint i = first + k * WG;
        if (i < places) {
#if SCATTER
            sum += words[PLACE(i, places)];
#else
            const uint4 word = in[i];
            sum += word.x + word.y + word.z + word.w;
#endif
        }
    }
    sums[get_global_id(0)] = sum;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_write(__global uint4 *out, uint salt, uint places)
{
#if SCATTER
    __global uint *words = (__global uint *)out;
#endif
    const uint first = (uint)get_group_id(0) * (WG * ITEMS) + (uint)get_local_id(0);
    uint k;
#pragma unroll
    for (k = 0; k < ITEMS; k++) {
        const uint i = first + k * WG;
        if (i < places) {
            const uint place = PLACE(i, places);
#if SCATTER
            words[place] = VALUE(place, salt);
#else
            uint4 word;
            word.x = VALUE(4u * place, salt);
            word.y = VALUE(4u * place + 1u, salt);
            word.z = VALUE(4u * place + 2u, salt);
            word.w = VALUE(4u * place + 3u, salt);
            out[place] = word;
#endif
        }
    }
}
