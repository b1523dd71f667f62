/* Each kind of argument, as the contract of unit_program says: test_launch.c launches it over the fake backend. */
#ifndef WG
#define WG 64
#endif
#ifndef REAL
#define REAL 32
#endif
#if REAL == 64
typedef double real;
#else
typedef float real;
#endif
struct unit_pair {
    uint a, b, c;
};

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void everything(int i, uint u, long l, ulong ul, float f, double d, real r, struct unit_pair s, __global const float *in,
                __global float *out, __global ulong *state /* or NULL */)
{
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void add(uint n, __global const uint *x, __global uint *y)
{
}
