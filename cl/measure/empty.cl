/* Kernels that do nothing, to measure the time of a launch: one without arguments, one with as many as kernels
 * usually have. */
#ifndef WG
#define WG 64
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_empty(void)
{
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_args8(__global float *a, __global float *b, __global float *c, __global float *d, uint i, uint n,
                   float x, float y)
{
}
