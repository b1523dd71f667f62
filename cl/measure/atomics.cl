/* Rate of atomic additions to words of global and of local memory. */
#ifndef WG
#define WG 256
#endif

#define STEPS 16

/* Each work-item adds `step` to words[stride * i] 16 times, where i is its number: with stride 0 all of them add to
 * the same word, with stride 1 each one to a word of its own. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_atomics(__global uint *words, uint stride, uint step)
{
    const uint place = (uint)get_global_id(0) * stride;
    uint k;
    for (k = 0; k < STEPS; k++)
        atomic_add(&words[place], step);
}

/* The same with local memory, 16 * blocks times; out[i] is the word of work-item i at the end. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_atomics_local(__global uint *out, uint stride, uint step, uint blocks)
{
    __local uint words[WG];
    const uint lid = (uint)get_local_id(0), place = lid * stride;
    uint block, k;
    words[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (block = 0; block < blocks; block++)
        for (k = 0; k < STEPS; k++)
            atomic_add(&words[place], step);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = words[lid];
}
