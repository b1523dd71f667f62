/* Calls every builtin that the kernel dialect has; test_dialect.c compares the values with the host's. Results stand
 * by function: result f of work-item i is out[f * n + i]. */
#ifndef WG
#define WG 64
#endif
/* 64-bit atomics, where the device has them. */
#ifndef ATOMICS64
#define ATOMICS64 0
#endif
/* A limit of registers, which other compilers do not know. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 2
#endif

#include "lib/real.clh"

#if ATOMICS64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif

#define PUT(value) out[(place++) * n + i] = (value)

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_one(__global const real *xs, __global const real *ys, __global real *out, uint n)
{
    const uint i = (uint)get_global_id(0);
    uint place = 0;
    if (i < n) {
        const real x = xs[i], y = ys[i];
        PUT(acos(x));
        PUT(acosh(R(1.0) + x));
        PUT(asin(x));
        PUT(asinh(y));
        PUT(atan(y));
        PUT(atanh(x));
        PUT(cbrt(y));
        PUT(ceil(y));
        PUT(cos(y));
        PUT(cosh(x));
        PUT(cospi(y));
        PUT(erf(x));
        PUT(erfc(x));
        PUT(exp(y));
        PUT(exp10(x));
        PUT(exp2(y));
        PUT(expm1(x));
        PUT(fabs(y));
        PUT(floor(y));
        PUT(lgamma(R(3.0) + x));
        PUT(log(x));
        PUT(log10(x));
        PUT(log1p(x));
        PUT(log2(x));
        PUT(rint(y));
        PUT(round(y));
        PUT(rsqrt(x));
        PUT(sign(y));
        PUT(sin(y));
        PUT(sinh(x));
        PUT(sinpi(y));
        PUT(sqrt(x));
        PUT(tan(x));
        PUT(tanh(x));
        PUT(tgamma(R(1.0) + x));
        PUT(trunc(y));
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_more(__global const real *xs, __global const real *ys, __global real *out, uint n)
{
    const uint i = (uint)get_global_id(0);
    uint place = 0;
    if (i < n) {
        const real x = xs[i], y = ys[i];
        PUT(atan2(y, x));
        PUT(copysign(x, y));
        PUT(fdim(x, y));
        PUT(fmax(x, y));
        PUT(fmin(x, y));
        PUT(fmod(y, x));
        PUT(hypot(x, y));
        PUT(max(x, y));
        PUT(min(x, y));
        PUT(nextafter(x, y));
        PUT(pow(x, y));
        PUT(powr(x, y));
        PUT(pown(y, 3));
        PUT(ldexp(x, 5));
        PUT(remainder(y, x));
        PUT(x / y);
        PUT(fma(x, y, x));
        PUT(mad(x, y, x));
        PUT(mix(x, y, R(0.25)));
        PUT(clamp(y, R(-1.0), R(1.0)));
        PUT(fmax(x, (real)NAN));
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_native(__global const float *xs, __global const float *ys, __global float *out, uint n)
{
    const uint i = (uint)get_global_id(0);
    uint place = 0;
    if (i < n) {
        const float x = xs[i], y = ys[i];
        PUT(native_cos(x));
        PUT(native_divide(x, y));
        PUT(native_exp(x));
        PUT(native_exp2(x));
        PUT(native_exp10(x));
        PUT(native_log(x));
        PUT(native_log2(x));
        PUT(native_log10(x));
        PUT(native_powr(x, 1.5f));
        PUT(native_recip(x));
        PUT(native_rsqrt(x));
        PUT(native_sin(x));
        PUT(native_sqrt(x));
        PUT(native_tan(x));
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_constants(__global real *out)
{
    const uint i = (uint)get_global_id(0), n = 1;
    uint place = 0;
    if (i == 0) {
        PUT((real)INFINITY);
        PUT((real)MAXFLOAT);
        PUT((real)FLT_MAX);
        PUT((real)FLT_MIN);
        PUT((real)FLT_EPSILON);
        PUT((real)M_PI_F);
        PUT((real)M_E_F);
        PUT((real)isnan((real)NAN));
        PUT((real)isnan((real)INFINITY));
        PUT((real)isinf((real)INFINITY));
        PUT((real)isinf(R(1.0)));
        PUT((real)isfinite(R(1.0)));
        PUT((real)isfinite((real)NAN));
#if REAL == 64
        PUT(DBL_MAX);
        PUT(DBL_MIN);
        PUT(DBL_EPSILON);
        PUT(M_PI);
        PUT(M_E);
#endif
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_ints(__global const uint *as, __global const uint *bs, __global uint *out, uint n)
{
    const uint i = (uint)get_global_id(0);
    uint place = 0;
    if (i < n) {
        const uint a = as[i], b = bs[i];
        const int s = (int)a, t = (int)b;
        PUT(mul_hi(a, b));
        PUT((uint)mul_hi(s, t));
        PUT(popcount(a));
        PUT((uint)popcount(t));
        PUT(clz(a));
        PUT((uint)clz(t));
        PUT(rotate(a, b & 31u));
        PUT(min(a, b));
        PUT(max(a, b));
        PUT((uint)min(s, t));
        PUT((uint)max(s, t));
        PUT(clamp(a, 100u, 1000000u));
        PUT((uint)clamp(s, -500000, 500000));
        PUT(select(a, b, a & 1u));
        PUT((uint)select(s, t, (int)(b & 1u)));
        PUT(as_uint(select(1.0f, 2.0f, (int)(b & 2u))));
        PUT(as_uint(as_float(a & 0x3fffffffu)));
        PUT(as_uint(as_float(s & 0x3fffffff)));
        PUT(as_uint(as_int(a)));
        PUT((uint)as_int(as_float(b & 0x3fffffffu)));
        PUT(as_uint(convert_float(a)));
        PUT(convert_uint((float)(a & 0xffffffu)));
        PUT((uint)convert_int((float)(s >> 8) * 0.25f));
        PUT((uint)convert_int_rte((float)(s >> 12) * 0.25f));
        PUT((uchar)a);
        PUT((ushort)a);
        PUT(a > b ? UINT_MAX : (uint)INT_MIN);
        PUT(a < b ? (uint)INT_MAX : 0u);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_longs(__global const ulong *as, __global const ulong *bs, __global ulong *out, uint n)
{
    const uint i = (uint)get_global_id(0);
    uint place = 0;
    if (i < n) {
        const ulong a = as[i], b = bs[i];
        const long s = (long)a, t = (long)b;
        PUT(mul_hi(a, b));
        PUT((ulong)mul_hi(s, t));
        PUT(popcount(a));
        PUT(clz(a >> (b & 63)));
        PUT(rotate(a, b & 63));
        PUT(min(a, b));
        PUT(max(a, b));
        PUT((ulong)min(s, t));
        PUT((ulong)max(s, t));
        PUT(clamp(a, (ulong)100, (ulong)1 << 62));
        PUT((ulong)clamp(s, (long)-100, (long)100));
        PUT(select(a, b, a & 1));
        PUT(as_ulong(as_long(a)));
        PUT(convert_ulong((uint)a));
        PUT((ulong)convert_long((float)((int)a >> 8) * 0.5f));
        PUT(a > b ? ULONG_MAX : (ulong)LONG_MIN);
        PUT(a < b ? (ulong)LONG_MAX : (ulong)0);
#if REAL == 64
        PUT(as_ulong(as_double(a & 0x3fffffffffffffff)));
        PUT((ulong)as_long(as_double((long)(b & 0x3fffffffffffffff))));
        PUT(as_ulong(convert_double(a)));
        PUT((ulong)(long)convert_int_rte((double)((int)a >> 4) * 0.25));
#endif
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_items(__global uint *out, uint n)
{
    const uint i = (uint)get_global_id(0);
    uint place = 0;
    PUT((uint)get_global_id(0));
    PUT((uint)get_local_id(0));
    PUT((uint)get_group_id(0));
    PUT((uint)get_global_size(0));
    PUT((uint)get_local_size(0));
    PUT((uint)get_num_groups(0));
}

struct dialect_mixed {
    ulong big;
    long wide;
    uint small;
    float real32;
};

__constant uint dialect_table[4] = {3u, 1u, 4u, 1u};

static uint dialect_mirror(local const uint *line, uint lid)
{
    return line[WG - 1 - lid];
}

/* Local memory behind a pointer, wide access, a constant table, a struct and every kind of scalar argument. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_memory(__global const float4 *restrict wide, __global const uint2 *restrict pairs,
                    __global uint *restrict out, struct dialect_mixed mixed, int an_int, uint a_uint, long a_long,
                    ulong a_ulong, float a_float, uint n)
{
    __local uint line[WG];
    __local uint total;
    const uint i = (uint)get_global_id(0), lid = (uint)get_local_id(0);
    uint place = 0;
    const float4 v = wide[i];
    const uint2 p = pairs[i];
    line[lid] = i * i;
    if (lid == 0)
        total = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&total, lid);
    mem_fence(CLK_LOCAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    PUT(dialect_mirror(line, lid));
    PUT(total);
    PUT((uint)(v.x + 2.0f * v.y + 3.0f * v.z + 4.0f * v.w));
    PUT(p.x);
    PUT(p.y);
    PUT(dialect_table[i & 3u]);
    PUT((uint)(mixed.big >> 32));
    PUT((uint)mixed.wide);
    PUT(mixed.small);
    PUT((uint)mixed.real32);
    PUT((uint)an_int);
    PUT(a_uint);
    PUT((uint)(a_long >> 32));
    PUT((uint)(a_ulong >> 32));
    PUT((uint)a_float);
}

/* Each work-item of one group uses every atomic on its own words, and all of them on shared ones. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_atomics(__global uint *words, __global int *signs, __global float *real32, __global uint *out, uint n)
{
    __local uint bins[4];
    const uint i = (uint)get_global_id(0), lid = (uint)get_local_id(0);
    uint place = 0, k;
    for (k = lid; k < 4; k += WG)
        bins[k] = k == 2 ? 0xffffffffu : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&words[0], i);
    atomic_sub(&words[1], i);
    atomic_inc(&words[2]);
    atomic_dec(&words[3]);
    atomic_min(&words[4], i + 5u);
    atomic_max(&words[5], i);
    atomic_and(&words[6], ~(1u << (i & 31u)));
    atomic_or(&words[7], 1u << (i & 31u));
    atomic_xor(&words[8], i);
    atomic_add(&signs[0], -(int)i);
    atomic_sub(&signs[1], (int)i);
    atomic_inc(&signs[2]);
    atomic_dec(&signs[3]);
    atomic_min(&signs[4], -(int)i);
    atomic_max(&signs[5], (int)i - 5);
    atomic_xchg(&signs[6], 7);
    atomic_cmpxchg(&signs[7], 0, -8);
    atomic_and(&signs[8], -2);
    atomic_or(&signs[9], 8);
    atomic_xor(&signs[10], (int)i);
    atomic_add(&bins[0], i);
    atomic_inc(&bins[1]);
    atomic_min(&bins[2], i);
    atomic_max(&bins[3], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    PUT(bins[0]);
    PUT(bins[1]);
    PUT(bins[2]);
    PUT(bins[3]);
    PUT(atomic_xchg(&words[16 + i], i + 1u));
    PUT(atomic_cmpxchg(&words[16 + i], i + 1u, i + 2u));
    PUT(atomic_cmpxchg(&words[16 + i], 0u, i + 3u));
    PUT(atomic_add(&words[16 + i], 0u));
    PUT(as_uint(atomic_xchg(&real32[i], 0.5f)));
}

#if ATOMICS64
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_atomics64(__global ulong *words, __global ulong *out, uint n)
{
    const uint i = (uint)get_global_id(0);
    const ulong far = (ulong)i << 33;
    uint place = 0;
    atom_add(&words[0], far);
    atom_sub(&words[1], far);
    atom_inc(&words[2]);
    atom_dec(&words[3]);
    atom_min(&words[4], far + 5);
    atom_max(&words[5], far);
    atom_and(&words[6], ~((ulong)1 << (i & 63u)));
    atom_or(&words[7], (ulong)1 << (i & 63u));
    atom_xor(&words[8], far);
    PUT(atom_xchg(&words[16 + i], far));
    PUT(atom_cmpxchg(&words[16 + i], far, far + 2));
    PUT(atom_cmpxchg(&words[16 + i], (ulong)1, far + 3));
    PUT(atom_or(&words[16 + i], (ulong)0));
}

/* Sums along a chain of groups: each takes a ticket, waits for the group before and publishes flag and sum in one
 * word. Even tickets poll with an atomic, odd ones with a volatile load. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void dialect_chain(__global uint *ticket, volatile __global ulong *state, __global uint *out)
{
    __local uint mine;
    if (get_local_id(0) == 0) {
        const uint t = atomic_inc(ticket);
        ulong before = (ulong)1 << 32;
        while (t > 0) {
            before = t & 1u ? state[t - 1u] : atom_or(&state[t - 1u], (ulong)0);
            if (before >> 32)
                break;
        }
        mine = (uint)before + t;
        atom_xchg(&state[t], ((ulong)1 << 32) | mine);
        out[t] = mine;
    }
}
#endif
