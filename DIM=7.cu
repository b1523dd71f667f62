#undef ELITES
#define ELITES 0
#undef TOURNAMENT
#define TOURNAMENT 3
/* Native version of ga/methods/fused.cl. The product of two 32-bit words is one instruction, without another
 * instruction that adds 0 to the upper half, and so is the address of a member's genes. Parents begin to move to the
 * second-level cache as soon as they are selected.
 *
 * Microseconds of a generation of 1048576 individuals of 30 genes on an H200: 120, not 128.
 */
/* OpenCL C 1.2 in CUDA C++: this text precedes every .cl file, which NVRTC compiles with -default-device. A native
 * .cu file does not get it, unless it says #include "cuda/prelude.cuh" to use .clh files.
 *
 * Kernel files use only what is defined here (tests/compute/lint.py takes the names from this file) and what CUDA
 * itself has with the meaning of OpenCL C, for float and for double:
 * builtin: acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi erf erfc exp exp10 exp2 expm1
 * builtin: fabs fdim floor fma fmax fmin fmod hypot isfinite isinf isnan ldexp lgamma log log10 log1p log2 max min
 * builtin: nextafter pow remainder rint round rsqrt sin sinh sinpi sqrt tan tanh tgamma trunc
 *
 * Groups of one launch talk to each other only through single words: a flag and its value share one ulong.
 * atom_xchg publishes it; atom_or(p, 0) reads it. A volatile load of an aligned ulong is one access too, on CUDA,
 * NVIDIA OpenCL and PoCL, and cheaper to poll with. No fence makes other words of a group visible to another group,
 * except on CUDA devices: in lib/link/meet.clh groups read rows that other groups of the launch have copied, with
 * fences on both sides.
 */
#ifndef SHOAL_PRELUDE_CUH
#define SHOAL_PRELUDE_CUH

/* __local declares a local array at kernel scope; local qualifies a pointer to one. `global`, `constant` and `shared`
 * cannot be macros: CUDA's __global__, __constant__ and __shared__ are macros that expand to these words. */
#define __kernel extern "C" __global__
#define __global
#define __constant __constant__ const
#define __local __shared__
#define local
#define restrict __restrict__
/* A kernel file may define MIN_GROUPS, the number of groups that must fit on a multiprocessor at the same time, which
 * limits registers. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 1
#endif
#define reqd_work_group_size(x, y, z) launch_bounds((x) * (y) * (z), MIN_GROUPS)

#define cl_khr_fp64 1
#define cl_khr_int64_base_atomics 1
#define cl_khr_int64_extended_atomics 1

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
static_assert(sizeof(long) == 8, "a long of OpenCL C has 64 bits");

#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffu
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL
#define MAXFLOAT 0x1.fffffep127f
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fc00000)
#define M_PI_F 3.14159274101257f
#define M_PI 3.141592653589793115998
#define M_E_F 2.71828174591064f
#define M_E 2.718281828459045090796

/* Work-items. Launches have one dimension. */
static size_t get_global_id(uint d) { return d ? 0 : (size_t)blockIdx.x * blockDim.x + threadIdx.x; }
static size_t get_global_size(uint d) { return d ? 1 : (size_t)gridDim.x * blockDim.x; }
static size_t get_group_id(uint d) { return d ? 0 : blockIdx.x; }
static size_t get_num_groups(uint d) { return d ? 1 : gridDim.x; }
static size_t get_local_id(uint d) { return d ? 0 : threadIdx.x; }
static size_t get_local_size(uint d) { return d ? 1 : blockDim.x; }

#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
static void barrier(uint) { __syncthreads(); }
static void mem_fence(uint flags) { flags & CLK_GLOBAL_MEM_FENCE ? __threadfence() : __threadfence_block(); }

/* Defined if fma of floats is a single operation. Not part of OpenCL C, so kernel files test whether it is defined.
 */
#define SHOAL_FAST_FMA 1

/* Not OpenCL C: for other devices, too, what this work-item has written before the fence comes before what it writes
 * after it, and the same holds for reads. */
#define SHOAL_FENCE_DEVICES() __threadfence_system()

/* Not OpenCL C: a load of a word that is not read again, so that the caches keep other data. */
#define SHOAL_LOAD_ONCE(place) __ldcs(place)

/* Not OpenCL C: 1 if the functions SHOAL_WARP_... exist, by which the work-items of a warp exchange values. */
#define SHOAL_WARPS 1
/* Not OpenCL C: the value of work-item lid ^ mask of the same warp. */
#define SHOAL_WARP_SHUFFLE(value, mask) __shfl_xor_sync(0xffffffffu, value, (int)(mask))
/* Not OpenCL C. SHOAL_WARP_UP: the value of the work-item `distance` before this one; SHOAL_WARP_FROM: the value of
 * work-item `number` of the warp; SHOAL_WARP_BALLOT: a word with a bit for each work-item of the warp, set if its
 * condition holds. */
#define SHOAL_WARP_UP(value, distance) __shfl_up_sync(0xffffffffu, value, distance)
#define SHOAL_WARP_FROM(value, number) __shfl_sync(0xffffffffu, value, (int)(number))
#define SHOAL_WARP_SYNC() __syncwarp() /* after it, the work-items of the warp see what each of them wrote before */
#define SHOAL_WARP_BALLOT(condition) __ballot_sync(0xffffffffu, condition)
/* For each work-item, the sum of the values of the work-items up to it, added in the order of a scan with doubling
 * distances. */
static float SHOAL_WARP_SUMS(float x)
{
    for (int distance = 1; distance < 32; distance *= 2)
        asm("{ .reg .f32 y; .reg .pred p; shfl.sync.up.b32 y|p, %1, %2, 0, 0xffffffff; @p add.rn.f32 y, y, %1; mov.f32 %0, y; }"
            : "=f"(x) : "f"(x), "r"(distance));
    return x;
}
/* The same for the work-items from it on. */
static float SHOAL_WARP_SUMS_BACK(float x)
{
    for (int distance = 1; distance < 32; distance *= 2)
        asm("{ .reg .f32 y; .reg .pred p; shfl.sync.down.b32 y|p, %1, %2, 31, 0xffffffff; @p add.rn.f32 y, y, %1; mov.f32 %0, y; }"
            : "=f"(x) : "f"(x), "r"(distance));
    return x;
}
/* Not OpenCL C: keeps a pointer to global memory in registers. The compiler would otherwise compute it again from its
 * parts wherever it is used. */
template <class T> static void SHOAL_KEEP(T *&pointer)
{
    asm("" : "+l"(pointer));
    __builtin_assume(__isGlobal(pointer));
}
/* Not OpenCL C: 1 << n; 0 if n >= 32. */
static uint SHOAL_BIT(uint n)
{
    uint bit;
    asm("shl.b32 %0, 1, %1;" : "=r"(bit) : "r"(n));
    return bit;
}
/* Not OpenCL C: the least of the words of the 32 work-items of a warp. */
static uint SHOAL_WARP_MIN(uint word)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(0xffffffffu, word);
#else
    for (uint mask = 16; mask > 0; mask /= 2) {
        const uint other = SHOAL_WARP_SHUFFLE(word, mask);
        word = other < word ? other : word;
    }
    return word;
#endif
}

/* Functions on bits and integers. */
static int as_int(float x) { return __float_as_int(x); }
static int as_int(uint x) { return (int)x; }
static uint as_uint(float x) { return __float_as_uint(x); }
static uint as_uint(int x) { return (uint)x; }
static float as_float(int x) { return __int_as_float(x); }
static float as_float(uint x) { return __uint_as_float(x); }
static long as_long(double x) { return __double_as_longlong(x); }
static long as_long(ulong x) { return (long)x; }
static ulong as_ulong(double x) { return (ulong)__double_as_longlong(x); }
static ulong as_ulong(long x) { return (ulong)x; }
static double as_double(long x) { return __longlong_as_double(x); }
static double as_double(ulong x) { return __longlong_as_double((long)x); }

static int mul_hi(int a, int b) { return __mulhi(a, b); }
static uint mul_hi(uint a, uint b) { return __umulhi(a, b); }
static long mul_hi(long a, long b) { return __mul64hi(a, b); }
static ulong mul_hi(ulong a, ulong b) { return __umul64hi(a, b); }
static int popcount(int x) { return __popc((uint)x); }
static uint popcount(uint x) { return (uint)__popc(x); }
static ulong popcount(ulong x) { return (ulong)__popcll(x); }
static int clz(int x) { return __clz(x); }
static uint clz(uint x) { return (uint)__clz((int)x); }
static ulong clz(ulong x) { return (ulong)__clzll((long)x); }
static uint rotate(uint x, uint n) { return __funnelshift_l(x, x, n); }
static ulong rotate(ulong x, ulong n) { return x << (n & 63) | x >> (-n & 63); }

template <class T> static int convert_int(T x) { return (int)x; }
template <class T> static uint convert_uint(T x) { return (uint)x; }
template <class T> static long convert_long(T x) { return (long)x; }
template <class T> static ulong convert_ulong(T x) { return (ulong)x; }
template <class T> static float convert_float(T x) { return (float)x; }
template <class T> static double convert_double(T x) { return (double)x; }
static int convert_int_rte(float x) { return __float2int_rn(x); }
static int convert_int_rte(double x) { return __double2int_rn(x); }

/* C: an integer type as wide as T, as OpenCL C demands. */
template <class T, class C> static T select(T a, T b, C c) { return c ? b : a; }

/* Functions on floating-point numbers. mad is an expression that the compiler contracts to one operation, except with
 * strict floating point. */
#define SHOAL_REAL_FUNCTIONS(T)                                                                                   \
    static T mad(T a, T b, T c) { return a * b + c; }                                                             \
    static T clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }                                       \
    static T mix(T a, T b, T t) { return a + (b - a) * t; }                                                       \
    static T sign(T x) { return x > 0 ? (T)1 : x < 0 ? (T)-1 : x == 0 ? x : (T)0; }                               \
    static T pown(T x, int n) { return pow(x, n); }                                                               \
    static T powr(T x, T y) { return pow(x, y); }
SHOAL_REAL_FUNCTIONS(float)
SHOAL_REAL_FUNCTIONS(double)
static int clamp(int x, int low, int high) { return min(max(x, low), high); }
static uint clamp(uint x, uint low, uint high) { return min(max(x, low), high); }
static long clamp(long x, long low, long high) { return min(max(x, low), high); }
static ulong clamp(ulong x, ulong low, ulong high) { return min(max(x, low), high); }

/* Fast functions of floats, which take subnormal numbers for 0, as OpenCL C permits: otherwise each would take up to
 * six operations more. */
#define SHOAL_NATIVE(name, instruction)                                                                           \
    static float name(float x) { float y; asm(instruction ".f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
SHOAL_NATIVE(native_exp2, "ex2.approx.ftz")
SHOAL_NATIVE(native_log2, "lg2.approx.ftz")
/* A base-2 logarithm, for uses in which an error of up to 2^-22 (PTX ISA, lg2.approx), absolute for x from 0.5 to 2
 * and relative elsewhere, is small enough on any device. */
#define SHOAL_NEAR_LOG2(x) native_log2(x)
#define SHOAL_SATURATE(x) __saturatef(x)
SHOAL_NATIVE(native_sqrt, "sqrt.approx.ftz")
SHOAL_NATIVE(native_rsqrt, "rsqrt.approx.ftz")
SHOAL_NATIVE(native_recip, "rcp.approx.ftz")
static float native_exp(float x) { return __expf(x); }
static float native_exp10(float x) { return __exp10f(x); }
static float native_log(float x) { return __logf(x); }
static float native_log10(float x) { return __log10f(x); }
static float native_sin(float x) { return __sinf(x); }
static float native_cos(float x) { return __cosf(x); }
static float native_tan(float x) { return __tanf(x); }
static float native_powr(float x, float y) { return __powf(x, y); }
static float native_divide(float x, float y) { return __fdividef(x, y); }

/* Atomics: 32 bits in global and local memory, ulong in global memory. */
#define SHOAL_ATOMICS(prefix, T, U)                                                                               \
    static T prefix##add(volatile T *p, T x) { return (T)atomicAdd((U *)p, (U)x); }                               \
    static T prefix##sub(volatile T *p, T x) { return (T)atomicAdd((U *)p, (U)0 - (U)x); }                        \
    static T prefix##inc(volatile T *p) { return (T)atomicAdd((U *)p, (U)1); }                                    \
    static T prefix##dec(volatile T *p) { return (T)atomicAdd((U *)p, (U)0 - (U)1); }                             \
    static T prefix##xchg(volatile T *p, T x) { return (T)atomicExch((U *)p, (U)x); }                             \
    static T prefix##cmpxchg(volatile T *p, T old, T x) { return (T)atomicCAS((U *)p, (U)old, (U)x); }            \
    static T prefix##min(volatile T *p, T x) { return (T)atomicMin((U *)p, (U)x); }                               \
    static T prefix##max(volatile T *p, T x) { return (T)atomicMax((U *)p, (U)x); }                               \
    static T prefix##and(volatile T *p, T x) { return (T)atomicAnd((U *)p, (U)x); }                               \
    static T prefix##or(volatile T *p, T x) { return (T)atomicOr((U *)p, (U)x); }                                 \
    static T prefix##xor(volatile T *p, T x) { return (T)atomicXor((U *)p, (U)x); }
SHOAL_ATOMICS(atomic_, int, int)
SHOAL_ATOMICS(atomic_, uint, uint)
SHOAL_ATOMICS(atom_, ulong, unsigned long long)
static float atomic_xchg(volatile float *p, float x) { return atomicExch((float *)p, x); }

#endif
/* For native versions, to be included before the .cl text: computes the product of two 32-bit words by one
 * instruction. The compiler itself would use a second one, which adds 0 to the upper half of the 64-bit product. */
#ifndef SHOAL_PHILOX_CUH
#define SHOAL_PHILOX_CUH

static inline ulong wide_product(uint multiplier, uint word)
{
    ulong product;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(product) : "r"(multiplier), "r"(word));
    return product;
}
#define SHOAL_PHILOX_PRODUCT(multiplier, word) wide_product(multiplier, word)

#endif

#define ANY_OF_WARP(condition) __any_sync(__activemask(), condition)

template <class T> static const T *member_at(const T *x, uint member, uint bytes)
{
    const T *at;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(at) : "r"(member), "r"(bytes), "l"(x));
    __builtin_assume(__isGlobal(at));
    return at;
}
#define MEMBER_AT(x, member) member_at(x, member, (uint)(LINE * sizeof(real)))
#define EARLY_PARENTS 1
#define FETCH(address) asm volatile("prefetch.global.L2 [%0];" : : "l"(address))

/* One launch makes a generation of populations in global memory, from the selection to the values. The genes of a
 * member are neighbours in memory. First, a work-item selects the parents of a pair. Then neighbouring work-items read
 * neighbouring genes of the parents, and write the crossed genes to local memory. There, a work-item mutates and
 * evaluates the children of a pair. Operators and objective are the same as for islands on the chip. */
#define IN_MEMORY 1
/* CUDA: number of groups that must fit a multiprocessor at the same time, which limits the registers of a work-item. */
#ifndef MIN_GROUPS
#define MIN_GROUPS 8
#endif
/* Number of pairs of a group. */
#ifndef GROUP_PAIRS
#define GROUP_PAIRS 64
#endif
/* Count of numbers from a member to the next member in memory; 0: DIM. */
#ifndef STRIDE
#define STRIDE 0
#endif
/* Children of an island on the chip: parents, crossover, mutation, values. */
#ifndef GA_ONCHIP_VARY_CLH
#define GA_ONCHIP_VARY_CLH

/* An island that stays on the chip: local memory, and the positions of members in it.
 *
 * The island has MEMBERS members of DIM genes. ELITES members stay in each generation. LANES neighbouring work-items
 * share a pair of children, each with COORDS neighbouring genes of both children. A work-item has the pairs place,
 * place + PLACES, ...: on a GPU one pair; on a CPU, where a group is one work-item, all pairs of the island. Local
 * memory holds the genes and values of the members. Children are private until all parents have been read.
 */
#ifndef GA_ONCHIP_CLH
#define GA_ONCHIP_CLH

#ifndef WG
#define WG 64
#endif
#ifndef MEMBERS
#define MEMBERS 128
#endif
#ifndef LANES
#define LANES 1
#endif
#ifndef ELITES
#define ELITES 1
#endif
/* Number of contestants in a tournament. */
#ifndef TOURNAMENT
#define TOURNAMENT 2
#endif
/* 0: at most one gene of a child mutates. */
#ifndef FURTHER
#define FURTHER 1
#endif
#ifndef SELECTION
#define SELECTION 0
#endif
#ifndef CROSSOVER
#define CROSSOVER 1
#endif
#ifndef MUTATION
#define MUTATION 1
#endif
#ifndef BOUNDS
#define BOUNDS 0
#endif
/* 1: sigma is in widths of the box. */
#ifndef SIGMA_BOX
#define SIGMA_BOX 1
#endif
#ifndef TABLE_ROWS
#define TABLE_ROWS 1
#endif
/* Size of local memory in units of 8 bytes. */
#ifndef POOL
#define POOL 4096
#endif

/* 1: local memory holds only the children of a group, and populations are in global memory (ga/methods/fused.cl); 0:
 * local memory holds an island. */
#ifndef IN_MEMORY
#define IN_MEMORY 0
#endif

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

/* INLINE: always inlined. Needed for functions with pointers to local memory, on which PoCL 3.1 crashes otherwise, and
 * for functions in loops that should become vector code. */
#define INLINE inline __attribute__((always_inline))
#define SHOAL_PHILOX_INLINE INLINE
#define GA_INLINE INLINE

/* 0: genes that are not crossed are computed like all others, since neighbouring work-items may take different
 * branches, and since loops should become vector code. */
#define GA_BRANCHES (WG == 1 && REAL == 64)

/* In single precision, powers, quotients and normal numbers of the operators use fast functions of the device; a native
 * version may define its own. On CPUs, with groups of one work-item, they use polynomials. */
#if REAL == 32
#if WG == 1
/* Base-2 logarithms, powers of two and rounding in single precision, without calls and branches, so that
 * loops around them become vector code on CPUs.
 *
 * Largest errors: of fast_log2 6e-8 times the result, but at least 1.2e-7; of fast_exp2 1.5e-7 times the
 * result. fast_log2 is for positive normal numbers; 0 and subnormal numbers give about -127. fast_exp2
 * returns at least 2^-126 and at most 2^127. */
#ifndef SHOAL_POWER_CLH
#define SHOAL_POWER_CLH

static inline float fast_log2(float x)
{
    /* x = 2^exponent m, with m between 2/3 and 4/3. */
    const int exponent = (as_int(x) - 0x3f2aaaab) >> 23;
    const float t = as_float(as_int(x) - exponent * 0x800000) - 1.0f;
    float p = 0.20824945744534046f;
    p = p * t - 0.22222174286876895f;
    p = p * t + 0.20058518966367336f;
    p = p * t - 0.23678641132410905f;
    p = p * t + 0.28879563551130244f;
    p = p * t - 0.3607895754323524f;
    p = p * t + 0.4808940982580232f;
    p = p * t - 0.7213465410841338f;
    p = p * t + 1.4426950525388527f;
    return p * t + (float)exponent;
}

static inline float fast_exp2(float x)
{
    /* Adding 1.5 * 2^23 rounds to the nearest integer, which is then in the low bits of `sum`. PoCL computes
     * rint() by some twenty instructions. */
    const float inside = clamp(x, -126.0f, 127.0f), sum = inside + 12582912.0f,
                t = inside - (sum - 12582912.0f);
    float p = 0.0013410000122610272f;
    p = p * t + 0.009676036361722281f;
    p = p * t + 0.055502973140881685f;
    p = p * t + 0.24022107374233437f;
    p = p * t + 0.6931472253985138f;
    p = p * t + 1.0f;
    return as_float(as_int(p) + (as_int(sum) - as_int(12582912.0f)) * 0x800000);
}

/* convert_int_rte(x), of which PoCL makes about forty instructions, if |x| < 2^31. For other x, and for what
 * is no number, the result is undefined. */
static inline int fast_round(float x)
{
    /* An even integer less than 2 away: adding 1.5 * 2^23 to the rest rounds it, a half to an even one. */
    const int even = (int)x & ~1;
    const float left = x - (float)even, sum = left + 12582912.0f;
    return even + as_int(sum) - as_int(12582912.0f);
}

#endif
#define GA_EXP2 fast_exp2
#define GA_LOG2 fast_log2
#define GA_COS2PI cos2pi
#define GA_SIN2PI sin2pi
#define GA_SQRT sqrt
#else
#define GA_EXP2 native_exp2
#define GA_LOG2 native_log2
#define GA_COS2PI(x) native_cos(6.283185307179586f * (x))
#define GA_SIN2PI(x) native_sin(6.283185307179586f * (x))
#define GA_SQRT native_sqrt
#endif
#ifndef GA_POWER
#define GA_POWER(x, exponent) GA_EXP2((exponent)*GA_LOG2(x))
#endif
#ifndef GA_QUOTIENT
#define GA_QUOTIENT(a, b) ((a)*native_recip(b))
#endif
#define GA_NORMAL_PAIR fast_normal_pair
#endif

/* Converts random words to real numbers. */
#ifndef SEARCH_RANDOM_CLH
#define SEARCH_RANDOM_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Trigonometric functions of angles in turns. The reduction of their argument is exact, and takes less time than that
 * of sin and cos.
 *
 * cos2pi and sin2pi are within 2 ulp of cos(2 pi x) and sin(2 pi x) for every finite x, also near zeros of these
 * functions. Values 0, 1 and -1 are exact, and no value is outside [-1, 1]. An infinity gives NaN. The largest errors
 * over all floats are 1.55 and 1.41 ulp with fused multiply-add, 1.77 and 1.72 ulp without; those in double precision
 * are the same. */
#ifndef SHOAL_TRIG_CLH
#define SHOAL_TRIG_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

/* sin(pi k / 2) for -1 <= k <= 1, as k (1 + w P(w)) with w = 1 - k^2. Near |k| = 1, where the function is flat, only
 * the rounding of the last operation remains. The minimax polynomials P have relative errors of 6.0e-9 and 2.7e-19
 * before rounding. */
static inline real sin_quarter_turns(real k)
{
    const real w = R(1.0) - k * k;
#if REAL == 64
    real p = 5.869187055485711134e-12;
    p = p * w + 6.214732360464062613e-10;
    p = p * w + 5.240669041556002299e-8;
    p = p * w + 3.271023245511220003e-6;
    p = p * w + 0.0001432778057136687437;
    p = p * w + 0.004074862465946083949;
    p = p * w + 0.06657486246595854600;
    p = p * w + 0.4999999999999999702;
#else
    real p = 0.0001512808061f;
    p = p * w + 0.004068270136f;
    p = p * w + 0.06657697282f;
    p = p * w + 0.4999997936f;
#endif
    return p * w * k + k;
}

/* The integer nearest to x. GPUs have an instruction for rint(); PoCL needs some twenty. On CPUs 2^52 (2^23 in single
 * precision) is added and subtracted, since all larger numbers are integers. NVRTC defines the macros of the CPU,
 * too. The result is that of rint(), except for the sign of a zero nearest to a negative x. */
static inline real whole_turns(real x)
{
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__CUDACC__)
#if REAL == 64
    const real large = copysign(4503599627370496.0, x);
#else
    const real large = copysign(8388608.0f, x);
#endif
    return fabs(x) < fabs(large) ? (x + large) - large : x;
#else
    return rint(x);
#endif
}

static inline real cos2pi(real x)
{
    return sin_quarter_turns(R(1.0) - fabs(R(4.0) * (x - whole_turns(x))));
}

static inline real sin2pi(real x)
{
    const real turn = x - whole_turns(x), part = fabs(turn);
    return sin_quarter_turns(copysign(R(4.0) * (part > R(0.25) ? R(0.5) - part : part), turn));
}

/* sin(pi x)^2, which is (1 - cos(2 pi x)) / 2 without the difference of nearly equal numbers. */
static inline real sin_pi_squared(real x)
{
    const real s = sin_quarter_turns(R(2.0) * (x - whole_turns(x)));
    return s * s;
}

#endif

/* Converts a random word to a number that must still be multiplied by WORD_SCALE to be in [0, 1). The product is exact.
 * A caller that multiplies by a factor of its own includes WORD_SCALE in it. Both precisions use the upper bits of the
 * same word, so that their searches start at the same points. */
#if REAL == 64
#define WORD_SCALE 2.3283064365386962890625e-10
static inline real word_number(uint word)
{
    return (real)word;
}
#else
#define WORD_SCALE 5.9604644775390625e-8f
static inline real word_number(uint word)
{
    return (real)(word >> 8);
}
#endif

/* Converts a random word to a number in [0, 1). */
static inline real uniform(uint word)
{
    return word_number(word) * WORD_SCALE;
}

/* half_word_number: converts 16 random bits to the number plus 1/2, which must still be multiplied by HALF_WORD_SCALE,
 * 2^-16. uniform16: converts 16 random bits to a number in (0, 1). */
#define HALF_WORD_SCALE R(1.52587890625e-5)
static inline real half_word_number(uint half_word)
{
    return (real)half_word + R(0.5);
}

static inline real uniform16(uint half_word)
{
    return half_word_number(half_word) * HALF_WORD_SCALE;
}

/* The distance from 0 of two standard normal numbers. */
static inline real normal_radius(uint word)
{
    return sqrt(R(-2.0) * log(((real)word + R(0.5)) * R(2.3283064365386962890625e-10)));
}

/* Makes two standard normal numbers from two random words. */
static inline void normal_pair(uint a, uint b, real *first, real *second)
{
    const real radius = normal_radius(a);
    /* sinpi is not used: in scalar code PoCL 3.1 computes it wrongly. */
    *first = radius * cos2pi(uniform(b));
    *second = radius * sin2pi(uniform(b));
}

#endif

#if REAL == 32
/* Computes what normal_pair() computes, by the fast functions. The maximum is needed since a fast logarithm of a number
 * near 1 may be above 0. */
static inline void fast_normal_pair(uint a, uint b, real *first, real *second)
{
    const real u = ((real)a + 0.5f) * 2.3283064365386963e-10f, turn = 2.3283064365386963e-10f * (real)b;
    const real radius = GA_SQRT(max(-1.38629436f * GA_LOG2(u), 0.0f));
    *first = radius * GA_COS2PI(turn);
    *second = radius * GA_SIN2PI(turn);
}
#endif

/* The interface between the kernels and the text of an objective. The text (objective/snippet.clh) defines SHAPE as one
 * of the following, and with it the macros and functions that are listed there:
 *
 * PER_DIMENSION
 *     TERMS               number of accumulators, 1 to 4
 *     TERM_0 .. TERM_3    how accumulator k joins its terms: SUM (the default), PRODUCT, or COMPLEMENT: one minus the
 *                         product of one minus each term, for products near 1
 *     NEIGHBOUR           if the terms use `next`, the coordinate x[d + 1]; there are then terms for d < dim - 1 only
 *     SINGLES             number of single coordinates, which every term and the value may use; default 0. Single
 *                         coordinate j is the coordinate of dimension objective_single(j), a uint; the functions of
 *                         the text get it in term[TERMS + j] and sum[TERMS + j]
 *     void objective_terms(real *term, real x, real next, uint d, uint dim)     fills term[0 .. TERMS - 1]
 *     real objective_finish(const real *sum, uint dim)                          value from the accumulators
 * DATA_ROWS
 *     real objective_residual(const real *x, const real *row)                   DIM coordinates, COLUMNS numbers
 *     RULE(r)             what is summed over the rows, default (r) * (r)
 * OPAQUE
 *     real objective_value(const real *x, uint dim)
 *     TABLE               with a table: objective_value(const real *x, __global const real *table, uint dim),
 *                         whose numbers are ELEMENT(table, row, column)
 *     BY_TEAM             in kernels with TEAM_POINTS: the functions of objective/turn.clh replace objective_value
 * OPAQUE with VARIABLES, a list of variables in quotation marks, for genes of any kind
 *     real objective_value(GENOME, uint dim)            GENE(i), WHOLE(i), BIT(i), WORD(w), PLACE(i) are the genes
 *     VALUE               LONG: objective_value returns a long, so that integer values are exact
 *     CHANGE              FLIP, SWAP or INSERTION: objective_change(GENOME, uint i, uint j, uint dim) returns the
 *                         change of the value by this move, of bit i, or of places i and j. If the text has a table,
 *                         the table is the argument before i
 *     REPAIR              if the text has void objective_repair(GENOME_MUTABLE, uint dim), which makes an individual
 *                         feasible by SET_GENE, SET_WHOLE, SET_BIT, SET_WORD, SET_PLACE and SWAP_PLACES. If the text
 *                         has a table, the table is the argument before dim
 *     TABLE               as for OPAQUE: objective_value(GENOME, __global const real *table, uint dim); INT: a table
 *                         of int
 *
 * Every shape without VARIABLES may also have
 *     CONSTRAINTS         number of constraints
 *     EQUALITIES          number of equalities, which are the last of the constraints; default 0
 *     void objective_constraints(real *g, const real *x, uint dim)              fills g[0 .. CONSTRAINTS - 1]
 *
 * The host writes these macros before a text with the shape PER_DIMENSION or OPAQUE. The shape is then OPAQUE, and
 * objective_value of an OPAQUE text is renamed to plain_value:
 *     ROTATED             the objective in rotated coordinates
 *     CONSTRAINED         1, or -1 to maximise: the value is the rank of objective/constrained.clh, computed from the
 *                         violation objective_violation(x or genome, dim), a function that the host writes
 *     RELAXED             with CONSTRAINED: the value is the value of the objective without the constraints
 *
 * All functions are static inline. Terms are joined in any order and bracketing. */
#ifndef OBJECTIVE_CLH
#define OBJECTIVE_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

#define PER_DIMENSION 1
#define DATA_ROWS 2
#define OPAQUE 3

#define SUM 0
#define PRODUCT 1
#define COMPLEMENT 2

/* DIM: dimension; COLUMNS: count of numbers in a row of the table. Programs with DATA_ROWS or OPAQUE texts define
 * them. */
#ifndef DIM
#define DIM 1
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
/* An element of the table that an opaque text reads. The table has TABLE_ROWS rows. */
#ifndef ELEMENT
#define ELEMENT(table, row, column) (table)[(uint)(row) * COLUMNS + (uint)(column)]
#endif

#define INT 1
#define LONG 1

#define FLIP 1
#define SWAP 2
#define INSERTION 3

/* An individual in 32-bit words. Its parts are: reals (in double precision two words, the low word first), whole
 * numbers, bits, and places, two in a word, the place with even index in the low half. Word n of a part is n * tile
 * words after the first word of the part.
 *
 * Kernels with another layout of bits or places define WORD or PLACE before they include this file, and GENOME_MOVED as
 * the type of the member `moved`, which these macros read. Kernels with another layout of all genes define GENOME,
 * GENE, WHOLE, WORD and PLACE before, and for texts with REPAIR also GENOME_MUTABLE and the macros that set genes. The
 * parameter is always named `genome`. Only in a GENOME_MUTABLE the member is_set can be assigned, so a text can set
 * only genes of this individual. The macros that read a gene contain a cast, so that their result cannot be assigned.
 */
#ifndef GENOME
struct genome {
    __global uint *reals, *wholes, *words, *places;
    uint tile, is_set, generation;
#ifdef GENOME_MOVED
    GENOME_MOVED moved;
#endif
};
static inline real genome_real(const struct genome *genome, uint i)
{
#if REAL == 64
    const ulong low = genome->reals[2u * i * genome->tile], high = genome->reals[(2u * i + 1u) * genome->tile];
    return as_double((long)(high << 32 | low));
#else
    return as_float(genome->reals[i * genome->tile]);
#endif
}
static inline void genome_set_real(const struct genome *genome, uint i, real value)
{
#if REAL == 64
    const ulong bits = as_ulong(value);
    genome->reals[2u * i * genome->tile] = (uint)bits;
    genome->reals[(2u * i + 1u) * genome->tile] = (uint)(bits >> 32);
#else
    genome->reals[i * genome->tile] = as_uint(value);
#endif
}
static inline void genome_set_place(const struct genome *genome, uint i, uint value)
{
    __global uint *const two = genome->places + i / 2u * genome->tile;
    *two = i % 2u ? (*two & 0xffffu) | value << 16 : (*two & 0xffff0000u) | (value & 0xffffu);
}
#define GENOME          const struct genome *genome
#define GENOME_MUTABLE  struct genome *genome
#define GENE(i)         genome_real(genome, (uint)(i))
#define WHOLE(i)        ((int)genome->wholes[(uint)(i) * genome->tile])
#ifndef WORD
#define WORD(w)         ((uint)genome->words[(uint)(w) * genome->tile])
#endif
#ifndef PLACE
#define PLACE(i)        (genome->places[(uint)(i) / 2u * genome->tile] >> (uint)(i) % 2u * 16u & 0xffffu)
#endif
#define GENERATION      (genome->generation)
#define SET_GENE(i, v)  SET(genome_set_real(genome, (uint)(i), v))
#define SET_WHOLE(i, v) SET(genome->wholes[(uint)(i) * genome->tile] = (uint)(int)(v))
#define SET_WORD(w, v)  SET(genome->words[(uint)(w) * genome->tile] = (v))
#define SET_PLACE(i, v) SET(genome_set_place(genome, (uint)(i), v))
#endif
#define SET(action)    ((void)(genome->is_set = 1u), (void)(action))
#ifndef BIT
#define BIT(i)         (WORD((uint)(i) / 32u) >> (uint)(i) % 32u & 1u)
#define SET_BIT(i, v)                                                     \
    SET_WORD((uint)(i) / 32u, (WORD((uint)(i) / 32u) & ~(1u << (uint)(i) % 32u)) | \
                                  (uint)((v) != 0) << (uint)(i) % 32u)
#endif
#define SWAP_PLACES(i, j)                     \
    do {                                      \
        const uint place_of_swap = PLACE(i);  \
        SET_PLACE(i, PLACE(j));               \
        SET_PLACE(j, place_of_swap);          \
    } while (0)

/* The objective of a program. The host replaces this file by the text of the objective. */
#define SHAPE PER_DIMENSION
#define TERMS 1

static inline void objective_terms(real *term, real x, real next, uint d, uint dim)
{
    (void)next;
    (void)d;
    (void)dim;
    term[0] = x * x;
}

static inline real objective_finish(const real *sum, uint dim)
{
    (void)dim;
    return sum[0];
}

/* The argument of objective_value after x, for texts that read a table. */
#ifdef TABLE
#define TABLE_ARGUMENT(argument) argument,
#else
#define TABLE_ARGUMENT(argument)
#define TABLE 0
#endif
#ifndef VALUE
#define VALUE 0
#endif
#ifndef CHANGE
#define CHANGE 0
#endif
/* A text may define TABLE without a value. */
#if TABLE + 0 == INT
typedef int table_number;
#else
typedef real table_number;
#endif
#if VALUE == LONG
typedef long objective_number;
#else
typedef real objective_number;
#endif

#ifndef SINGLES
#define SINGLES 0
#define objective_single(j) 0u
#endif

#if SHAPE == PER_DIMENSION

#ifndef TERM_0
#define TERM_0 SUM
#endif
#ifndef TERM_1
#define TERM_1 SUM
#endif
#ifndef TERM_2
#define TERM_2 SUM
#endif
#ifndef TERM_3
#define TERM_3 SUM
#endif
#ifdef NEIGHBOUR
#define COUPLED 1
#else
#define COUPLED 0
#endif
/* TERMS accumulators, followed by the single coordinates. The caller of terms_none() sets the single coordinates. */
typedef struct {
    real a[TERMS + SINGLES];
} terms;

/* Returns the dimension of single coordinate j. A dimension that the text states beyond the point is replaced by the
 * last one. */
static inline uint single_dimension(int j, uint dim)
{
    (void)j;
    return min(objective_single(j), dim - 1u);
}

/* The kind of accumulator k. The expression is constant if k is. */
#define TERM_KIND(k) ((k) == 0 ? TERM_0 : (k) == 1 ? TERM_1 : (k) == 2 ? TERM_2 : TERM_3)

static inline terms terms_none(void)
{
    terms none;
    int k;
    for (k = 0; k < TERMS; k++)
        none.a[k] = TERM_KIND(k) == PRODUCT ? R(1.0) : R(0.0);
    for (k = TERMS; k < TERMS + SINGLES; k++)
        none.a[k] = R(0.0);
    return none;
}

/* Joins the terms of two ranges of dimensions of a point. The dimensions of `left` come before those of `right`. The
 * loop is unrolled, since loops around its branches would not become vector code. */
static inline terms terms_join(terms left, terms right)
{
    int k;
#pragma unroll
    for (k = 0; k < TERMS; k++)
        left.a[k] = TERM_KIND(k) == SUM       ? left.a[k] + right.a[k]
                    : TERM_KIND(k) == PRODUCT ? left.a[k] * right.a[k]
                                              : left.a[k] + right.a[k] - left.a[k] * right.a[k];
    return left;
}

/* Adds the terms of dimension d. With COUPLED, d < dim - 1, and next is x[d + 1]. */
static inline terms terms_add(terms sum, real x, real next, uint d, uint dim)
{
    terms one;
    int k;
    for (k = TERMS; k < TERMS + SINGLES; k++)
        one.a[k] = sum.a[k];
    objective_terms(one.a, x, next, d, dim);
    return terms_join(sum, one);
}

/* Returns the value at a point. sum: the joined terms of all dimensions. */
static inline real terms_value(terms sum, uint dim)
{
    return objective_finish(sum.a, dim);
}

#elif SHAPE == DATA_ROWS

#ifndef RULE
#define RULE(r) ((r) * (r))
#endif

#endif

#ifndef CONSTRAINED
#define CONSTRAINED 0
#endif
#if defined ROTATED || CONSTRAINED

/* Parameters (PLAIN_POINT) and arguments (PLAIN_PASSED) of the function plain_value, the value without rotation and
 * constraints. */
#ifdef VARIABLES
#define PLAIN_POINT  GENOME
#define PLAIN_PASSED genome
#else
#define PLAIN_POINT  const real *x
#define PLAIN_PASSED x
#endif
#ifdef ROTATED
#define PLAIN_TABLE(argument)
#else
#define PLAIN_TABLE(argument) TABLE_ARGUMENT(argument)
#endif

#if SHAPE == PER_DIMENSION
static inline real plain_value(const real *x, uint dim)
{
    terms sum = terms_none();
    uint d;
    int j;
    for (j = 0; j < SINGLES; j++)
        sum.a[TERMS + j] = x[single_dimension(j, dim)];
    for (d = 0u; d + COUPLED < dim; d++)
        sum = terms_add(sum, x[d], x[d + COUPLED], d, dim);
    return terms_value(sum, dim);
}
#else
static inline objective_number plain_value(PLAIN_POINT, PLAIN_TABLE(__global const table_number *table) uint dim);
#endif

#if CONSTRAINED && !defined RELAXED

/* The rank: a number by which a search compares the points of an objective with constraints, by the rules of K. Deb
 * (Computer Methods in Applied Mechanics and Engineering 186, 311-338, 2000). If a point meets all constraints, its
 * rank is its value. If not, its rank is CONSTRAINED_SCALE times the violation. Such a rank is above CONSTRAINED_LIMIT,
 * and so above all values; so the value or the violation can be computed from the rank. The scale is a power of two, so
 * no digit is lost. So that single precision can represent every rank, violations are limited to 2^-40 .. 2^36, and
 * values to numbers below 2^50.
 *
 * If value or violation is NaN, the rank is NaN, which counts as the worst rank.
 */
#ifndef CONSTRAINED_CLH
#define CONSTRAINED_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

#define CONSTRAINED_LIMIT       R(1125899906842624.0)
#define CONSTRAINED_BELOW_LIMIT R(1125899839733760.0)
#define CONSTRAINED_SCALE       R(1237940039285380274899124224.0)
#define CONSTRAINED_LEAST       R(9.094947017729282379150390625e-13)
#define CONSTRAINED_MOST        R(68719476736.0)

/* Returns by how much g exceeds 0; 0 if g is not positive. NaN stays NaN. */
static inline real constraint_excess(real g)
{
    return g <= R(0.0) ? R(0.0) : g;
}

/* Returns the rank for a value that is to be minimised, and a violation. */
static inline real constrained_rank(real value, real violation)
{
    if (violation <= R(0.0))
        return value >= CONSTRAINED_LIMIT && value < (real)INFINITY ? CONSTRAINED_BELOW_LIMIT : value;
    return CONSTRAINED_SCALE * (violation < CONSTRAINED_LEAST  ? CONSTRAINED_LEAST
                                : violation > CONSTRAINED_MOST ? CONSTRAINED_MOST
                                                               : violation);
}

#endif

static inline real objective_violation(PLAIN_POINT, uint dim);

/* Returns the rank of a point, times the sign of the search. The objective is evaluated only if the point meets all
 * constraints. */
static inline real constrained_value(PLAIN_POINT, PLAIN_TABLE(__global const table_number *table) uint dim)
{
    const real sign = (real)(CONSTRAINED), violation = objective_violation(PLAIN_PASSED, dim);
    const real value = violation <= R(0.0) ? plain_value(PLAIN_PASSED, PLAIN_TABLE(table) dim) : R(0.0);
    return sign * constrained_rank(sign * value, violation);
}
#define unrotated_value constrained_value
#else
#define unrotated_value plain_value
#endif

#ifdef ROTATED
/* The points whose values are computed at the same time. A work-item of most kernels evaluates a point of its own. A
 * kernel whose work-groups have points in common offers its work-items: before it includes the objective, it includes
 * search/team.clh and defines TEAM_POINTS, the number of points of a group (0: no offer). A text that accepts this offer
 * defines BY_TEAM. Then the points are in local memory, and the work-items of a group divide the coordinates of all
 * points among themselves.
 *
 * Element AT_POINT(n, d) of an array is coordinate d of point n.
 *
 * The product of a matrix and these points is here, too. The rows of the matrix are rows of a table. */
#ifndef OBJECTIVE_TURN_CLH
#define OBJECTIVE_TURN_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

#ifdef BY_TEAM
#define POINT_COUNT  ((uint)TEAM_POINTS)
#define POINT_SPACE  local
#define POINT_SYNC() TEAM_SYNC()
#else
#define POINT_COUNT  1u
#define POINT_SPACE
#define POINT_SYNC()
#endif

#define AT_POINT(n, d) ((uint)(d) * POINT_COUNT + (uint)(n))

/* Loops over part `part` < parts of point `n`, for all points. Neighbouring work-items have neighbouring points. */
#if defined BY_TEAM && WG > 1
#define POINT_PARTS(n, part, parts)                                                                            \
    for (uint place = TEAM_LANE, n = place % POINT_COUNT, part = place / POINT_COUNT; part < (parts);          \
         place += WG, n = place % POINT_COUNT, part = place / POINT_COUNT)
#else
#define POINT_PARTS(n, part, parts)             \
    for (uint part = 0u; part < (parts); part++) \
        for (uint n = 0u; n < POINT_COUNT; n++)
#endif

/* For functions that get pointers to local memory: PoCL 3.1 crashes on such functions if its compiler does not inline
 * them. */
#define INLINE inline __attribute__((always_inline))

#ifdef BY_TEAM
/* Functions of the text. objective_terms: all work-items compute the terms of all points, which are returned: y or z. x:
 * the points, and another number for each; y, z: DIM numbers for each point. objective_value_of: the value of point n. */
static INLINE local real *objective_terms(local real *x, local real *y, local real *z, __global const real *table);
static INLINE real objective_value_of(const local real *x, const local real *terms, uint n, __global const real *table);
#endif

/* Number of rows whose elements a work-item loads together, so that it waits for all loads at once. */
#define TURN_ROWS         4u
#define TURN_STRIPS       (((uint)DIM + TURN_ROWS - 1u) / TURN_ROWS)
/* Row first + r of a matrix; the last row if the matrix has fewer rows. */
#define TURN_ROW(first, r) ((first) + (r) < DIM ? (first) + (r) : DIM - 1u)

/* Computes out = matrix z for each point. The matrix has DIM rows, from row `row` of the table on. strips: TURN_STRIPS;
 * 0: nothing is computed. */
static INLINE void turn_by_rows(POINT_SPACE real *out, __global const real *table, uint row, uint strips,
                                const POINT_SPACE real *z)
{
    POINT_PARTS(n, strip, strips) {
        const uint first = strip * TURN_ROWS;
        real sum[TURN_ROWS];
        uint j, r;
        for (r = 0u; r < TURN_ROWS; r++)
            sum[r] = R(0.0);
        for (j = 0u; j < DIM; j++)
            for (r = 0u; r < TURN_ROWS; r++)
                sum[r] += ELEMENT(table, row + TURN_ROW(first, r), j) * z[AT_POINT(n, j)];
        for (r = 0u; r < TURN_ROWS; r++)
            if (first + r < DIM)
                out[AT_POINT(n, first + r)] = sum[r];
    }
    POINT_SYNC();
}

#endif

/* Returns f(m + R (x - m)), where f is the objective of the text. Row d of the table has row d of R and the coordinate
 * of m, which is the same in each dimension. */
#define ROTATION_CENTRE(table) ELEMENT(table, 0u, DIM)
static inline real objective_value(const real *x, __global const real *table, uint dim)
{
    const real centre = ROTATION_CENTRE(table);
    real moved[DIM], turned[DIM];
    uint d;
    for (d = 0u; d < dim; d++)
        moved[d] = x[d] - centre;
    turn_by_rows(turned, table, 0u, TURN_STRIPS, moved);
    for (d = 0u; d < dim; d++)
        turned[d] = centre + turned[d];
    return unrotated_value(turned, dim);
}
#else
static inline real objective_value(PLAIN_POINT, PLAIN_TABLE(__global const table_number *table) uint dim)
{
    return unrotated_value(PLAIN_PASSED, PLAIN_TABLE(table) dim);
}
#endif

#undef SHAPE
#define SHAPE OPAQUE

#endif

#endif
/* Records of islands and their update at the end of a step: "Islands, restarts, stopping" in docs/search.md.
 *
 * An island has ISLAND_WORDS words in the buffer `words`, ISLAND_REALS reals in `reals` (search/layout.clh), and dim
 * reals in `champion`. */
#ifndef SEARCH_ISLAND_CLH
#define SEARCH_ISLAND_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Layout of words, reals and settings that the host and the kernels of searches share. The text is C, OpenCL C and
 * CUDA. */
#ifndef SEARCH_LAYOUT_CLH
#define SEARCH_LAYOUT_CLH

/* The host includes <stdint.h> before this file. */
#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__) && !defined(__CUDACC__)
#define LAYOUT_ULONG uint64_t
#else
#define LAYOUT_ULONG ulong
#endif

/* Words of an island in the buffer `words`. */
enum search_island_word {
    ISLAND_STEPS,         /* number of steps done; does not change after the island has ended */
    ISLAND_REACHED,       /* 1: the run reached its target */
    ISLAND_ENDED,         /* 1: the run has ended by target or stagnation; 2: by members that are all near the best */
    ISLAND_STAGNANT,      /* steps since the mark was set */
    ISLAND_RESTARTS,      /* number of restarts */
    ISLAND_RENEW_AT,      /* the step after the last step that did not lower the island's best */
    ISLAND_IMPROVED,      /* 1: the last step lowered the island's best */
    ISLAND_NOT_FINITE,    /* evaluations that gave NaN or an infinity */
    ISLAND_GOAL_INDEX,    /* index within the island of its best member */
    /* The next two words are for a step whose exchange is made by a later launch. */
    /* PENDING_NONE: no step is pending; PENDING_MOVE, PENDING_DRAW: the last step waits for its exchange */
    ISLAND_PENDING,
    ISLAND_PENDING_INDEX, /* index of the best member of the pending step */
    ISLAND_MOVES,         /* moves that a local search evaluated, a number of 64 bits: its low word */
    ISLAND_MOVES_HIGH,
    ISLAND_WORDS = 16
};

enum search_pending { PENDING_NONE, PENDING_MOVE, PENDING_DRAW };

/* Reals of an island in the buffer `reals`. */
enum search_island_real {
    ISLAND_GOAL,         /* best of the island's members */
    ISLAND_MARK,         /* value of the best member when it last improved by more than the tolerance */
    ISLAND_CHAMPION,     /* best value so far, restarts included */
    ISLAND_PENDING_GOAL, /* value of the best member of the pending step */
    ISLAND_REALS
};

/* The buffer `settings`, of reals. */
enum search_setting {
    SET_LOWER,     /* lower bound of each dimension; unused with BOX */
    SET_UPPER,
    SET_SIGN,      /* 1, or -1 to maximise */
    SET_TARGET,    /* target as a value of sign f; -infinity: no target */
    SET_TOLERANCE, /* tolerance of stagnation, relative to max(1, |mark|); negative: relative to |mark| alone */
    SET_OWN,       /* first index of the settings of the algorithm itself */
    /* with BOX: [dim] lower bounds, [dim] upper bounds, and [dim] shifts (BOX 1) or flags (BOX 2; 1: the coordinate is
     * rounded down). Then, in any case, the table of the objective. */
    SET_BOX = 16
};

/* Rows of coordinates (search/rows.clh) have room for whole vectors of so many numbers. */
#define ROW_VECTOR 16

/* Sizes of the islands that the device has: all islands of all runs, or its share of them. */
struct search_shape {
    LAYOUT_ULONG seed; /* seed of the first run */
    unsigned members, run_islands, islands;
    unsigned dim;          /* numbers of a member: reals, or words of a genome */
    unsigned tile, stride; /* layout of members: see src/search/device/device.h */
    unsigned restart;      /* steps without improvement after which an island is drawn anew; 0: never */
    /* number of islands of the first run before the device's first island; other devices have them */
    unsigned lead;
};

/* Words that describe a variable for search_decode. */
enum search_variable_word {
    VARIABLE_KIND,  /* enum search_variable_kind */
    /* index of the variable's first gene among the genes of its kind; for a coded variable, among the bits */
    VARIABLE_GENE,
    VARIABLE_BITS,  /* number of bits of a coded variable */
    VARIABLE_GRAY,  /* 1: the code is a Gray code */
    VARIABLE_LOWER, /* least value of a coded integer, an int */
    VARIABLE_SPAN,  /* greatest minus least value of a coded integer */
    VARIABLE_WORDS
};
enum search_variable_kind { REAL_GENE, WHOLE_GENE, BIT_GENE, PLACE_GENE, REAL_CODE, WHOLE_CODE };

/* Scalar arguments of a launch of search_decode. */
struct search_decode {
    unsigned count;     /* number of members */
    unsigned tile;      /* members in a tile, which is also the number of points in a tile */
    unsigned variables; /* coordinates of a point */
    unsigned words;     /* words of a member */
    /* index in a member of its first word of whole numbers, of bits, and of elements of orders */
    unsigned wholes, bits, places;
};

/* Tasks of search_settle. */
enum search_task {
    FIND_BEST = 1,        /* find the island's best among the values of the last pass */
    UPDATE_BEST_EVER = 2, /* make the best the champion if it is better */
    FINISH_STEP = 4,      /* update the island's record */
    RENEW_CHAMPION = 8    /* with UPDATE_BEST_EVER: make the best the champion even if it is worse than the champion */
};

/* Scalar arguments of a launch of search_settle. */
struct search_settle {
    unsigned step;     /* step of the run */
    unsigned tasks;    /* bits of enum search_task */
    unsigned count;    /* values of an island that FIND_BEST compares */
    unsigned is_known; /* 1: `indices` has the member of each value; 0: value i belongs to member i */
};

/* From which islands an island receives in an exchange. */
enum search_exchange_kind { EXCHANGE_LINKS, EXCHANGE_ALL, EXCHANGE_RANDOM };

/* An index that no member has: the index of minimum_none(). */
#define NO_INDEX 0xffffffffu

#endif

/* The record of one island as a work-item holds it. */
typedef struct {
    uint steps, reached, ended, stagnant, restarts, renew_at, improved, goal_index;
    real goal, mark, champion;
} island;

static inline island island_read(__global const uint *words, __global const real *reals, uint k)
{
    island record;
    words += (ulong)k * ISLAND_WORDS;
    reals += (ulong)k * ISLAND_REALS;
    record.steps = words[ISLAND_STEPS];
    record.reached = words[ISLAND_REACHED];
    record.ended = words[ISLAND_ENDED];
    record.stagnant = words[ISLAND_STAGNANT];
    record.restarts = words[ISLAND_RESTARTS];
    record.renew_at = words[ISLAND_RENEW_AT];
    record.improved = words[ISLAND_IMPROVED];
    record.goal_index = words[ISLAND_GOAL_INDEX];
    record.goal = reals[ISLAND_GOAL];
    record.mark = reals[ISLAND_MARK];
    record.champion = reals[ISLAND_CHAMPION];
    return record;
}

/* Writes the record, except ISLAND_NOT_FINITE and ISLAND_MOVES, which island_count_not_finite() and
 * island_count_moves() change. */
static inline void island_write(island record, __global uint *words, __global real *reals, uint k)
{
    words += (ulong)k * ISLAND_WORDS;
    reals += (ulong)k * ISLAND_REALS;
    words[ISLAND_STEPS] = record.steps;
    words[ISLAND_REACHED] = record.reached;
    words[ISLAND_ENDED] = record.ended;
    words[ISLAND_STAGNANT] = record.stagnant;
    words[ISLAND_RESTARTS] = record.restarts;
    words[ISLAND_RENEW_AT] = record.renew_at;
    words[ISLAND_IMPROVED] = record.improved;
    words[ISLAND_GOAL_INDEX] = record.goal_index;
    reals[ISLAND_GOAL] = record.goal;
    reals[ISLAND_MARK] = record.mark;
    reals[ISLAND_CHAMPION] = record.champion;
}

/* The record before step 0. */
static inline island island_new(void)
{
    island record;
    record.steps = record.reached = record.ended = record.stagnant = record.restarts = record.improved = 0u;
    record.goal_index = 0u;
    record.renew_at = 1u;
    record.goal = record.mark = record.champion = (real)INFINITY;
    return record;
}

/* Whether the island's best is below the mark by more than the tolerance, and so counts as an improvement. tolerance:
 * SET_TOLERANCE. */
static inline int has_fallen(real goal, real mark, real tolerance)
{
    const real least = tolerance < R(0.0) ? -tolerance * fabs(mark) : tolerance * max(R(1.0), fabs(mark));
    /* a distance relative to an infinite mark has no meaning */
    return goal < mark && (!isfinite(mark) || mark - goal > least);
}

/* Whether the island is drawn anew in the next step. restart: number of steps without improvement after which
 * an island is drawn anew; 0: never. */
static inline int is_restart_due(island record, uint restart)
{
    return restart > 0u && record.stagnant >= restart;
}

/* Records step `step` (0: the first draw) in the record of an island. goal, goal_index: value and index of the best
 * member after the exchange of the step. drawn: the step drew the island anew. Returns 1 if the best is a new champion;
 * the caller then copies its position. */
static inline int island_settle(island *record, uint step, real goal, uint goal_index, int drawn, real tolerance)
{
    const int is_champion = step == 0u || goal < record->champion;
    record->improved = !drawn && goal < record->goal ? 1u : 0u;
    if (!record->improved)
        record->renew_at = step + 1u;
    if (drawn || has_fallen(goal, record->mark, tolerance)) {
        record->mark = goal;
        record->stagnant = 0u;
    } else {
        record->stagnant++;
    }
    if (drawn && step > 0u)
        record->restarts++;
    if (is_champion)
        record->champion = goal;
    record->goal = goal;
    record->goal_index = goal_index;
    record->steps = step;
    return is_champion;
}

/* Records a step that did not change the island's best. The record is the same as after island_settle() with this
 * best. */
static inline void island_settle_unchanged(island *record, uint step, uint goal_index)
{
    record->improved = 0u;
    record->renew_at = step + 1u;
    record->stagnant++;
    record->goal_index = goal_index;
    record->steps = step;
}

/* For a run of one island: sets `reached` if the champion has reached the target, and `ended` if it has, or if the
 * island has stagnated. */
static inline void island_end(island *record, real target, uint stagnation)
{
    record->reached = record->champion <= target ? 1u : 0u;
    record->ended = record->reached || (stagnation > 0u && record->stagnant >= stagnation) ? 1u : 0u;
}

/* Adds `count` to the number of evaluations of island k that gave NaN or infinity. The counter stops near 2^31, so that
 * it never wraps. */
static inline void island_count_not_finite(__global uint *words, uint k, uint count)
{
    __global uint *counter = words + (ulong)k * ISLAND_WORDS + ISLAND_NOT_FINITE;
    if (count > 0u && atomic_or(counter, 0u) < 0x80000000u)
        atomic_add(counter, count);
}

/* Adds `count` to the number of moves that a local search has evaluated in island k, a counter of 64 bits. */
static inline void island_count_moves(__global uint *words, uint k, ulong count)
{
    __global uint *counter = words + (ulong)k * ISLAND_WORDS + ISLAND_MOVES;
    const uint low = (uint)count, before = atomic_add(counter, low);
    const uint high = (uint)(count >> 32) + (before + low < before ? 1u : 0u);
    if (high > 0u)
        atomic_add(counter + 1, high);
}

#endif
#define ROW_POINTER local const real *
/* Coordinates of a point as a row that is padded to whole vectors, so that loops over its coordinates become vector
 * code on CPUs. */
#ifndef SEARCH_ROWS_CLH
#define SEARCH_ROWS_CLH

/* The interface between the kernels and the text of an objective. The text (objective/snippet.clh) defines SHAPE as one
 * of the following, and with it the macros and functions that are listed there:
 *
 * PER_DIMENSION
 *     TERMS               number of accumulators, 1 to 4
 *     TERM_0 .. TERM_3    how accumulator k joins its terms: SUM (the default), PRODUCT, or COMPLEMENT: one minus the
 *                         product of one minus each term, for products near 1
 *     NEIGHBOUR           if the terms use `next`, the coordinate x[d + 1]; there are then terms for d < dim - 1 only
 *     SINGLES             number of single coordinates, which every term and the value may use; default 0. Single
 *                         coordinate j is the coordinate of dimension objective_single(j), a uint; the functions of
 *                         the text get it in term[TERMS + j] and sum[TERMS + j]
 *     void objective_terms(real *term, real x, real next, uint d, uint dim)     fills term[0 .. TERMS - 1]
 *     real objective_finish(const real *sum, uint dim)                          value from the accumulators
 * DATA_ROWS
 *     real objective_residual(const real *x, const real *row)                   DIM coordinates, COLUMNS numbers
 *     RULE(r)             what is summed over the rows, default (r) * (r)
 * OPAQUE
 *     real objective_value(const real *x, uint dim)
 *     TABLE               with a table: objective_value(const real *x, __global const real *table, uint dim),
 *                         whose numbers are ELEMENT(table, row, column)
 *     BY_TEAM             in kernels with TEAM_POINTS: the functions of objective/turn.clh replace objective_value
 * OPAQUE with VARIABLES, a list of variables in quotation marks, for genes of any kind
 *     real objective_value(GENOME, uint dim)            GENE(i), WHOLE(i), BIT(i), WORD(w), PLACE(i) are the genes
 *     VALUE               LONG: objective_value returns a long, so that integer values are exact
 *     CHANGE              FLIP, SWAP or INSERTION: objective_change(GENOME, uint i, uint j, uint dim) returns the
 *                         change of the value by this move, of bit i, or of places i and j. If the text has a table,
 *                         the table is the argument before i
 *     REPAIR              if the text has void objective_repair(GENOME_MUTABLE, uint dim), which makes an individual
 *                         feasible by SET_GENE, SET_WHOLE, SET_BIT, SET_WORD, SET_PLACE and SWAP_PLACES. If the text
 *                         has a table, the table is the argument before dim
 *     TABLE               as for OPAQUE: objective_value(GENOME, __global const real *table, uint dim); INT: a table
 *                         of int
 *
 * Every shape without VARIABLES may also have
 *     CONSTRAINTS         number of constraints
 *     EQUALITIES          number of equalities, which are the last of the constraints; default 0
 *     void objective_constraints(real *g, const real *x, uint dim)              fills g[0 .. CONSTRAINTS - 1]
 *
 * The host writes these macros before a text with the shape PER_DIMENSION or OPAQUE. The shape is then OPAQUE, and
 * objective_value of an OPAQUE text is renamed to plain_value:
 *     ROTATED             the objective in rotated coordinates
 *     CONSTRAINED         1, or -1 to maximise: the value is the rank of objective/constrained.clh, computed from the
 *                         violation objective_violation(x or genome, dim), a function that the host writes
 *     RELAXED             with CONSTRAINED: the value is the value of the objective without the constraints
 *
 * All functions are static inline. Terms are joined in any order and bracketing. */
#ifndef OBJECTIVE_CLH
#define OBJECTIVE_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

#define PER_DIMENSION 1
#define DATA_ROWS 2
#define OPAQUE 3

#define SUM 0
#define PRODUCT 1
#define COMPLEMENT 2

/* DIM: dimension; COLUMNS: count of numbers in a row of the table. Programs with DATA_ROWS or OPAQUE texts define
 * them. */
#ifndef DIM
#define DIM 1
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
/* An element of the table that an opaque text reads. The table has TABLE_ROWS rows. */
#ifndef ELEMENT
#define ELEMENT(table, row, column) (table)[(uint)(row) * COLUMNS + (uint)(column)]
#endif

#define INT 1
#define LONG 1

#define FLIP 1
#define SWAP 2
#define INSERTION 3

/* An individual in 32-bit words. Its parts are: reals (in double precision two words, the low word first), whole
 * numbers, bits, and places, two in a word, the place with even index in the low half. Word n of a part is n * tile
 * words after the first word of the part.
 *
 * Kernels with another layout of bits or places define WORD or PLACE before they include this file, and GENOME_MOVED as
 * the type of the member `moved`, which these macros read. Kernels with another layout of all genes define GENOME,
 * GENE, WHOLE, WORD and PLACE before, and for texts with REPAIR also GENOME_MUTABLE and the macros that set genes. The
 * parameter is always named `genome`. Only in a GENOME_MUTABLE the member is_set can be assigned, so a text can set
 * only genes of this individual. The macros that read a gene contain a cast, so that their result cannot be assigned.
 */
#ifndef GENOME
struct genome {
    __global uint *reals, *wholes, *words, *places;
    uint tile, is_set, generation;
#ifdef GENOME_MOVED
    GENOME_MOVED moved;
#endif
};
static inline real genome_real(const struct genome *genome, uint i)
{
#if REAL == 64
    const ulong low = genome->reals[2u * i * genome->tile], high = genome->reals[(2u * i + 1u) * genome->tile];
    return as_double((long)(high << 32 | low));
#else
    return as_float(genome->reals[i * genome->tile]);
#endif
}
static inline void genome_set_real(const struct genome *genome, uint i, real value)
{
#if REAL == 64
    const ulong bits = as_ulong(value);
    genome->reals[2u * i * genome->tile] = (uint)bits;
    genome->reals[(2u * i + 1u) * genome->tile] = (uint)(bits >> 32);
#else
    genome->reals[i * genome->tile] = as_uint(value);
#endif
}
static inline void genome_set_place(const struct genome *genome, uint i, uint value)
{
    __global uint *const two = genome->places + i / 2u * genome->tile;
    *two = i % 2u ? (*two & 0xffffu) | value << 16 : (*two & 0xffff0000u) | (value & 0xffffu);
}
#define GENOME          const struct genome *genome
#define GENOME_MUTABLE  struct genome *genome
#define GENE(i)         genome_real(genome, (uint)(i))
#define WHOLE(i)        ((int)genome->wholes[(uint)(i) * genome->tile])
#ifndef WORD
#define WORD(w)         ((uint)genome->words[(uint)(w) * genome->tile])
#endif
#ifndef PLACE
#define PLACE(i)        (genome->places[(uint)(i) / 2u * genome->tile] >> (uint)(i) % 2u * 16u & 0xffffu)
#endif
#define GENERATION      (genome->generation)
#define SET_GENE(i, v)  SET(genome_set_real(genome, (uint)(i), v))
#define SET_WHOLE(i, v) SET(genome->wholes[(uint)(i) * genome->tile] = (uint)(int)(v))
#define SET_WORD(w, v)  SET(genome->words[(uint)(w) * genome->tile] = (v))
#define SET_PLACE(i, v) SET(genome_set_place(genome, (uint)(i), v))
#endif
#define SET(action)    ((void)(genome->is_set = 1u), (void)(action))
#ifndef BIT
#define BIT(i)         (WORD((uint)(i) / 32u) >> (uint)(i) % 32u & 1u)
#define SET_BIT(i, v)                                                     \
    SET_WORD((uint)(i) / 32u, (WORD((uint)(i) / 32u) & ~(1u << (uint)(i) % 32u)) | \
                                  (uint)((v) != 0) << (uint)(i) % 32u)
#endif
#define SWAP_PLACES(i, j)                     \
    do {                                      \
        const uint place_of_swap = PLACE(i);  \
        SET_PLACE(i, PLACE(j));               \
        SET_PLACE(j, place_of_swap);          \
    } while (0)

/* The objective of a program. The host replaces this file by the text of the objective. */
#define SHAPE PER_DIMENSION
#define TERMS 1

static inline void objective_terms(real *term, real x, real next, uint d, uint dim)
{
    (void)next;
    (void)d;
    (void)dim;
    term[0] = x * x;
}

static inline real objective_finish(const real *sum, uint dim)
{
    (void)dim;
    return sum[0];
}

/* The argument of objective_value after x, for texts that read a table. */
#ifdef TABLE
#define TABLE_ARGUMENT(argument) argument,
#else
#define TABLE_ARGUMENT(argument)
#define TABLE 0
#endif
#ifndef VALUE
#define VALUE 0
#endif
#ifndef CHANGE
#define CHANGE 0
#endif
/* A text may define TABLE without a value. */
#if TABLE + 0 == INT
typedef int table_number;
#else
typedef real table_number;
#endif
#if VALUE == LONG
typedef long objective_number;
#else
typedef real objective_number;
#endif

#ifndef SINGLES
#define SINGLES 0
#define objective_single(j) 0u
#endif

#if SHAPE == PER_DIMENSION

#ifndef TERM_0
#define TERM_0 SUM
#endif
#ifndef TERM_1
#define TERM_1 SUM
#endif
#ifndef TERM_2
#define TERM_2 SUM
#endif
#ifndef TERM_3
#define TERM_3 SUM
#endif
#ifdef NEIGHBOUR
#define COUPLED 1
#else
#define COUPLED 0
#endif
/* TERMS accumulators, followed by the single coordinates. The caller of terms_none() sets the single coordinates. */
typedef struct {
    real a[TERMS + SINGLES];
} terms;

/* Returns the dimension of single coordinate j. A dimension that the text states beyond the point is replaced by the
 * last one. */
static inline uint single_dimension(int j, uint dim)
{
    (void)j;
    return min(objective_single(j), dim - 1u);
}

/* The kind of accumulator k. The expression is constant if k is. */
#define TERM_KIND(k) ((k) == 0 ? TERM_0 : (k) == 1 ? TERM_1 : (k) == 2 ? TERM_2 : TERM_3)

static inline terms terms_none(void)
{
    terms none;
    int k;
    for (k = 0; k < TERMS; k++)
        none.a[k] = TERM_KIND(k) == PRODUCT ? R(1.0) : R(0.0);
    for (k = TERMS; k < TERMS + SINGLES; k++)
        none.a[k] = R(0.0);
    return none;
}

/* Joins the terms of two ranges of dimensions of a point. The dimensions of `left` come before those of `right`. The
 * loop is unrolled, since loops around its branches would not become vector code. */
static inline terms terms_join(terms left, terms right)
{
    int k;
#pragma unroll
    for (k = 0; k < TERMS; k++)
        left.a[k] = TERM_KIND(k) == SUM       ? left.a[k] + right.a[k]
                    : TERM_KIND(k) == PRODUCT ? left.a[k] * right.a[k]
                                              : left.a[k] + right.a[k] - left.a[k] * right.a[k];
    return left;
}

/* Adds the terms of dimension d. With COUPLED, d < dim - 1, and next is x[d + 1]. */
static inline terms terms_add(terms sum, real x, real next, uint d, uint dim)
{
    terms one;
    int k;
    for (k = TERMS; k < TERMS + SINGLES; k++)
        one.a[k] = sum.a[k];
    objective_terms(one.a, x, next, d, dim);
    return terms_join(sum, one);
}

/* Returns the value at a point. sum: the joined terms of all dimensions. */
static inline real terms_value(terms sum, uint dim)
{
    return objective_finish(sum.a, dim);
}

#elif SHAPE == DATA_ROWS

#ifndef RULE
#define RULE(r) ((r) * (r))
#endif

#endif

#ifndef CONSTRAINED
#define CONSTRAINED 0
#endif
#if defined ROTATED || CONSTRAINED

/* Parameters (PLAIN_POINT) and arguments (PLAIN_PASSED) of the function plain_value, the value without rotation and
 * constraints. */
#ifdef VARIABLES
#define PLAIN_POINT  GENOME
#define PLAIN_PASSED genome
#else
#define PLAIN_POINT  const real *x
#define PLAIN_PASSED x
#endif
#ifdef ROTATED
#define PLAIN_TABLE(argument)
#else
#define PLAIN_TABLE(argument) TABLE_ARGUMENT(argument)
#endif

#if SHAPE == PER_DIMENSION
static inline real plain_value(const real *x, uint dim)
{
    terms sum = terms_none();
    uint d;
    int j;
    for (j = 0; j < SINGLES; j++)
        sum.a[TERMS + j] = x[single_dimension(j, dim)];
    for (d = 0u; d + COUPLED < dim; d++)
        sum = terms_add(sum, x[d], x[d + COUPLED], d, dim);
    return terms_value(sum, dim);
}
#else
static inline objective_number plain_value(PLAIN_POINT, PLAIN_TABLE(__global const table_number *table) uint dim);
#endif

#if CONSTRAINED && !defined RELAXED

/* The rank: a number by which a search compares the points of an objective with constraints, by the rules of K. Deb
 * (Computer Methods in Applied Mechanics and Engineering 186, 311-338, 2000). If a point meets all constraints, its
 * rank is its value. If not, its rank is CONSTRAINED_SCALE times the violation. Such a rank is above CONSTRAINED_LIMIT,
 * and so above all values; so the value or the violation can be computed from the rank. The scale is a power of two, so
 * no digit is lost. So that single precision can represent every rank, violations are limited to 2^-40 .. 2^36, and
 * values to numbers below 2^50.
 *
 * If value or violation is NaN, the rank is NaN, which counts as the worst rank.
 */
#ifndef CONSTRAINED_CLH
#define CONSTRAINED_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

#define CONSTRAINED_LIMIT       R(1125899906842624.0)
#define CONSTRAINED_BELOW_LIMIT R(1125899839733760.0)
#define CONSTRAINED_SCALE       R(1237940039285380274899124224.0)
#define CONSTRAINED_LEAST       R(9.094947017729282379150390625e-13)
#define CONSTRAINED_MOST        R(68719476736.0)

/* Returns by how much g exceeds 0; 0 if g is not positive. NaN stays NaN. */
static inline real constraint_excess(real g)
{
    return g <= R(0.0) ? R(0.0) : g;
}

/* Returns the rank for a value that is to be minimised, and a violation. */
static inline real constrained_rank(real value, real violation)
{
    if (violation <= R(0.0))
        return value >= CONSTRAINED_LIMIT && value < (real)INFINITY ? CONSTRAINED_BELOW_LIMIT : value;
    return CONSTRAINED_SCALE * (violation < CONSTRAINED_LEAST  ? CONSTRAINED_LEAST
                                : violation > CONSTRAINED_MOST ? CONSTRAINED_MOST
                                                               : violation);
}

#endif

static inline real objective_violation(PLAIN_POINT, uint dim);

/* Returns the rank of a point, times the sign of the search. The objective is evaluated only if the point meets all
 * constraints. */
static inline real constrained_value(PLAIN_POINT, PLAIN_TABLE(__global const table_number *table) uint dim)
{
    const real sign = (real)(CONSTRAINED), violation = objective_violation(PLAIN_PASSED, dim);
    const real value = violation <= R(0.0) ? plain_value(PLAIN_PASSED, PLAIN_TABLE(table) dim) : R(0.0);
    return sign * constrained_rank(sign * value, violation);
}
#define unrotated_value constrained_value
#else
#define unrotated_value plain_value
#endif

#ifdef ROTATED
/* The points whose values are computed at the same time. A work-item of most kernels evaluates a point of its own. A
 * kernel whose work-groups have points in common offers its work-items: before it includes the objective, it includes
 * search/team.clh and defines TEAM_POINTS, the number of points of a group (0: no offer). A text that accepts this offer
 * defines BY_TEAM. Then the points are in local memory, and the work-items of a group divide the coordinates of all
 * points among themselves.
 *
 * Element AT_POINT(n, d) of an array is coordinate d of point n.
 *
 * The product of a matrix and these points is here, too. The rows of the matrix are rows of a table. */
#ifndef OBJECTIVE_TURN_CLH
#define OBJECTIVE_TURN_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

#ifdef BY_TEAM
#define POINT_COUNT  ((uint)TEAM_POINTS)
#define POINT_SPACE  local
#define POINT_SYNC() TEAM_SYNC()
#else
#define POINT_COUNT  1u
#define POINT_SPACE
#define POINT_SYNC()
#endif

#define AT_POINT(n, d) ((uint)(d) * POINT_COUNT + (uint)(n))

/* Loops over part `part` < parts of point `n`, for all points. Neighbouring work-items have neighbouring points. */
#if defined BY_TEAM && WG > 1
#define POINT_PARTS(n, part, parts)                                                                            \
    for (uint place = TEAM_LANE, n = place % POINT_COUNT, part = place / POINT_COUNT; part < (parts);          \
         place += WG, n = place % POINT_COUNT, part = place / POINT_COUNT)
#else
#define POINT_PARTS(n, part, parts)             \
    for (uint part = 0u; part < (parts); part++) \
        for (uint n = 0u; n < POINT_COUNT; n++)
#endif

/* For functions that get pointers to local memory: PoCL 3.1 crashes on such functions if its compiler does not inline
 * them. */
#define INLINE inline __attribute__((always_inline))

#ifdef BY_TEAM
/* Functions of the text. objective_terms: all work-items compute the terms of all points, which are returned: y or z. x:
 * the points, and another number for each; y, z: DIM numbers for each point. objective_value_of: the value of point n. */
static INLINE local real *objective_terms(local real *x, local real *y, local real *z, __global const real *table);
static INLINE real objective_value_of(const local real *x, const local real *terms, uint n, __global const real *table);
#endif

/* Number of rows whose elements a work-item loads together, so that it waits for all loads at once. */
#define TURN_ROWS         4u
#define TURN_STRIPS       (((uint)DIM + TURN_ROWS - 1u) / TURN_ROWS)
/* Row first + r of a matrix; the last row if the matrix has fewer rows. */
#define TURN_ROW(first, r) ((first) + (r) < DIM ? (first) + (r) : DIM - 1u)

/* Computes out = matrix z for each point. The matrix has DIM rows, from row `row` of the table on. strips: TURN_STRIPS;
 * 0: nothing is computed. */
static INLINE void turn_by_rows(POINT_SPACE real *out, __global const real *table, uint row, uint strips,
                                const POINT_SPACE real *z)
{
    POINT_PARTS(n, strip, strips) {
        const uint first = strip * TURN_ROWS;
        real sum[TURN_ROWS];
        uint j, r;
        for (r = 0u; r < TURN_ROWS; r++)
            sum[r] = R(0.0);
        for (j = 0u; j < DIM; j++)
            for (r = 0u; r < TURN_ROWS; r++)
                sum[r] += ELEMENT(table, row + TURN_ROW(first, r), j) * z[AT_POINT(n, j)];
        for (r = 0u; r < TURN_ROWS; r++)
            if (first + r < DIM)
                out[AT_POINT(n, first + r)] = sum[r];
    }
    POINT_SYNC();
}

#endif

/* Returns f(m + R (x - m)), where f is the objective of the text. Row d of the table has row d of R and the coordinate
 * of m, which is the same in each dimension. */
#define ROTATION_CENTRE(table) ELEMENT(table, 0u, DIM)
static inline real objective_value(const real *x, __global const real *table, uint dim)
{
    const real centre = ROTATION_CENTRE(table);
    real moved[DIM], turned[DIM];
    uint d;
    for (d = 0u; d < dim; d++)
        moved[d] = x[d] - centre;
    turn_by_rows(turned, table, 0u, TURN_STRIPS, moved);
    for (d = 0u; d < dim; d++)
        turned[d] = centre + turned[d];
    return unrotated_value(turned, dim);
}
#else
static inline real objective_value(PLAIN_POINT, PLAIN_TABLE(__global const table_number *table) uint dim)
{
    return unrotated_value(PLAIN_PASSED, PLAIN_TABLE(table) dim);
}
#endif

#undef SHAPE
#define SHAPE OPAQUE

#endif

#endif
/* Layout of words, reals and settings that the host and the kernels of searches share. The text is C, OpenCL C and
 * CUDA. */
#ifndef SEARCH_LAYOUT_CLH
#define SEARCH_LAYOUT_CLH

/* The host includes <stdint.h> before this file. */
#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__) && !defined(__CUDACC__)
#define LAYOUT_ULONG uint64_t
#else
#define LAYOUT_ULONG ulong
#endif

/* Words of an island in the buffer `words`. */
enum search_island_word {
    ISLAND_STEPS,         /* number of steps done; does not change after the island has ended */
    ISLAND_REACHED,       /* 1: the run reached its target */
    ISLAND_ENDED,         /* 1: the run has ended by target or stagnation; 2: by members that are all near the best */
    ISLAND_STAGNANT,      /* steps since the mark was set */
    ISLAND_RESTARTS,      /* number of restarts */
    ISLAND_RENEW_AT,      /* the step after the last step that did not lower the island's best */
    ISLAND_IMPROVED,      /* 1: the last step lowered the island's best */
    ISLAND_NOT_FINITE,    /* evaluations that gave NaN or an infinity */
    ISLAND_GOAL_INDEX,    /* index within the island of its best member */
    /* The next two words are for a step whose exchange is made by a later launch. */
    /* PENDING_NONE: no step is pending; PENDING_MOVE, PENDING_DRAW: the last step waits for its exchange */
    ISLAND_PENDING,
    ISLAND_PENDING_INDEX, /* index of the best member of the pending step */
    ISLAND_MOVES,         /* moves that a local search evaluated, a number of 64 bits: its low word */
    ISLAND_MOVES_HIGH,
    ISLAND_WORDS = 16
};

enum search_pending { PENDING_NONE, PENDING_MOVE, PENDING_DRAW };

/* Reals of an island in the buffer `reals`. */
enum search_island_real {
    ISLAND_GOAL,         /* best of the island's members */
    ISLAND_MARK,         /* value of the best member when it last improved by more than the tolerance */
    ISLAND_CHAMPION,     /* best value so far, restarts included */
    ISLAND_PENDING_GOAL, /* value of the best member of the pending step */
    ISLAND_REALS
};

/* The buffer `settings`, of reals. */
enum search_setting {
    SET_LOWER,     /* lower bound of each dimension; unused with BOX */
    SET_UPPER,
    SET_SIGN,      /* 1, or -1 to maximise */
    SET_TARGET,    /* target as a value of sign f; -infinity: no target */
    SET_TOLERANCE, /* tolerance of stagnation, relative to max(1, |mark|); negative: relative to |mark| alone */
    SET_OWN,       /* first index of the settings of the algorithm itself */
    /* with BOX: [dim] lower bounds, [dim] upper bounds, and [dim] shifts (BOX 1) or flags (BOX 2; 1: the coordinate is
     * rounded down). Then, in any case, the table of the objective. */
    SET_BOX = 16
};

/* Rows of coordinates (search/rows.clh) have room for whole vectors of so many numbers. */
#define ROW_VECTOR 16

/* Sizes of the islands that the device has: all islands of all runs, or its share of them. */
struct search_shape {
    LAYOUT_ULONG seed; /* seed of the first run */
    unsigned members, run_islands, islands;
    unsigned dim;          /* numbers of a member: reals, or words of a genome */
    unsigned tile, stride; /* layout of members: see src/search/device/device.h */
    unsigned restart;      /* steps without improvement after which an island is drawn anew; 0: never */
    /* number of islands of the first run before the device's first island; other devices have them */
    unsigned lead;
};

/* Words that describe a variable for search_decode. */
enum search_variable_word {
    VARIABLE_KIND,  /* enum search_variable_kind */
    /* index of the variable's first gene among the genes of its kind; for a coded variable, among the bits */
    VARIABLE_GENE,
    VARIABLE_BITS,  /* number of bits of a coded variable */
    VARIABLE_GRAY,  /* 1: the code is a Gray code */
    VARIABLE_LOWER, /* least value of a coded integer, an int */
    VARIABLE_SPAN,  /* greatest minus least value of a coded integer */
    VARIABLE_WORDS
};
enum search_variable_kind { REAL_GENE, WHOLE_GENE, BIT_GENE, PLACE_GENE, REAL_CODE, WHOLE_CODE };

/* Scalar arguments of a launch of search_decode. */
struct search_decode {
    unsigned count;     /* number of members */
    unsigned tile;      /* members in a tile, which is also the number of points in a tile */
    unsigned variables; /* coordinates of a point */
    unsigned words;     /* words of a member */
    /* index in a member of its first word of whole numbers, of bits, and of elements of orders */
    unsigned wholes, bits, places;
};

/* Tasks of search_settle. */
enum search_task {
    FIND_BEST = 1,        /* find the island's best among the values of the last pass */
    UPDATE_BEST_EVER = 2, /* make the best the champion if it is better */
    FINISH_STEP = 4,      /* update the island's record */
    RENEW_CHAMPION = 8    /* with UPDATE_BEST_EVER: make the best the champion even if it is worse than the champion */
};

/* Scalar arguments of a launch of search_settle. */
struct search_settle {
    unsigned step;     /* step of the run */
    unsigned tasks;    /* bits of enum search_task */
    unsigned count;    /* values of an island that FIND_BEST compares */
    unsigned is_known; /* 1: `indices` has the member of each value; 0: value i belongs to member i */
};

/* From which islands an island receives in an exchange. */
enum search_exchange_kind { EXCHANGE_LINKS, EXCHANGE_ALL, EXCHANGE_RANDOM };

/* An index that no member has: the index of minimum_none(). */
#define NO_INDEX 0xffffffffu

#endif
/* The box of a search, shifted and rounded coordinates, and the value that a search compares. */
#ifndef SEARCH_SPACE_CLH
#define SEARCH_SPACE_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Layout of words, reals and settings that the host and the kernels of searches share. The text is C, OpenCL C and
 * CUDA. */
#ifndef SEARCH_LAYOUT_CLH
#define SEARCH_LAYOUT_CLH

/* The host includes <stdint.h> before this file. */
#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__) && !defined(__CUDACC__)
#define LAYOUT_ULONG uint64_t
#else
#define LAYOUT_ULONG ulong
#endif

/* Words of an island in the buffer `words`. */
enum search_island_word {
    ISLAND_STEPS,         /* number of steps done; does not change after the island has ended */
    ISLAND_REACHED,       /* 1: the run reached its target */
    ISLAND_ENDED,         /* 1: the run has ended by target or stagnation; 2: by members that are all near the best */
    ISLAND_STAGNANT,      /* steps since the mark was set */
    ISLAND_RESTARTS,      /* number of restarts */
    ISLAND_RENEW_AT,      /* the step after the last step that did not lower the island's best */
    ISLAND_IMPROVED,      /* 1: the last step lowered the island's best */
    ISLAND_NOT_FINITE,    /* evaluations that gave NaN or an infinity */
    ISLAND_GOAL_INDEX,    /* index within the island of its best member */
    /* The next two words are for a step whose exchange is made by a later launch. */
    /* PENDING_NONE: no step is pending; PENDING_MOVE, PENDING_DRAW: the last step waits for its exchange */
    ISLAND_PENDING,
    ISLAND_PENDING_INDEX, /* index of the best member of the pending step */
    ISLAND_MOVES,         /* moves that a local search evaluated, a number of 64 bits: its low word */
    ISLAND_MOVES_HIGH,
    ISLAND_WORDS = 16
};

enum search_pending { PENDING_NONE, PENDING_MOVE, PENDING_DRAW };

/* Reals of an island in the buffer `reals`. */
enum search_island_real {
    ISLAND_GOAL,         /* best of the island's members */
    ISLAND_MARK,         /* value of the best member when it last improved by more than the tolerance */
    ISLAND_CHAMPION,     /* best value so far, restarts included */
    ISLAND_PENDING_GOAL, /* value of the best member of the pending step */
    ISLAND_REALS
};

/* The buffer `settings`, of reals. */
enum search_setting {
    SET_LOWER,     /* lower bound of each dimension; unused with BOX */
    SET_UPPER,
    SET_SIGN,      /* 1, or -1 to maximise */
    SET_TARGET,    /* target as a value of sign f; -infinity: no target */
    SET_TOLERANCE, /* tolerance of stagnation, relative to max(1, |mark|); negative: relative to |mark| alone */
    SET_OWN,       /* first index of the settings of the algorithm itself */
    /* with BOX: [dim] lower bounds, [dim] upper bounds, and [dim] shifts (BOX 1) or flags (BOX 2; 1: the coordinate is
     * rounded down). Then, in any case, the table of the objective. */
    SET_BOX = 16
};

/* Rows of coordinates (search/rows.clh) have room for whole vectors of so many numbers. */
#define ROW_VECTOR 16

/* Sizes of the islands that the device has: all islands of all runs, or its share of them. */
struct search_shape {
    LAYOUT_ULONG seed; /* seed of the first run */
    unsigned members, run_islands, islands;
    unsigned dim;          /* numbers of a member: reals, or words of a genome */
    unsigned tile, stride; /* layout of members: see src/search/device/device.h */
    unsigned restart;      /* steps without improvement after which an island is drawn anew; 0: never */
    /* number of islands of the first run before the device's first island; other devices have them */
    unsigned lead;
};

/* Words that describe a variable for search_decode. */
enum search_variable_word {
    VARIABLE_KIND,  /* enum search_variable_kind */
    /* index of the variable's first gene among the genes of its kind; for a coded variable, among the bits */
    VARIABLE_GENE,
    VARIABLE_BITS,  /* number of bits of a coded variable */
    VARIABLE_GRAY,  /* 1: the code is a Gray code */
    VARIABLE_LOWER, /* least value of a coded integer, an int */
    VARIABLE_SPAN,  /* greatest minus least value of a coded integer */
    VARIABLE_WORDS
};
enum search_variable_kind { REAL_GENE, WHOLE_GENE, BIT_GENE, PLACE_GENE, REAL_CODE, WHOLE_CODE };

/* Scalar arguments of a launch of search_decode. */
struct search_decode {
    unsigned count;     /* number of members */
    unsigned tile;      /* members in a tile, which is also the number of points in a tile */
    unsigned variables; /* coordinates of a point */
    unsigned words;     /* words of a member */
    /* index in a member of its first word of whole numbers, of bits, and of elements of orders */
    unsigned wholes, bits, places;
};

/* Tasks of search_settle. */
enum search_task {
    FIND_BEST = 1,        /* find the island's best among the values of the last pass */
    UPDATE_BEST_EVER = 2, /* make the best the champion if it is better */
    FINISH_STEP = 4,      /* update the island's record */
    RENEW_CHAMPION = 8    /* with UPDATE_BEST_EVER: make the best the champion even if it is worse than the champion */
};

/* Scalar arguments of a launch of search_settle. */
struct search_settle {
    unsigned step;     /* step of the run */
    unsigned tasks;    /* bits of enum search_task */
    unsigned count;    /* values of an island that FIND_BEST compares */
    unsigned is_known; /* 1: `indices` has the member of each value; 0: value i belongs to member i */
};

/* From which islands an island receives in an exchange. */
enum search_exchange_kind { EXCHANGE_LINKS, EXCHANGE_ALL, EXCHANGE_RANDOM };

/* An index that no member has: the index of minimum_none(). */
#define NO_INDEX 0xffffffffu

#endif

/* 0: the box is the same in each dimension, and the function is not shifted; 1: box and shift are given for each
 * dimension; 2: the box is given for each dimension, and some dimensions are rounded down to whole numbers. */
#ifndef BOX
#define BOX 0
#endif

static inline real box_lower(__global const real *settings, uint d, uint dim)
{
    (void)d;
    (void)dim;
#if BOX
    return settings[SET_BOX + d];
#else
    return settings[SET_LOWER];
#endif
}

static inline real box_upper(__global const real *settings, uint d, uint dim)
{
    (void)d;
    (void)dim;
#if BOX
    return settings[SET_BOX + dim + d];
#else
    return settings[SET_UPPER];
#endif
}

/* Returns the coordinate of the point at which the objective is evaluated, for coordinate x of a member. */
static inline real shifted(real x, __global const real *settings, uint d, uint dim)
{
    (void)settings;
    (void)d;
    (void)dim;
#if BOX == 2
    /* The upper bound of a rounded coordinate counts as the integer below it, so that all integers are equally
     * likely. */
    return settings[SET_BOX + 2u * dim + d] > R(0.0) ? min(floor(x), settings[SET_BOX + dim + d] - R(1.0)) : x;
#elif BOX
    return x - settings[SET_BOX + 2u * dim + d];
#else
    return x;
#endif
}

/* Returns the value that the search compares for a value of the objective: sign f, or infinity instead of NaN and
 * infinities. */
static inline real counted(real value, real sign)
{
    value *= sign;
    return isfinite(value) ? value : (real)INFINITY;
}

#endif

#define VECTOR ROW_VECTOR
#define ROW ((DIM + VECTOR - 1) / VECTOR * VECTOR)

/* Asks the compiler to process two vectors at a time in a loop with long chains of dependent operations, which hides
 * their latency. */
#if WG == 1 && defined(__clang__)
#define TWO_VECTORS _Pragma("clang loop interleave_count(2)")
#else
#define TWO_VECTORS
#endif

/* The type of a pointer to a row. */
#ifndef ROW_POINTER
#define ROW_POINTER const real *
#endif

#if SHAPE == PER_DIMENSION && WG == 1
/* Returns the joined terms of a row, which has COUPLED more elements behind it. VECTOR accumulators each join every
 * VECTOR-th term first. sum: no terms, and the single coordinates. */
static INLINE terms row_terms(ROW_POINTER row, terms sum, __global const real *settings)
{
    real sums[TERMS][VECTOR];
    uint first, j;
    int t;
    for (t = 0; t < TERMS; t++)
        for (j = 0u; j < VECTOR; j++)
            sums[t][j] = sum.a[t];
    for (first = 0u; first < ROW; first += VECTOR)
        TWO_VECTORS
        for (j = 0u; j < VECTOR; j++) {
            const uint d = first + j, own = min(d, DIM - 1u), next = min(d + COUPLED, DIM - 1u);
            terms part = sum;
            for (t = 0; t < TERMS; t++)
                part.a[t] = sums[t][j];
            part = terms_add(part, shifted(row[d], settings, own, DIM),
                             shifted(row[d + COUPLED], settings, next, DIM), d, DIM);
            for (t = 0; t < TERMS; t++)
                sums[t][j] = d + COUPLED < DIM ? part.a[t] : sums[t][j];
        }
#pragma unroll
    for (j = 0u; j < VECTOR; j++) {
        terms part = sum;
        for (t = 0; t < TERMS; t++)
            part.a[t] = sums[t][j];
        sum = j == 0u ? part : terms_join(sum, part);
    }
    return sum;
}
#endif

#endif
/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif
/* Settings and tables that the host and the kernels of genetic algorithms share. The text is C, OpenCL C and CUDA. */
#ifndef GA_LAYOUT_CLH
#define GA_LAYOUT_CLH

/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif

/* Settings of the algorithm in the buffer `settings`; they begin at SET_OWN of search/layout.clh. */
enum ga_setting {
    SET_CROSS_POWER = 5, /* eta + 1 of SBX */
    SET_CROSS_ROOT,      /* 1 / (eta + 1) */
    SET_CROSS_ALPHA,     /* the interval of the parents is widened at each end by this fraction of its length */
    SET_MUTATE_POWER,    /* eta + 1 of the polynomial mutation */
    SET_MUTATE_ROOT,
    SET_SIGMA,           /* sigma of the Gaussian mutation */
    SET_TEMPERATURE,     /* temperature of Boltzmann selection in step 1 */
    SET_COOLING,         /* factor by which the temperature changes in each step */
    SET_PENALTY          /* penalty factor of a gene outside the box */
};

/* The buffer `rates` has one entry for all islands, or an entry for each island of a run. An entry begins with these
 * words. RATE_CROSS and RATE_MUTATE: thresholds of the crossover and of the mutation of an order. RATE_DECAY: the bits
 * of a float, 1 / log2(1 - gene rate), at least -FLT_MAX: `decay` of ga/model/places.clh; if at most one gene of a
 * child mutates, the number of genes outside orders / (mutation rate 2^31) instead. RATE_SCALE: the bits of the float 1
 * / RATE_MUTATE; for RATE_MUTATE 0, of 1.
 *
 * Then follow two tables: for the index of a child's first mutated gene, and for the distance to the next mutated gene
 * (docs/ga.md). A table has a threshold for each gene outside orders, two thresholds that no key reaches, and a guide:
 * for each of RATE_GUIDE equal ranges of keys, the first index of a threshold above the range's beginning (Chen and
 * Asau 1974). A key is the upper 31 bits of a random word.
 */
enum ga_rate { RATE_CROSS, RATE_MUTATE, RATE_DECAY, RATE_SCALE, RATE_TABLES };
#define RATE_GUIDE_BITS     6
#define RATE_GUIDE          (1u << RATE_GUIDE_BITS)
#define RATE_GUIDE_AT(line) ((line) + 2u)                      /* index of the guide in a table */
#define RATE_TABLE(line)    (RATE_GUIDE_AT(line) + RATE_GUIDE) /* number of words in a table */
#define RATE_NEXT(line)     (RATE_TABLES + RATE_TABLE(line))   /* index of the second table */
#define RATE_WORDS(line)    (RATE_TABLES + 2u * RATE_TABLE(line))

/* Thresholds are multiples of 2^-31, and are compared with the upper 31 bits of a word. An event with threshold 0 never
 * happens, an event with THRESHOLD_ONE always. */
#define THRESHOLD_ONE 0x80000000u

/* The table of whole numbers has WHOLE_WORDS words for each of them: least value, greatest minus least value, and
 * mutation. */
enum ga_whole { WHOLE_LOWER, WHOLE_WIDTH, WHOLE_MUTATION, WHOLE_WORDS };

/* Scalar arguments of the kernels for populations in global memory. */
struct ga_shape {
    unsigned children;                /* children that an island makes in a step */
    unsigned indices;                 /* number of counters of random numbers that an island uses */
    /* number of entries for an island in the order of members, and in the order of children */
    unsigned padded, padded_children;
    unsigned line; /* number of genes outside orders */
    unsigned elites;
    unsigned tournament;    /* number of contestants in a tournament */
    unsigned truncated;     /* number of best members among which truncation draws a parent */
    unsigned rows, columns; /* rows and columns of the torus of cells */
    unsigned migrants, sends_best, replaces_worst;
    unsigned has_rate_list; /* 1: the buffer `rates` has an entry for each island of a run; 0: one entry */
    unsigned in_place;      /* 1: members that are not replaced keep their indices */
};

/* Number of genes in each part of a genome. A word of bits holds 32 genes, a word of places two places. */
struct ga_genes {
    unsigned reals, wholes, bits, places;
    unsigned messy; /* largest number of pairs in a list of messy genes; 0: genes are not messy */
};

/* With messy genes, a member has further words after its genes: the template, a bit for each gene; the number of pairs
 * in its list; the pairs; and 0 in the words after the last pair. */
#define MESSY_LENGTH(bits)      (((bits) + 31u) / 32u)
#define MESSY_PAIRS(bits)       (MESSY_LENGTH(bits) + 1u)
#define MESSY_WORDS(bits, most) (MESSY_PAIRS(bits) + (most))

/* LINE_SPAN: number of words outside orders that are moved together in local memory. LINE_STRIDE: number of words from
 * a genome to the next genome there, an odd number of spans. LINE_TURNS: whether a genome is a multiple of eight spans;
 * on the chip, such genomes follow each other without gaps, and their spans are rotated. */
#define LINE_SPAN(words)   ((words) % 4 ? 1 : 4)
#define LINE_STRIDE(words) (((words) / LINE_SPAN(words) | 1) * LINE_SPAN(words))
#define LINE_TURNS(words)  ((words) % 32 == 0)

/* Size of parts of the local memory of an island on the chip. ORDER_WORDS: words for the order of its members, or of
 * its elites if there are several. WEIGHT_SUMS: units of 8 bytes for running sums of weights. */
#define ORDER_WORDS(selection, elites, members) \
    (SELECTS_BY_ORDER(selection) ? (members) : (elites) > 1 ? (elites) : 0)
#define WEIGHT_SUMS(selection, members) (SELECTS_BY_WEIGHT(selection) ? (members) : 0)

/* Number of bits of a place in orders that are in local memory. */
#define PACKED_PLACE_BITS(count) ((count) <= 256 ? 8 : 16)

/* Number of words of `bits` bits each that hold a mark (one bit) for each element of an order. */
#define ORDER_MARKS(count, bits) (((count) + (bits) - 1u) / (bits))

/* Returns the number of words, of 8 or 16 bits each, that the operators of an order need for a child. */
static inline unsigned order_scratch(unsigned crossover, unsigned mutation, unsigned count, unsigned bits)
{
    unsigned size = crossover == CROSS_PMX || crossover == CROSS_CX ? count : 0u;
    if (crossover == CROSS_OX)
        size = ORDER_MARKS(count, bits);
    if (crossover == CROSS_ERX)
        size = 2u * count + ORDER_MARKS(count, bits);
    return mutation == MUTATE_SCRAMBLE && size < count ? count : size;
}

/* Scalar arguments of the kernel ga_improve. */
struct ga_local_search {
    unsigned steps;      /* largest number of moves that a child makes */
    unsigned tenure;     /* least number of steps for which a move is tabu */
    unsigned chosen;     /* number of children of an island that get a local search: the best ones */
    unsigned count;      /* number of moves among which a step chooses */
    unsigned child;      /* first child of the launch, counted over all islands */
    /* the launch makes steps begin .. end - 1; the states of searches with further steps are stored for the next
     * launch */
    unsigned begin, end;
};

/* State of a local search between two launches, in units of 8 bytes: KEPT_VALUE: the child's value; KEPT_LEAST: the
 * least value so far; KEPT_IS_GOING: whether the search can still make steps; from KEPT_POOL on: the child's local
 * memory. */
enum ga_kept { KEPT_VALUE, KEPT_LEAST, KEPT_IS_GOING, KEPT_POOL };

/* Draws for a whole island in the stream GA_PAIR, at the index of its first child. Pairs use only the draws 0 and 1. */
#define SUS_OFFSET_DRAW 0x80000000u
#define SUS_KEYS_DRAW   0x80000001u

/* Draw of an individual in the stream GA_START from which the keys of its order come. */
#define ORDER_KEYS_DRAW 0x80000000u
/* First draw of an individual in the stream GA_START from which the pairs of its list come. */
#define MESSY_DRAW 0x40000000u
/* First draws in the stream GA_CROSS_GENE. CROSS_BITS_DRAW: of the uniform crossover of whole numbers and bits, if
 * SBX or BLX crosses the reals of the same parents, which takes the draws from 0 on. ERX_DRAW: of edge recombination. */
#define CROSS_BITS_DRAW 0x40000000u
#define ERX_DRAW        0x80000000u
/* Draws in the stream GA_MUTATE. ORDER_DRAW: for the mutation of an order; SCRAMBLE_DRAW: for the keys of a scramble
 * mutation. */
#define ORDER_DRAW      0x40000000u
#define SCRAMBLE_DRAW   0x40000001u

/* Largest weight of a member in roulette, SUS and Boltzmann selection. A sum of 2^28 weights has at most 53 bits. */
#define WEIGHT_ONE 16777216u

#endif
/* Crossover of reals: docs/ga.md, "Crossover". The host solver also includes this text, with `real` as double. In a
 * kernel, `kind` is a constant. */
#ifndef GA_CROSS_CLH
#define GA_CROSS_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Converts random words to real numbers. */
#ifndef SEARCH_RANDOM_CLH
#define SEARCH_RANDOM_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Trigonometric functions of angles in turns. The reduction of their argument is exact, and takes less time than that
 * of sin and cos.
 *
 * cos2pi and sin2pi are within 2 ulp of cos(2 pi x) and sin(2 pi x) for every finite x, also near zeros of these
 * functions. Values 0, 1 and -1 are exact, and no value is outside [-1, 1]. An infinity gives NaN. The largest errors
 * over all floats are 1.55 and 1.41 ulp with fused multiply-add, 1.77 and 1.72 ulp without; those in double precision
 * are the same. */
#ifndef SHOAL_TRIG_CLH
#define SHOAL_TRIG_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

/* sin(pi k / 2) for -1 <= k <= 1, as k (1 + w P(w)) with w = 1 - k^2. Near |k| = 1, where the function is flat, only
 * the rounding of the last operation remains. The minimax polynomials P have relative errors of 6.0e-9 and 2.7e-19
 * before rounding. */
static inline real sin_quarter_turns(real k)
{
    const real w = R(1.0) - k * k;
#if REAL == 64
    real p = 5.869187055485711134e-12;
    p = p * w + 6.214732360464062613e-10;
    p = p * w + 5.240669041556002299e-8;
    p = p * w + 3.271023245511220003e-6;
    p = p * w + 0.0001432778057136687437;
    p = p * w + 0.004074862465946083949;
    p = p * w + 0.06657486246595854600;
    p = p * w + 0.4999999999999999702;
#else
    real p = 0.0001512808061f;
    p = p * w + 0.004068270136f;
    p = p * w + 0.06657697282f;
    p = p * w + 0.4999997936f;
#endif
    return p * w * k + k;
}

/* The integer nearest to x. GPUs have an instruction for rint(); PoCL needs some twenty. On CPUs 2^52 (2^23 in single
 * precision) is added and subtracted, since all larger numbers are integers. NVRTC defines the macros of the CPU,
 * too. The result is that of rint(), except for the sign of a zero nearest to a negative x. */
static inline real whole_turns(real x)
{
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__CUDACC__)
#if REAL == 64
    const real large = copysign(4503599627370496.0, x);
#else
    const real large = copysign(8388608.0f, x);
#endif
    return fabs(x) < fabs(large) ? (x + large) - large : x;
#else
    return rint(x);
#endif
}

static inline real cos2pi(real x)
{
    return sin_quarter_turns(R(1.0) - fabs(R(4.0) * (x - whole_turns(x))));
}

static inline real sin2pi(real x)
{
    const real turn = x - whole_turns(x), part = fabs(turn);
    return sin_quarter_turns(copysign(R(4.0) * (part > R(0.25) ? R(0.5) - part : part), turn));
}

/* sin(pi x)^2, which is (1 - cos(2 pi x)) / 2 without the difference of nearly equal numbers. */
static inline real sin_pi_squared(real x)
{
    const real s = sin_quarter_turns(R(2.0) * (x - whole_turns(x)));
    return s * s;
}

#endif

/* Converts a random word to a number that must still be multiplied by WORD_SCALE to be in [0, 1). The product is exact.
 * A caller that multiplies by a factor of its own includes WORD_SCALE in it. Both precisions use the upper bits of the
 * same word, so that their searches start at the same points. */
#if REAL == 64
#define WORD_SCALE 2.3283064365386962890625e-10
static inline real word_number(uint word)
{
    return (real)word;
}
#else
#define WORD_SCALE 5.9604644775390625e-8f
static inline real word_number(uint word)
{
    return (real)(word >> 8);
}
#endif

/* Converts a random word to a number in [0, 1). */
static inline real uniform(uint word)
{
    return word_number(word) * WORD_SCALE;
}

/* half_word_number: converts 16 random bits to the number plus 1/2, which must still be multiplied by HALF_WORD_SCALE,
 * 2^-16. uniform16: converts 16 random bits to a number in (0, 1). */
#define HALF_WORD_SCALE R(1.52587890625e-5)
static inline real half_word_number(uint half_word)
{
    return (real)half_word + R(0.5);
}

static inline real uniform16(uint half_word)
{
    return half_word_number(half_word) * HALF_WORD_SCALE;
}

/* The distance from 0 of two standard normal numbers. */
static inline real normal_radius(uint word)
{
    return sqrt(R(-2.0) * log(((real)word + R(0.5)) * R(2.3283064365386962890625e-10)));
}

/* Makes two standard normal numbers from two random words. */
static inline void normal_pair(uint a, uint b, real *first, real *second)
{
    const real radius = normal_radius(a);
    /* sinpi is not used: in scalar code PoCL 3.1 computes it wrongly. */
    *first = radius * cos2pi(uniform(b));
    *second = radius * sin2pi(uniform(b));
}

#endif
/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif
/* Random words, and decisions by random words. Decisions compare integers, so that they are the same on every
 * device. */
#ifndef GA_DRAW_CLH
#define GA_DRAW_CLH

/* Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3;
 * SC 2011). The host (through <shoal/rng.h>), OpenCL C and CUDA share this text.
 *
 * The generator has no state. A counter {index, draw, step, stream} and a 64-bit seed always give the same four words,
 * on every device:
 *     index    particle, individual, element
 *     draw     number of the block of four words within one step of that index
 *     step     iteration
 *     stream   enum shoal_stream: the purpose of the numbers
 * Words and uniform numbers have the same bits everywhere. Normal numbers use log, sin and cos, whose last digits
 * differ from one device to the next.
 */
#ifndef SHOAL_PHILOX_CLH
#define SHOAL_PHILOX_CLH

#ifdef SHOAL_PHILOX_HOST
#define PHILOX_UINT         uint32_t
#define PHILOX_ULONG        uint64_t
#define PHILOX_FLOAT(name)  name##f
#define PHILOX_COSPI(x)     cosf(3.14159265358979324f * (x))
#define PHILOX_SINPI(x)     sinf(3.14159265358979324f * (x))
#define PHILOX_COSPI_D(x)   cos(3.14159265358979324 * (x))
#define PHILOX_SINPI_D(x)   sin(3.14159265358979324 * (x))
#define PHILOX_DOUBLE       1
#else
#define PHILOX_UINT         uint
#define PHILOX_ULONG        ulong
#define PHILOX_FLOAT(name)  name
#define PHILOX_COSPI(x)     cospi(x)
#define PHILOX_SINPI(x)     sinpi(x)
#define PHILOX_COSPI_D(x)   cospi(x)
#define PHILOX_SINPI_D(x)   sinpi(x)
#if defined(REAL) && REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define PHILOX_DOUBLE 1
#else
#define PHILOX_DOUBLE 0
#endif
#endif

/* Streams of random numbers. Each has one purpose, so that no two draws use the same counter. The values determine
 * the results of runs: new streams get new values, and old values stay. */
enum shoal_stream {
    SHOAL_STREAM_FILL = 0, /* the functions shoal_random_* */
    SHOAL_STREAM_TEST = 1,
    SHOAL_STREAM_USER = 2, /* for callers of the library */
    SHOAL_STREAM_DATA = 3, /* generated tables */
    SHOAL_STREAM_DATASET_ROW = 4, /* generated data sets */
    SHOAL_STREAM_DATASET_NET = 5,
    SHOAL_STREAM_DATASET_WRONG = 6,
    SHOAL_STREAM_DATASET_SPLIT = 7, /* which rows are for training, validation and tests */

    SHOAL_STREAM_PSO_POSITION = 256,
    SHOAL_STREAM_PSO_VELOCITY = 257,
    SHOAL_STREAM_PSO_MOVE = 258,
    SHOAL_STREAM_PSO_SPHERE = 259,
    SHOAL_STREAM_PSO_FIPS = 260,
    SHOAL_STREAM_PSO_REENTRY = 261,
    SHOAL_STREAM_PSO_LINKS = 262,
    SHOAL_STREAM_SEARCH_SHIFT = 263,
    SHOAL_STREAM_SEARCH_EXCHANGE = 264,
    SHOAL_STREAM_OBJECTIVE_ROTATION = 265,
    SHOAL_STREAM_CMAES_START = 288,
    SHOAL_STREAM_CMAES_NORMAL = 289,

    SHOAL_STREAM_GAS_POSITION = 512,
    SHOAL_STREAM_GAS_VELOCITY = 513,
    SHOAL_STREAM_GAS_LANGEVIN = 514,
    SHOAL_STREAM_GAS_RESCALE = 515,
    SHOAL_STREAM_GAS_WALL = 516,
    SHOAL_STREAM_GAS_PUSH = 517,

    SHOAL_STREAM_GA_START = 768,
    SHOAL_STREAM_GA_PAIR = 769,
    SHOAL_STREAM_GA_SELECT = 770,
    SHOAL_STREAM_GA_CROSS_GENE = 771,
    SHOAL_STREAM_GA_MUTATE = 772,
    SHOAL_STREAM_GA_REPLACE = 773,
    SHOAL_STREAM_GA_MIGRATE = 774,
    SHOAL_STREAM_GA_LOCAL = 775,

    SHOAL_STREAM_TSP_ANTS_CHOOSE = 1040,
    SHOAL_STREAM_TSP_ANTS_MUTATE = 1041,
    SHOAL_STREAM_TSP_IMPROVE = 1042,
    SHOAL_STREAM_TSP_FACO_ANT = 1056,
    SHOAL_STREAM_TSP_FACO_SOURCE = 1057,

    SHOAL_STREAM_TSP_THESIS_MACRO = 1088,
    SHOAL_STREAM_TSP_THESIS_MICRO = 1089,

    SHOAL_STREAM_MLP_START = 1280,
    SHOAL_STREAM_MLP_ORDER = 1281,
    SHOAL_STREAM_MLP_DROPOUT = 1282,

    SHOAL_STREAM_DE_START = 1536,
    SHOAL_STREAM_DE_RULE = 1537,
    SHOAL_STREAM_DE_CROSS = 1538,
    SHOAL_STREAM_DE_ARCHIVE = 1539,

    SHOAL_STREAM_DIRECT_SEARCH = 2048,
    SHOAL_STREAM_PORTFOLIO_SEED = 2049,
    SHOAL_STREAM_PORTFOLIO_POINT = 2050
};

struct shoal_words {
    PHILOX_UINT x, y, z, w;
};

/* The 64-bit product of two 32-bit words. A native version may define it in another way. */
#ifndef SHOAL_PHILOX_PRODUCT
#define SHOAL_PHILOX_PRODUCT(multiplier, word) ((PHILOX_ULONG)(multiplier) * (word))
#endif

/* A kernel may force inlining, so that loops with calls become vector code. */
#ifndef SHOAL_PHILOX_INLINE
#define SHOAL_PHILOX_INLINE inline
#endif

/* One of the ten rounds of Philox4x32-10. */
static SHOAL_PHILOX_INLINE void shoal_philox_round(struct shoal_words *c, PHILOX_UINT key0, PHILOX_UINT key1)
{
    /* mul_hi is not used: PoCL computes it by four products of 16 bits, while vector units have a 64-bit product. One
     * product gives both halves, by a single instruction on NVIDIA GPUs. */
    const PHILOX_ULONG product0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, c->x);
    const PHILOX_ULONG product1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, c->z);
    c->x = (PHILOX_UINT)(product1 >> 32) ^ c->y ^ key0;
    c->y = (PHILOX_UINT)product1;
    c->z = (PHILOX_UINT)(product0 >> 32) ^ c->w ^ key1;
    c->w = (PHILOX_UINT)product0;
}

#define SHOAL_PHILOX_KEY0(key, round) ((key) + (round) * 0x9E3779B9u)
#define SHOAL_PHILOX_KEY1(key, round) ((key) + (round) * 0xBB67AE85u)

/* Philox4x32-10 as the paper defines it: the words of the counter have no meaning here. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_philox4x32(struct shoal_words counter, PHILOX_UINT key0, PHILOX_UINT key1)
{
    struct shoal_words c = counter;
    PHILOX_UINT round;
#ifndef SHOAL_PHILOX_HOST
    /* A loop that calls this function can become vector code only if the loop below is unrolled. */
#pragma unroll
#endif
    for (round = 0; round < 10; round++)
        shoal_philox_round(&c, SHOAL_PHILOX_KEY0(key0, round), SHOAL_PHILOX_KEY1(key1, round));
    return c;
}

static SHOAL_PHILOX_INLINE struct shoal_words shoal_random_words(PHILOX_ULONG seed, PHILOX_UINT stream,
                                                                 PHILOX_UINT step, PHILOX_UINT index, PHILOX_UINT draw)
{
    struct shoal_words counter;
    counter.x = index;
    counter.y = draw;
    counter.z = step;
    counter.w = stream;
    return shoal_philox4x32(counter, (PHILOX_UINT)seed, (PHILOX_UINT)(seed >> 32));
}

#ifndef SHOAL_PHILOX_HOST
/* What all draws of one index, step and stream share: parts of words of the first four rounds, whose number is in the
 * name. Work-items that draw often keep it, and a draw needs 17 of 20 products. */
struct shoal_series {
    PHILOX_UINT x1, z2, x3, z3, z4;
};

/* keys: SHOAL_PHILOX_KEY0 and SHOAL_PHILOX_KEY1 of each round, in turn. As arguments of a launch they take no operation
 * and, on NVIDIA GPUs, no register. */
static SHOAL_PHILOX_INLINE struct shoal_series shoal_series_of(const PHILOX_UINT *keys, PHILOX_UINT stream,
                                                               PHILOX_UINT step, PHILOX_UINT index)
{
    const PHILOX_ULONG first0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, index);
    const PHILOX_ULONG first1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, step);
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(first0 >> 32) ^ stream ^ keys[1]);
    const PHILOX_ULONG third =
        SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(second >> 32) ^ (PHILOX_UINT)first1 ^ keys[2]);
    struct shoal_series series;
    series.x1 = (PHILOX_UINT)(first1 >> 32) ^ keys[0];
    series.z2 = (PHILOX_UINT)first0 ^ keys[3];
    series.x3 = (PHILOX_UINT)second ^ keys[4];
    series.z3 = (PHILOX_UINT)(third >> 32) ^ keys[5];
    series.z4 = (PHILOX_UINT)third ^ keys[7];
    return series;
}

/* Returns the words that shoal_random_words returns for this draw. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_series_words(struct shoal_series series, const PHILOX_UINT *keys,
                                                                 PHILOX_UINT draw)
{
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xD2511F53u, series.x1 ^ draw);
    const PHILOX_ULONG third = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(second >> 32) ^ series.z2);
    const PHILOX_ULONG fourth0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(third >> 32) ^ series.x3);
    const PHILOX_ULONG fourth1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)second ^ series.z3);
    struct shoal_words c;
    PHILOX_UINT round;
    c.x = (PHILOX_UINT)(fourth1 >> 32) ^ (PHILOX_UINT)third ^ keys[6];
    c.y = (PHILOX_UINT)fourth1;
    c.z = (PHILOX_UINT)(fourth0 >> 32) ^ series.z4;
    c.w = (PHILOX_UINT)fourth0;
#pragma unroll
    for (round = 4; round < 10; round++)
        shoal_philox_round(&c, keys[2 * round], keys[2 * round + 1]);
    return c;
}
#endif

/* A uniform random number in [0, 1), a multiple of 2^-24. */
static inline float shoal_uniform_float(PHILOX_UINT word)
{
    return (float)(word >> 8) * 5.9604644775390625e-8f;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-24, so that numbers are symmetric about 1/2. */
static inline float shoal_uniform_open_float(PHILOX_UINT word)
{
    return ((float)(word >> 9) + 0.5f) * 1.1920928955078125e-7f;
}

/* Computes two independent standard normal numbers from two words (Box and Muller). Their absolute values are at most
 * 6.8. */
static inline void shoal_normal_float(PHILOX_UINT word0, PHILOX_UINT word1, float *first, float *second)
{
    /* All 32 bits of word0 are used, for the tails of the distribution. Rounding may give 1, whose logarithm is 0. */
    const float radius2 = -2.0f * PHILOX_FLOAT(log)(((float)word0 + 0.5f) * 2.3283064365386963e-10f);
    const float radius = PHILOX_FLOAT(sqrt)(radius2);
    const float angle = 2.0f * shoal_uniform_float(word1); /* in half turns */
    *first = radius * PHILOX_COSPI(angle);
    *second = radius * PHILOX_SINPI(angle);
}

#if PHILOX_DOUBLE
/* A uniform random number in [0, 1), a multiple of 2^-53. Its first 24 bits are those of
 * shoal_uniform_float(high). */
static inline double shoal_uniform_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return (double)((((PHILOX_ULONG)high << 32) | low) >> 11) * 1.1102230246251565e-16;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-53, so that numbers are symmetric about 1/2. */
static inline double shoal_uniform_open_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return ((double)((((PHILOX_ULONG)high << 32) | low) >> 12) + 0.5) * 2.2204460492503131e-16;
}

/* Computes two independent standard normal numbers from four words. Their absolute values are at most 8.6. */
static inline void shoal_normal_double(struct shoal_words words, double *first, double *second)
{
    const double radius = sqrt(-2.0 * log(shoal_uniform_open_double(words.x, words.y)));
    const double angle = 2.0 * shoal_uniform_double(words.z, words.w);
    *first = radius * PHILOX_COSPI_D(angle);
    *second = radius * PHILOX_SINPI_D(angle);
}
#endif

#undef PHILOX_UINT
#undef PHILOX_ULONG
#undef PHILOX_FLOAT
#undef PHILOX_COSPI
#undef PHILOX_SINPI
#undef PHILOX_COSPI_D
#undef PHILOX_SINPI_D
#undef PHILOX_DOUBLE
#undef SHOAL_PHILOX_PRODUCT
#undef SHOAL_PHILOX_INLINE

#endif
/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Settings and tables that the host and the kernels of genetic algorithms share. The text is C, OpenCL C and CUDA. */
#ifndef GA_LAYOUT_CLH
#define GA_LAYOUT_CLH

/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif

/* Settings of the algorithm in the buffer `settings`; they begin at SET_OWN of search/layout.clh. */
enum ga_setting {
    SET_CROSS_POWER = 5, /* eta + 1 of SBX */
    SET_CROSS_ROOT,      /* 1 / (eta + 1) */
    SET_CROSS_ALPHA,     /* the interval of the parents is widened at each end by this fraction of its length */
    SET_MUTATE_POWER,    /* eta + 1 of the polynomial mutation */
    SET_MUTATE_ROOT,
    SET_SIGMA,           /* sigma of the Gaussian mutation */
    SET_TEMPERATURE,     /* temperature of Boltzmann selection in step 1 */
    SET_COOLING,         /* factor by which the temperature changes in each step */
    SET_PENALTY          /* penalty factor of a gene outside the box */
};

/* The buffer `rates` has one entry for all islands, or an entry for each island of a run. An entry begins with these
 * words. RATE_CROSS and RATE_MUTATE: thresholds of the crossover and of the mutation of an order. RATE_DECAY: the bits
 * of a float, 1 / log2(1 - gene rate), at least -FLT_MAX: `decay` of ga/model/places.clh; if at most one gene of a
 * child mutates, the number of genes outside orders / (mutation rate 2^31) instead. RATE_SCALE: the bits of the float 1
 * / RATE_MUTATE; for RATE_MUTATE 0, of 1.
 *
 * Then follow two tables: for the index of a child's first mutated gene, and for the distance to the next mutated gene
 * (docs/ga.md). A table has a threshold for each gene outside orders, two thresholds that no key reaches, and a guide:
 * for each of RATE_GUIDE equal ranges of keys, the first index of a threshold above the range's beginning (Chen and
 * Asau 1974). A key is the upper 31 bits of a random word.
 */
enum ga_rate { RATE_CROSS, RATE_MUTATE, RATE_DECAY, RATE_SCALE, RATE_TABLES };
#define RATE_GUIDE_BITS     6
#define RATE_GUIDE          (1u << RATE_GUIDE_BITS)
#define RATE_GUIDE_AT(line) ((line) + 2u)                      /* index of the guide in a table */
#define RATE_TABLE(line)    (RATE_GUIDE_AT(line) + RATE_GUIDE) /* number of words in a table */
#define RATE_NEXT(line)     (RATE_TABLES + RATE_TABLE(line))   /* index of the second table */
#define RATE_WORDS(line)    (RATE_TABLES + 2u * RATE_TABLE(line))

/* Thresholds are multiples of 2^-31, and are compared with the upper 31 bits of a word. An event with threshold 0 never
 * happens, an event with THRESHOLD_ONE always. */
#define THRESHOLD_ONE 0x80000000u

/* The table of whole numbers has WHOLE_WORDS words for each of them: least value, greatest minus least value, and
 * mutation. */
enum ga_whole { WHOLE_LOWER, WHOLE_WIDTH, WHOLE_MUTATION, WHOLE_WORDS };

/* Scalar arguments of the kernels for populations in global memory. */
struct ga_shape {
    unsigned children;                /* children that an island makes in a step */
    unsigned indices;                 /* number of counters of random numbers that an island uses */
    /* number of entries for an island in the order of members, and in the order of children */
    unsigned padded, padded_children;
    unsigned line; /* number of genes outside orders */
    unsigned elites;
    unsigned tournament;    /* number of contestants in a tournament */
    unsigned truncated;     /* number of best members among which truncation draws a parent */
    unsigned rows, columns; /* rows and columns of the torus of cells */
    unsigned migrants, sends_best, replaces_worst;
    unsigned has_rate_list; /* 1: the buffer `rates` has an entry for each island of a run; 0: one entry */
    unsigned in_place;      /* 1: members that are not replaced keep their indices */
};

/* Number of genes in each part of a genome. A word of bits holds 32 genes, a word of places two places. */
struct ga_genes {
    unsigned reals, wholes, bits, places;
    unsigned messy; /* largest number of pairs in a list of messy genes; 0: genes are not messy */
};

/* With messy genes, a member has further words after its genes: the template, a bit for each gene; the number of pairs
 * in its list; the pairs; and 0 in the words after the last pair. */
#define MESSY_LENGTH(bits)      (((bits) + 31u) / 32u)
#define MESSY_PAIRS(bits)       (MESSY_LENGTH(bits) + 1u)
#define MESSY_WORDS(bits, most) (MESSY_PAIRS(bits) + (most))

/* LINE_SPAN: number of words outside orders that are moved together in local memory. LINE_STRIDE: number of words from
 * a genome to the next genome there, an odd number of spans. LINE_TURNS: whether a genome is a multiple of eight spans;
 * on the chip, such genomes follow each other without gaps, and their spans are rotated. */
#define LINE_SPAN(words)   ((words) % 4 ? 1 : 4)
#define LINE_STRIDE(words) (((words) / LINE_SPAN(words) | 1) * LINE_SPAN(words))
#define LINE_TURNS(words)  ((words) % 32 == 0)

/* Size of parts of the local memory of an island on the chip. ORDER_WORDS: words for the order of its members, or of
 * its elites if there are several. WEIGHT_SUMS: units of 8 bytes for running sums of weights. */
#define ORDER_WORDS(selection, elites, members) \
    (SELECTS_BY_ORDER(selection) ? (members) : (elites) > 1 ? (elites) : 0)
#define WEIGHT_SUMS(selection, members) (SELECTS_BY_WEIGHT(selection) ? (members) : 0)

/* Number of bits of a place in orders that are in local memory. */
#define PACKED_PLACE_BITS(count) ((count) <= 256 ? 8 : 16)

/* Number of words of `bits` bits each that hold a mark (one bit) for each element of an order. */
#define ORDER_MARKS(count, bits) (((count) + (bits) - 1u) / (bits))

/* Returns the number of words, of 8 or 16 bits each, that the operators of an order need for a child. */
static inline unsigned order_scratch(unsigned crossover, unsigned mutation, unsigned count, unsigned bits)
{
    unsigned size = crossover == CROSS_PMX || crossover == CROSS_CX ? count : 0u;
    if (crossover == CROSS_OX)
        size = ORDER_MARKS(count, bits);
    if (crossover == CROSS_ERX)
        size = 2u * count + ORDER_MARKS(count, bits);
    return mutation == MUTATE_SCRAMBLE && size < count ? count : size;
}

/* Scalar arguments of the kernel ga_improve. */
struct ga_local_search {
    unsigned steps;      /* largest number of moves that a child makes */
    unsigned tenure;     /* least number of steps for which a move is tabu */
    unsigned chosen;     /* number of children of an island that get a local search: the best ones */
    unsigned count;      /* number of moves among which a step chooses */
    unsigned child;      /* first child of the launch, counted over all islands */
    /* the launch makes steps begin .. end - 1; the states of searches with further steps are stored for the next
     * launch */
    unsigned begin, end;
};

/* State of a local search between two launches, in units of 8 bytes: KEPT_VALUE: the child's value; KEPT_LEAST: the
 * least value so far; KEPT_IS_GOING: whether the search can still make steps; from KEPT_POOL on: the child's local
 * memory. */
enum ga_kept { KEPT_VALUE, KEPT_LEAST, KEPT_IS_GOING, KEPT_POOL };

/* Draws for a whole island in the stream GA_PAIR, at the index of its first child. Pairs use only the draws 0 and 1. */
#define SUS_OFFSET_DRAW 0x80000000u
#define SUS_KEYS_DRAW   0x80000001u

/* Draw of an individual in the stream GA_START from which the keys of its order come. */
#define ORDER_KEYS_DRAW 0x80000000u
/* First draw of an individual in the stream GA_START from which the pairs of its list come. */
#define MESSY_DRAW 0x40000000u
/* First draws in the stream GA_CROSS_GENE. CROSS_BITS_DRAW: of the uniform crossover of whole numbers and bits, if
 * SBX or BLX crosses the reals of the same parents, which takes the draws from 0 on. ERX_DRAW: of edge recombination. */
#define CROSS_BITS_DRAW 0x40000000u
#define ERX_DRAW        0x80000000u
/* Draws in the stream GA_MUTATE. ORDER_DRAW: for the mutation of an order; SCRAMBLE_DRAW: for the keys of a scramble
 * mutation. */
#define ORDER_DRAW      0x40000000u
#define SCRAMBLE_DRAW   0x40000001u

/* Largest weight of a member in roulette, SUS and Boltzmann selection. A sum of 2^28 weights has at most 53 bits. */
#define WEIGHT_ONE 16777216u

#endif

/* A kernel may define GA_INLINE as forced inlining, so that loops around calls become vector code. */
#ifndef GA_INLINE
#define GA_INLINE inline
#endif

/* Returns word n of a block, n = 0 .. 3. */
static GA_INLINE uint word_at(struct shoal_words words, uint n)
{
    return n == 0u ? words.x : n == 1u ? words.y : n == 2u ? words.z : words.w;
}

/* Converts a word to an index in 0 .. count - 1. mul_hi is not used: see lib/philox.clh. */
static GA_INLINE uint index_of(uint word, uint count)
{
    return (uint)(((ulong)word * count) >> 32);
}

/* Whether an event with probability threshold / THRESHOLD_ONE happens. */
static GA_INLINE int happens(uint word, uint threshold)
{
    return (word >> 1) < threshold;
}

/* Converts the low 30 bits of a word to a number in (0, 1). */
static GA_INLINE real uniform30(uint word)
{
#if REAL == 64
    return ((real)(word & 0x3fffffffu) + R(0.5)) * R(9.31322574615478515625e-10);
#else
    /* (bits + 1/2) / 2^23 with the upper 23 of the 30 bits; exact, and without a conversion, which is slow on GPUs */
    return as_float(0x3f800000u | (word & 0x3fffffffu) >> 7) - R(0.999999940395355224609375);
#endif
}

/* Defines the function `uint name(TABLE table, uint count, key_type key)`. It returns the first index of a table whose
 * entry is above the key; `count` if there is none. The entries must be in ascending order. This is a macro since
 * tables are in different address spaces. */
#define GA_FIRST_ABOVE(name, TABLE, key_type)                                                                          \
    static GA_INLINE uint name(TABLE table, uint count, key_type key)                                                  \
    {                                                                                                                  \
        uint low = 0u, high = count;                                                                                   \
        while (low < high) {                                                                                           \
            const uint middle = low + (high - low) / 2u;                                                               \
            if (table[middle] > key)                                                                                   \
                high = middle;                                                                                         \
            else                                                                                                       \
                low = middle + 1u;                                                                                     \
        }                                                                                                              \
        return low;                                                                                                    \
    }

/* A round of the Feistel network of shuffled(). */
static GA_INLINE uint scramble(uint half_word, uint key)
{
    uint x = (half_word ^ key) * 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA77u;
    return x ^ (x >> 13);
}

/* Returns the place of element i in a random permutation of `count` elements. A Feistel network of eight rounds
 * permutes the numbers below 4^bits, where 4^bits >= count. It is applied repeatedly until the result is below `count`
 * (Black and Rogaway 2002). */
static GA_INLINE uint shuffled(uint i, uint count, uint bits, struct shoal_words keys)
{
    const uint mask = (1u << bits) - 1u;
    do {
        uint left = i >> bits, right = i & mask, round;
        for (round = 0u; round < 8u; round++) {
            const uint next = left ^ (scramble(right + (round << 16), word_at(keys, round & 3u)) & mask);
            left = right;
            right = next;
        }
        i = left << bits | right;
    } while (i >= count);
    return i;
}

static GA_INLINE uint shuffle_bits(uint count)
{
    uint bits = 1u;
    while (bits < 16u && (1u << (2u * bits)) < count)
        bits++;
    return bits;
}

#endif

/* Power and quotient; a kernel may define fast functions of the device instead, before it includes this file. */
#ifndef GA_POWER
#define GA_POWER(x, exponent) pow(x, exponent)
#endif
#ifndef GA_QUOTIENT
#define GA_QUOTIENT(a, b) ((a) / (b))
#endif
/* 1: a gene that is not crossed returns early. 0: it is computed like all others, for devices on which neighbouring
 * work-items would take different branches. */
#ifndef GA_BRANCHES
#define GA_BRANCHES 1
#endif
/* 1: the children of SBX with bounds share a power if the box limits neither of them. 0: each has its own, without a
 * branch. */
#ifndef GA_SHARES_POWER
#define GA_SHARES_POWER 0
#endif

/* The same gene of both parents, or of both children. */
typedef struct {
    real a, b;
} gene_pair;

/* The shape of the distribution of children, see the settings of ga/layout.clh. */
typedef struct {
    real power, root, alpha;
} cross_shape;

/* The random choices of a pair that hold for all its genes. */
typedef struct {
    int crosses;   /* 0: children are copies of their parents */
    uint from, to; /* the parents exchange genes from .. to - 1, which are between the crossover points */
    real weight;   /* weight of parent a in child a */
} crossing;

/* Random words that a gene takes from stream GA_CROSS_GENE. CROSS_NO_WORDS: none; CROSS_BITS: one bit of a word;
 * CROSS_WORDS: a word. */
enum cross_words { CROSS_NO_WORDS, CROSS_BITS, CROSS_WORDS };

static GA_INLINE enum cross_words cross_words(uint kind)
{
    if (kind == CROSS_UNIFORM)
        return CROSS_BITS;
    return kind == CROSS_SBX_BOUNDED || kind == CROSS_SBX || kind == CROSS_BLX ? CROSS_WORDS : CROSS_NO_WORDS;
}

/* Whether the crossover needs random words of the pair in addition to the word that decides whether the pair is
 * crossed. */
static GA_INLINE int crosses_as_one(uint kind)
{
    return kind >= CROSS_ARITHMETIC && kind <= CROSS_TWO_POINT;
}

/* Returns the number of the first draw that uniform crossover takes for genes other than reals; draws before it may
 * belong to the reals. kind: the crossover of the reals; CROSS_NONE if there are none. */
static inline uint cross_bits_draw(uint kind)
{
    return cross_words(kind) == CROSS_WORDS ? CROSS_BITS_DRAW : 0u;
}

/* Whether a child may be outside of the box although its parents are inside. */
static GA_INLINE int crossover_leaves_box(uint kind)
{
    return kind == CROSS_SBX || kind == CROSS_BLX || kind == CROSS_AVERAGE || kind == CROSS_HEURISTIC;
}

/* Returns the choices of a pair, from its random words: docs/ga.md. second: only for CROSS_TWO_POINT. threshold:
 * threshold of the crossover rate. a_is_better: parent a precedes parent b. */
static GA_INLINE crossing crossing_of(uint kind, uint decision, uint point, uint second, uint threshold, uint dim,
                                      real alpha, int a_is_better)
{
    crossing c;
    c.crosses = kind != CROSS_NONE && happens(decision, threshold);
    c.from = c.to = 0u;
    c.weight = uniform(point);
    if (kind == CROSS_ONE_POINT) {
        c.from = 1u + index_of(point, dim - 1u);
        c.to = dim;
    } else if (kind == CROSS_TWO_POINT) {
        /* two different points in 1 .. dim */
        const uint a = 1u + index_of(point, dim), b = 1u + index_of(second, dim - 1u);
        c.from = min(a, b);
        c.to = b >= a ? b + 1u : a;
    } else if (kind == CROSS_AVERAGE) {
        c.weight = (R(1.0) + R(2.0) * alpha) * c.weight - alpha;
    } else if (kind == CROSS_HEURISTIC) {
        /* If p is the better parent and q the other one, one child is p + w (p - q), and the other child is p. */
        c.weight = a_is_better ? R(1.0) + c.weight : -c.weight;
    }
    return c;
}

/* Returns the spread factor of SBX, for u in [0, 1): the distance of a child from the mean of the parents is this
 * factor times half the distance of the parents. */
static GA_INLINE real sbx_spread(real u, cross_shape shape)
{
    return GA_POWER(u < R(0.5) ? R(2.0) * u : R(0.5) / (R(1.0) - u), shape.root);
}

/* sbx_area: returns the area below the distribution of SBX with bounds, up to the spread factor of a child, which may be
 * beyond its parent by at most `room`. sbx_bounded_spread: returns the spread factor. */
static GA_INLINE real sbx_area(real u, real room, real distance, cross_shape shape)
{
    const real beta = R(1.0) + GA_QUOTIENT(R(2.0) * room, distance);
    return u * (R(2.0) - GA_POWER(beta, -shape.power));
}

static GA_INLINE real sbx_bounded_spread(real area, cross_shape shape)
{
    const int is_inside = area <= R(1.0);
    return GA_POWER(is_inside ? area : R(2.0) - area, is_inside ? shape.root : -shape.root);
}

/* Whether SBX crosses a gene of two crossing parents. */
static GA_INLINE int sbx_crosses(uint word)
{
    return (word & 0x80000000u) != 0u;
}

/* Crosses a gene by SBX, with bounds unless `kind` is CROSS_SBX (Deb and Agrawal 1995). Bit 31 of the word decides with
 * probability 1/2 whether the gene is crossed, and then bit 30, with probability 1/2, whether the children exchange it.
 * Bounds are handled as in the program of Deb's NSGA-II. */
static GA_INLINE gene_pair sbx(uint kind, gene_pair parents, uint word, real lower, real upper, cross_shape shape)
{
    const real low = min(parents.a, parents.b), high = max(parents.a, parents.b), distance = high - low;
    const real u = uniform30(word), middle = low + high;
    const int crosses = sbx_crosses(word) && distance > R(0.0);
    gene_pair children = parents;
    real first, second;
    if (GA_BRANCHES && !crosses)
        return children;
    if (kind == CROSS_SBX) {
        first = second = sbx_spread(u, shape);
    } else {
        const real low_area = sbx_area(u, low - lower, distance, shape);
        const real high_area = sbx_area(u, upper - high, distance, shape);
        first = sbx_bounded_spread(low_area, shape);
        second = GA_SHARES_POWER && high_area == low_area ? first : sbx_bounded_spread(high_area, shape);
    }
    first = R(0.5) * (middle - first * distance);
    second = R(0.5) * (middle + second * distance);
    if (kind == CROSS_SBX_BOUNDED) {
        /* as the parents are inside the box, so is their mean */
        first = max(first, lower);
        second = min(second, upper);
    }
    if (crosses) {
        children.a = word & 0x40000000u ? second : first;
        children.b = word & 0x40000000u ? first : second;
    }
    return children;
}

/* SBX with bounds far from them. The power in sbx_area() is below half a unit in the last place of the 2 from which it
 * is subtracted if the box ends beyond sbx_reach() times half the distance of the parents from their mean. Then both
 * areas are 2 u, and the children are inside the box, since the largest spread factor of a word is below this reach. */
#if REAL == 64
#define SBX_REACH_BITS R(56.0)
#else
#define SBX_REACH_BITS R(27.0)
#endif

static GA_INLINE real sbx_reach(cross_shape shape)
{
    return GA_POWER(R(2.0), SBX_REACH_BITS * shape.root);
}

/* Returns the distance between the box and the reach of the parents; at least 0: the box is far from them. The last
 * term of `width` is more than all rounding errors. */
static GA_INLINE real room_of_sbx(gene_pair parents, real lower, real upper, real reach)
{
    const real width = (upper - lower) - R(9.5367431640625e-7) * (fabs(lower) + fabs(upper));
    const real middle = parents.a + parents.b, distance = fabs(parents.a - parents.b);
    return width - reach * distance - fabs(middle - (lower + upper));
}

/* Crosses a gene whose parents are far from the box. The result is that of sbx(). */
static GA_INLINE gene_pair sbx_far_from_box(gene_pair parents, uint word, int crosses, cross_shape shape)
{
    const real middle = parents.a + parents.b, distance = fabs(parents.a - parents.b);
    /* the area is 1 - side */
    const real side = fma(R(-2.0), uniform30(word), R(1.0));
    const real factor = GA_POWER(R(1.0) - fabs(side), copysign(shape.root, side));
    const real spread = word & 0x40000000u ? factor : -factor;
    gene_pair children = parents;
    if (crosses && sbx_crosses(word)) {
        children.a = R(0.5) * (middle + spread * distance);
        children.b = R(0.5) * (middle - spread * distance);
    }
    return children;
}

/* Draws a gene uniformly from the interval of the parents, widened at each end by alpha times its length (Eshelman and
 * Schaffer 1993). The gene of the second child is mirrored at the mean of the parents. */
static GA_INLINE gene_pair blend(gene_pair parents, uint word, real alpha)
{
    const real part = (R(1.0) + R(2.0) * alpha) * uniform30(word) - alpha, distance = parents.b - parents.a;
    gene_pair children;
    children.a = parents.a + part * distance;
    children.b = parents.b - part * distance;
    return children;
}

/* Whether two crossing parents exchange gene d. word: random word of the 32 genes among which d is, for
 * CROSS_UNIFORM. */
static inline int changes_place(uint kind, crossing c, uint d, uint word)
{
    if (kind == CROSS_UNIFORM)
        return word >> (d & 31u) & 1u;
    return (kind == CROSS_ONE_POINT || kind == CROSS_TWO_POINT) && d >= c.from && d < c.to;
}

/* Returns gene d of the children of two crossing parents. word: for CROSS_WORDS, the random word of the gene; for
 * CROSS_BITS, the random word of 32 neighbouring genes; otherwise not used. */
static GA_INLINE gene_pair crossed(uint kind, gene_pair parents, crossing c, uint d, uint word, real lower, real upper,
                                   cross_shape shape, int a_is_better)
{
    gene_pair children = parents;
    switch (kind) {
    case CROSS_SBX_BOUNDED:
    case CROSS_SBX:
        return sbx(kind, parents, word, lower, upper, shape);
    case CROSS_BLX:
        return blend(parents, word, shape.alpha);
    case CROSS_ARITHMETIC:
    case CROSS_AVERAGE:
        children.a = parents.b + c.weight * (parents.a - parents.b);
        children.b = parents.a - c.weight * (parents.a - parents.b);
        return children;
    case CROSS_HEURISTIC:
        children.a = parents.b + c.weight * (parents.a - parents.b);
        children.b = a_is_better ? parents.a : parents.b;
        return children;
    default:
        if (changes_place(kind, c, d, word)) {
            children.a = parents.b;
            children.b = parents.a;
        }
        return children;
    }
}

#endif
/* Mutation of reals, and bounds of genes: docs/ga.md, "Mutation", "Bounds". The host solver also includes this text,
 * with `real` as double. In a kernel, `kind` is a constant. */
#ifndef GA_MUTATE_CLH
#define GA_MUTATE_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Converts random words to real numbers. */
#ifndef SEARCH_RANDOM_CLH
#define SEARCH_RANDOM_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Trigonometric functions of angles in turns. The reduction of their argument is exact, and takes less time than that
 * of sin and cos.
 *
 * cos2pi and sin2pi are within 2 ulp of cos(2 pi x) and sin(2 pi x) for every finite x, also near zeros of these
 * functions. Values 0, 1 and -1 are exact, and no value is outside [-1, 1]. An infinity gives NaN. The largest errors
 * over all floats are 1.55 and 1.41 ulp with fused multiply-add, 1.77 and 1.72 ulp without; those in double precision
 * are the same. */
#ifndef SHOAL_TRIG_CLH
#define SHOAL_TRIG_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif

/* sin(pi k / 2) for -1 <= k <= 1, as k (1 + w P(w)) with w = 1 - k^2. Near |k| = 1, where the function is flat, only
 * the rounding of the last operation remains. The minimax polynomials P have relative errors of 6.0e-9 and 2.7e-19
 * before rounding. */
static inline real sin_quarter_turns(real k)
{
    const real w = R(1.0) - k * k;
#if REAL == 64
    real p = 5.869187055485711134e-12;
    p = p * w + 6.214732360464062613e-10;
    p = p * w + 5.240669041556002299e-8;
    p = p * w + 3.271023245511220003e-6;
    p = p * w + 0.0001432778057136687437;
    p = p * w + 0.004074862465946083949;
    p = p * w + 0.06657486246595854600;
    p = p * w + 0.4999999999999999702;
#else
    real p = 0.0001512808061f;
    p = p * w + 0.004068270136f;
    p = p * w + 0.06657697282f;
    p = p * w + 0.4999997936f;
#endif
    return p * w * k + k;
}

/* The integer nearest to x. GPUs have an instruction for rint(); PoCL needs some twenty. On CPUs 2^52 (2^23 in single
 * precision) is added and subtracted, since all larger numbers are integers. NVRTC defines the macros of the CPU,
 * too. The result is that of rint(), except for the sign of a zero nearest to a negative x. */
static inline real whole_turns(real x)
{
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__CUDACC__)
#if REAL == 64
    const real large = copysign(4503599627370496.0, x);
#else
    const real large = copysign(8388608.0f, x);
#endif
    return fabs(x) < fabs(large) ? (x + large) - large : x;
#else
    return rint(x);
#endif
}

static inline real cos2pi(real x)
{
    return sin_quarter_turns(R(1.0) - fabs(R(4.0) * (x - whole_turns(x))));
}

static inline real sin2pi(real x)
{
    const real turn = x - whole_turns(x), part = fabs(turn);
    return sin_quarter_turns(copysign(R(4.0) * (part > R(0.25) ? R(0.5) - part : part), turn));
}

/* sin(pi x)^2, which is (1 - cos(2 pi x)) / 2 without the difference of nearly equal numbers. */
static inline real sin_pi_squared(real x)
{
    const real s = sin_quarter_turns(R(2.0) * (x - whole_turns(x)));
    return s * s;
}

#endif

/* Converts a random word to a number that must still be multiplied by WORD_SCALE to be in [0, 1). The product is exact.
 * A caller that multiplies by a factor of its own includes WORD_SCALE in it. Both precisions use the upper bits of the
 * same word, so that their searches start at the same points. */
#if REAL == 64
#define WORD_SCALE 2.3283064365386962890625e-10
static inline real word_number(uint word)
{
    return (real)word;
}
#else
#define WORD_SCALE 5.9604644775390625e-8f
static inline real word_number(uint word)
{
    return (real)(word >> 8);
}
#endif

/* Converts a random word to a number in [0, 1). */
static inline real uniform(uint word)
{
    return word_number(word) * WORD_SCALE;
}

/* half_word_number: converts 16 random bits to the number plus 1/2, which must still be multiplied by HALF_WORD_SCALE,
 * 2^-16. uniform16: converts 16 random bits to a number in (0, 1). */
#define HALF_WORD_SCALE R(1.52587890625e-5)
static inline real half_word_number(uint half_word)
{
    return (real)half_word + R(0.5);
}

static inline real uniform16(uint half_word)
{
    return half_word_number(half_word) * HALF_WORD_SCALE;
}

/* The distance from 0 of two standard normal numbers. */
static inline real normal_radius(uint word)
{
    return sqrt(R(-2.0) * log(((real)word + R(0.5)) * R(2.3283064365386962890625e-10)));
}

/* Makes two standard normal numbers from two random words. */
static inline void normal_pair(uint a, uint b, real *first, real *second)
{
    const real radius = normal_radius(a);
    /* sinpi is not used: in scalar code PoCL 3.1 computes it wrongly. */
    *first = radius * cos2pi(uniform(b));
    *second = radius * sin2pi(uniform(b));
}

#endif
/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif
/* Random words, and decisions by random words. Decisions compare integers, so that they are the same on every
 * device. */
#ifndef GA_DRAW_CLH
#define GA_DRAW_CLH

/* Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3;
 * SC 2011). The host (through <shoal/rng.h>), OpenCL C and CUDA share this text.
 *
 * The generator has no state. A counter {index, draw, step, stream} and a 64-bit seed always give the same four words,
 * on every device:
 *     index    particle, individual, element
 *     draw     number of the block of four words within one step of that index
 *     step     iteration
 *     stream   enum shoal_stream: the purpose of the numbers
 * Words and uniform numbers have the same bits everywhere. Normal numbers use log, sin and cos, whose last digits
 * differ from one device to the next.
 */
#ifndef SHOAL_PHILOX_CLH
#define SHOAL_PHILOX_CLH

#ifdef SHOAL_PHILOX_HOST
#define PHILOX_UINT         uint32_t
#define PHILOX_ULONG        uint64_t
#define PHILOX_FLOAT(name)  name##f
#define PHILOX_COSPI(x)     cosf(3.14159265358979324f * (x))
#define PHILOX_SINPI(x)     sinf(3.14159265358979324f * (x))
#define PHILOX_COSPI_D(x)   cos(3.14159265358979324 * (x))
#define PHILOX_SINPI_D(x)   sin(3.14159265358979324 * (x))
#define PHILOX_DOUBLE       1
#else
#define PHILOX_UINT         uint
#define PHILOX_ULONG        ulong
#define PHILOX_FLOAT(name)  name
#define PHILOX_COSPI(x)     cospi(x)
#define PHILOX_SINPI(x)     sinpi(x)
#define PHILOX_COSPI_D(x)   cospi(x)
#define PHILOX_SINPI_D(x)   sinpi(x)
#if defined(REAL) && REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define PHILOX_DOUBLE 1
#else
#define PHILOX_DOUBLE 0
#endif
#endif

/* Streams of random numbers. Each has one purpose, so that no two draws use the same counter. The values determine
 * the results of runs: new streams get new values, and old values stay. */
enum shoal_stream {
    SHOAL_STREAM_FILL = 0, /* the functions shoal_random_* */
    SHOAL_STREAM_TEST = 1,
    SHOAL_STREAM_USER = 2, /* for callers of the library */
    SHOAL_STREAM_DATA = 3, /* generated tables */
    SHOAL_STREAM_DATASET_ROW = 4, /* generated data sets */
    SHOAL_STREAM_DATASET_NET = 5,
    SHOAL_STREAM_DATASET_WRONG = 6,
    SHOAL_STREAM_DATASET_SPLIT = 7, /* which rows are for training, validation and tests */

    SHOAL_STREAM_PSO_POSITION = 256,
    SHOAL_STREAM_PSO_VELOCITY = 257,
    SHOAL_STREAM_PSO_MOVE = 258,
    SHOAL_STREAM_PSO_SPHERE = 259,
    SHOAL_STREAM_PSO_FIPS = 260,
    SHOAL_STREAM_PSO_REENTRY = 261,
    SHOAL_STREAM_PSO_LINKS = 262,
    SHOAL_STREAM_SEARCH_SHIFT = 263,
    SHOAL_STREAM_SEARCH_EXCHANGE = 264,
    SHOAL_STREAM_OBJECTIVE_ROTATION = 265,
    SHOAL_STREAM_CMAES_START = 288,
    SHOAL_STREAM_CMAES_NORMAL = 289,

    SHOAL_STREAM_GAS_POSITION = 512,
    SHOAL_STREAM_GAS_VELOCITY = 513,
    SHOAL_STREAM_GAS_LANGEVIN = 514,
    SHOAL_STREAM_GAS_RESCALE = 515,
    SHOAL_STREAM_GAS_WALL = 516,
    SHOAL_STREAM_GAS_PUSH = 517,

    SHOAL_STREAM_GA_START = 768,
    SHOAL_STREAM_GA_PAIR = 769,
    SHOAL_STREAM_GA_SELECT = 770,
    SHOAL_STREAM_GA_CROSS_GENE = 771,
    SHOAL_STREAM_GA_MUTATE = 772,
    SHOAL_STREAM_GA_REPLACE = 773,
    SHOAL_STREAM_GA_MIGRATE = 774,
    SHOAL_STREAM_GA_LOCAL = 775,

    SHOAL_STREAM_TSP_ANTS_CHOOSE = 1040,
    SHOAL_STREAM_TSP_ANTS_MUTATE = 1041,
    SHOAL_STREAM_TSP_IMPROVE = 1042,
    SHOAL_STREAM_TSP_FACO_ANT = 1056,
    SHOAL_STREAM_TSP_FACO_SOURCE = 1057,

    SHOAL_STREAM_TSP_THESIS_MACRO = 1088,
    SHOAL_STREAM_TSP_THESIS_MICRO = 1089,

    SHOAL_STREAM_MLP_START = 1280,
    SHOAL_STREAM_MLP_ORDER = 1281,
    SHOAL_STREAM_MLP_DROPOUT = 1282,

    SHOAL_STREAM_DE_START = 1536,
    SHOAL_STREAM_DE_RULE = 1537,
    SHOAL_STREAM_DE_CROSS = 1538,
    SHOAL_STREAM_DE_ARCHIVE = 1539,

    SHOAL_STREAM_DIRECT_SEARCH = 2048,
    SHOAL_STREAM_PORTFOLIO_SEED = 2049,
    SHOAL_STREAM_PORTFOLIO_POINT = 2050
};

struct shoal_words {
    PHILOX_UINT x, y, z, w;
};

/* The 64-bit product of two 32-bit words. A native version may define it in another way. */
#ifndef SHOAL_PHILOX_PRODUCT
#define SHOAL_PHILOX_PRODUCT(multiplier, word) ((PHILOX_ULONG)(multiplier) * (word))
#endif

/* A kernel may force inlining, so that loops with calls become vector code. */
#ifndef SHOAL_PHILOX_INLINE
#define SHOAL_PHILOX_INLINE inline
#endif

/* One of the ten rounds of Philox4x32-10. */
static SHOAL_PHILOX_INLINE void shoal_philox_round(struct shoal_words *c, PHILOX_UINT key0, PHILOX_UINT key1)
{
    /* mul_hi is not used: PoCL computes it by four products of 16 bits, while vector units have a 64-bit product. One
     * product gives both halves, by a single instruction on NVIDIA GPUs. */
    const PHILOX_ULONG product0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, c->x);
    const PHILOX_ULONG product1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, c->z);
    c->x = (PHILOX_UINT)(product1 >> 32) ^ c->y ^ key0;
    c->y = (PHILOX_UINT)product1;
    c->z = (PHILOX_UINT)(product0 >> 32) ^ c->w ^ key1;
    c->w = (PHILOX_UINT)product0;
}

#define SHOAL_PHILOX_KEY0(key, round) ((key) + (round) * 0x9E3779B9u)
#define SHOAL_PHILOX_KEY1(key, round) ((key) + (round) * 0xBB67AE85u)

/* Philox4x32-10 as the paper defines it: the words of the counter have no meaning here. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_philox4x32(struct shoal_words counter, PHILOX_UINT key0, PHILOX_UINT key1)
{
    struct shoal_words c = counter;
    PHILOX_UINT round;
#ifndef SHOAL_PHILOX_HOST
    /* A loop that calls this function can become vector code only if the loop below is unrolled. */
#pragma unroll
#endif
    for (round = 0; round < 10; round++)
        shoal_philox_round(&c, SHOAL_PHILOX_KEY0(key0, round), SHOAL_PHILOX_KEY1(key1, round));
    return c;
}

static SHOAL_PHILOX_INLINE struct shoal_words shoal_random_words(PHILOX_ULONG seed, PHILOX_UINT stream,
                                                                 PHILOX_UINT step, PHILOX_UINT index, PHILOX_UINT draw)
{
    struct shoal_words counter;
    counter.x = index;
    counter.y = draw;
    counter.z = step;
    counter.w = stream;
    return shoal_philox4x32(counter, (PHILOX_UINT)seed, (PHILOX_UINT)(seed >> 32));
}

#ifndef SHOAL_PHILOX_HOST
/* What all draws of one index, step and stream share: parts of words of the first four rounds, whose number is in the
 * name. Work-items that draw often keep it, and a draw needs 17 of 20 products. */
struct shoal_series {
    PHILOX_UINT x1, z2, x3, z3, z4;
};

/* keys: SHOAL_PHILOX_KEY0 and SHOAL_PHILOX_KEY1 of each round, in turn. As arguments of a launch they take no operation
 * and, on NVIDIA GPUs, no register. */
static SHOAL_PHILOX_INLINE struct shoal_series shoal_series_of(const PHILOX_UINT *keys, PHILOX_UINT stream,
                                                               PHILOX_UINT step, PHILOX_UINT index)
{
    const PHILOX_ULONG first0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, index);
    const PHILOX_ULONG first1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, step);
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(first0 >> 32) ^ stream ^ keys[1]);
    const PHILOX_ULONG third =
        SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(second >> 32) ^ (PHILOX_UINT)first1 ^ keys[2]);
    struct shoal_series series;
    series.x1 = (PHILOX_UINT)(first1 >> 32) ^ keys[0];
    series.z2 = (PHILOX_UINT)first0 ^ keys[3];
    series.x3 = (PHILOX_UINT)second ^ keys[4];
    series.z3 = (PHILOX_UINT)(third >> 32) ^ keys[5];
    series.z4 = (PHILOX_UINT)third ^ keys[7];
    return series;
}

/* Returns the words that shoal_random_words returns for this draw. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_series_words(struct shoal_series series, const PHILOX_UINT *keys,
                                                                 PHILOX_UINT draw)
{
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xD2511F53u, series.x1 ^ draw);
    const PHILOX_ULONG third = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(second >> 32) ^ series.z2);
    const PHILOX_ULONG fourth0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(third >> 32) ^ series.x3);
    const PHILOX_ULONG fourth1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)second ^ series.z3);
    struct shoal_words c;
    PHILOX_UINT round;
    c.x = (PHILOX_UINT)(fourth1 >> 32) ^ (PHILOX_UINT)third ^ keys[6];
    c.y = (PHILOX_UINT)fourth1;
    c.z = (PHILOX_UINT)(fourth0 >> 32) ^ series.z4;
    c.w = (PHILOX_UINT)fourth0;
#pragma unroll
    for (round = 4; round < 10; round++)
        shoal_philox_round(&c, keys[2 * round], keys[2 * round + 1]);
    return c;
}
#endif

/* A uniform random number in [0, 1), a multiple of 2^-24. */
static inline float shoal_uniform_float(PHILOX_UINT word)
{
    return (float)(word >> 8) * 5.9604644775390625e-8f;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-24, so that numbers are symmetric about 1/2. */
static inline float shoal_uniform_open_float(PHILOX_UINT word)
{
    return ((float)(word >> 9) + 0.5f) * 1.1920928955078125e-7f;
}

/* Computes two independent standard normal numbers from two words (Box and Muller). Their absolute values are at most
 * 6.8. */
static inline void shoal_normal_float(PHILOX_UINT word0, PHILOX_UINT word1, float *first, float *second)
{
    /* All 32 bits of word0 are used, for the tails of the distribution. Rounding may give 1, whose logarithm is 0. */
    const float radius2 = -2.0f * PHILOX_FLOAT(log)(((float)word0 + 0.5f) * 2.3283064365386963e-10f);
    const float radius = PHILOX_FLOAT(sqrt)(radius2);
    const float angle = 2.0f * shoal_uniform_float(word1); /* in half turns */
    *first = radius * PHILOX_COSPI(angle);
    *second = radius * PHILOX_SINPI(angle);
}

#if PHILOX_DOUBLE
/* A uniform random number in [0, 1), a multiple of 2^-53. Its first 24 bits are those of
 * shoal_uniform_float(high). */
static inline double shoal_uniform_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return (double)((((PHILOX_ULONG)high << 32) | low) >> 11) * 1.1102230246251565e-16;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-53, so that numbers are symmetric about 1/2. */
static inline double shoal_uniform_open_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return ((double)((((PHILOX_ULONG)high << 32) | low) >> 12) + 0.5) * 2.2204460492503131e-16;
}

/* Computes two independent standard normal numbers from four words. Their absolute values are at most 8.6. */
static inline void shoal_normal_double(struct shoal_words words, double *first, double *second)
{
    const double radius = sqrt(-2.0 * log(shoal_uniform_open_double(words.x, words.y)));
    const double angle = 2.0 * shoal_uniform_double(words.z, words.w);
    *first = radius * PHILOX_COSPI_D(angle);
    *second = radius * PHILOX_SINPI_D(angle);
}
#endif

#undef PHILOX_UINT
#undef PHILOX_ULONG
#undef PHILOX_FLOAT
#undef PHILOX_COSPI
#undef PHILOX_SINPI
#undef PHILOX_COSPI_D
#undef PHILOX_SINPI_D
#undef PHILOX_DOUBLE
#undef SHOAL_PHILOX_PRODUCT
#undef SHOAL_PHILOX_INLINE

#endif
/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Settings and tables that the host and the kernels of genetic algorithms share. The text is C, OpenCL C and CUDA. */
#ifndef GA_LAYOUT_CLH
#define GA_LAYOUT_CLH

/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif

/* Settings of the algorithm in the buffer `settings`; they begin at SET_OWN of search/layout.clh. */
enum ga_setting {
    SET_CROSS_POWER = 5, /* eta + 1 of SBX */
    SET_CROSS_ROOT,      /* 1 / (eta + 1) */
    SET_CROSS_ALPHA,     /* the interval of the parents is widened at each end by this fraction of its length */
    SET_MUTATE_POWER,    /* eta + 1 of the polynomial mutation */
    SET_MUTATE_ROOT,
    SET_SIGMA,           /* sigma of the Gaussian mutation */
    SET_TEMPERATURE,     /* temperature of Boltzmann selection in step 1 */
    SET_COOLING,         /* factor by which the temperature changes in each step */
    SET_PENALTY          /* penalty factor of a gene outside the box */
};

/* The buffer `rates` has one entry for all islands, or an entry for each island of a run. An entry begins with these
 * words. RATE_CROSS and RATE_MUTATE: thresholds of the crossover and of the mutation of an order. RATE_DECAY: the bits
 * of a float, 1 / log2(1 - gene rate), at least -FLT_MAX: `decay` of ga/model/places.clh; if at most one gene of a
 * child mutates, the number of genes outside orders / (mutation rate 2^31) instead. RATE_SCALE: the bits of the float 1
 * / RATE_MUTATE; for RATE_MUTATE 0, of 1.
 *
 * Then follow two tables: for the index of a child's first mutated gene, and for the distance to the next mutated gene
 * (docs/ga.md). A table has a threshold for each gene outside orders, two thresholds that no key reaches, and a guide:
 * for each of RATE_GUIDE equal ranges of keys, the first index of a threshold above the range's beginning (Chen and
 * Asau 1974). A key is the upper 31 bits of a random word.
 */
enum ga_rate { RATE_CROSS, RATE_MUTATE, RATE_DECAY, RATE_SCALE, RATE_TABLES };
#define RATE_GUIDE_BITS     6
#define RATE_GUIDE          (1u << RATE_GUIDE_BITS)
#define RATE_GUIDE_AT(line) ((line) + 2u)                      /* index of the guide in a table */
#define RATE_TABLE(line)    (RATE_GUIDE_AT(line) + RATE_GUIDE) /* number of words in a table */
#define RATE_NEXT(line)     (RATE_TABLES + RATE_TABLE(line))   /* index of the second table */
#define RATE_WORDS(line)    (RATE_TABLES + 2u * RATE_TABLE(line))

/* Thresholds are multiples of 2^-31, and are compared with the upper 31 bits of a word. An event with threshold 0 never
 * happens, an event with THRESHOLD_ONE always. */
#define THRESHOLD_ONE 0x80000000u

/* The table of whole numbers has WHOLE_WORDS words for each of them: least value, greatest minus least value, and
 * mutation. */
enum ga_whole { WHOLE_LOWER, WHOLE_WIDTH, WHOLE_MUTATION, WHOLE_WORDS };

/* Scalar arguments of the kernels for populations in global memory. */
struct ga_shape {
    unsigned children;                /* children that an island makes in a step */
    unsigned indices;                 /* number of counters of random numbers that an island uses */
    /* number of entries for an island in the order of members, and in the order of children */
    unsigned padded, padded_children;
    unsigned line; /* number of genes outside orders */
    unsigned elites;
    unsigned tournament;    /* number of contestants in a tournament */
    unsigned truncated;     /* number of best members among which truncation draws a parent */
    unsigned rows, columns; /* rows and columns of the torus of cells */
    unsigned migrants, sends_best, replaces_worst;
    unsigned has_rate_list; /* 1: the buffer `rates` has an entry for each island of a run; 0: one entry */
    unsigned in_place;      /* 1: members that are not replaced keep their indices */
};

/* Number of genes in each part of a genome. A word of bits holds 32 genes, a word of places two places. */
struct ga_genes {
    unsigned reals, wholes, bits, places;
    unsigned messy; /* largest number of pairs in a list of messy genes; 0: genes are not messy */
};

/* With messy genes, a member has further words after its genes: the template, a bit for each gene; the number of pairs
 * in its list; the pairs; and 0 in the words after the last pair. */
#define MESSY_LENGTH(bits)      (((bits) + 31u) / 32u)
#define MESSY_PAIRS(bits)       (MESSY_LENGTH(bits) + 1u)
#define MESSY_WORDS(bits, most) (MESSY_PAIRS(bits) + (most))

/* LINE_SPAN: number of words outside orders that are moved together in local memory. LINE_STRIDE: number of words from
 * a genome to the next genome there, an odd number of spans. LINE_TURNS: whether a genome is a multiple of eight spans;
 * on the chip, such genomes follow each other without gaps, and their spans are rotated. */
#define LINE_SPAN(words)   ((words) % 4 ? 1 : 4)
#define LINE_STRIDE(words) (((words) / LINE_SPAN(words) | 1) * LINE_SPAN(words))
#define LINE_TURNS(words)  ((words) % 32 == 0)

/* Size of parts of the local memory of an island on the chip. ORDER_WORDS: words for the order of its members, or of
 * its elites if there are several. WEIGHT_SUMS: units of 8 bytes for running sums of weights. */
#define ORDER_WORDS(selection, elites, members) \
    (SELECTS_BY_ORDER(selection) ? (members) : (elites) > 1 ? (elites) : 0)
#define WEIGHT_SUMS(selection, members) (SELECTS_BY_WEIGHT(selection) ? (members) : 0)

/* Number of bits of a place in orders that are in local memory. */
#define PACKED_PLACE_BITS(count) ((count) <= 256 ? 8 : 16)

/* Number of words of `bits` bits each that hold a mark (one bit) for each element of an order. */
#define ORDER_MARKS(count, bits) (((count) + (bits) - 1u) / (bits))

/* Returns the number of words, of 8 or 16 bits each, that the operators of an order need for a child. */
static inline unsigned order_scratch(unsigned crossover, unsigned mutation, unsigned count, unsigned bits)
{
    unsigned size = crossover == CROSS_PMX || crossover == CROSS_CX ? count : 0u;
    if (crossover == CROSS_OX)
        size = ORDER_MARKS(count, bits);
    if (crossover == CROSS_ERX)
        size = 2u * count + ORDER_MARKS(count, bits);
    return mutation == MUTATE_SCRAMBLE && size < count ? count : size;
}

/* Scalar arguments of the kernel ga_improve. */
struct ga_local_search {
    unsigned steps;      /* largest number of moves that a child makes */
    unsigned tenure;     /* least number of steps for which a move is tabu */
    unsigned chosen;     /* number of children of an island that get a local search: the best ones */
    unsigned count;      /* number of moves among which a step chooses */
    unsigned child;      /* first child of the launch, counted over all islands */
    /* the launch makes steps begin .. end - 1; the states of searches with further steps are stored for the next
     * launch */
    unsigned begin, end;
};

/* State of a local search between two launches, in units of 8 bytes: KEPT_VALUE: the child's value; KEPT_LEAST: the
 * least value so far; KEPT_IS_GOING: whether the search can still make steps; from KEPT_POOL on: the child's local
 * memory. */
enum ga_kept { KEPT_VALUE, KEPT_LEAST, KEPT_IS_GOING, KEPT_POOL };

/* Draws for a whole island in the stream GA_PAIR, at the index of its first child. Pairs use only the draws 0 and 1. */
#define SUS_OFFSET_DRAW 0x80000000u
#define SUS_KEYS_DRAW   0x80000001u

/* Draw of an individual in the stream GA_START from which the keys of its order come. */
#define ORDER_KEYS_DRAW 0x80000000u
/* First draw of an individual in the stream GA_START from which the pairs of its list come. */
#define MESSY_DRAW 0x40000000u
/* First draws in the stream GA_CROSS_GENE. CROSS_BITS_DRAW: of the uniform crossover of whole numbers and bits, if
 * SBX or BLX crosses the reals of the same parents, which takes the draws from 0 on. ERX_DRAW: of edge recombination. */
#define CROSS_BITS_DRAW 0x40000000u
#define ERX_DRAW        0x80000000u
/* Draws in the stream GA_MUTATE. ORDER_DRAW: for the mutation of an order; SCRAMBLE_DRAW: for the keys of a scramble
 * mutation. */
#define ORDER_DRAW      0x40000000u
#define SCRAMBLE_DRAW   0x40000001u

/* Largest weight of a member in roulette, SUS and Boltzmann selection. A sum of 2^28 weights has at most 53 bits. */
#define WEIGHT_ONE 16777216u

#endif

/* A kernel may define GA_INLINE as forced inlining, so that loops around calls become vector code. */
#ifndef GA_INLINE
#define GA_INLINE inline
#endif

/* Returns word n of a block, n = 0 .. 3. */
static GA_INLINE uint word_at(struct shoal_words words, uint n)
{
    return n == 0u ? words.x : n == 1u ? words.y : n == 2u ? words.z : words.w;
}

/* Converts a word to an index in 0 .. count - 1. mul_hi is not used: see lib/philox.clh. */
static GA_INLINE uint index_of(uint word, uint count)
{
    return (uint)(((ulong)word * count) >> 32);
}

/* Whether an event with probability threshold / THRESHOLD_ONE happens. */
static GA_INLINE int happens(uint word, uint threshold)
{
    return (word >> 1) < threshold;
}

/* Converts the low 30 bits of a word to a number in (0, 1). */
static GA_INLINE real uniform30(uint word)
{
#if REAL == 64
    return ((real)(word & 0x3fffffffu) + R(0.5)) * R(9.31322574615478515625e-10);
#else
    /* (bits + 1/2) / 2^23 with the upper 23 of the 30 bits; exact, and without a conversion, which is slow on GPUs */
    return as_float(0x3f800000u | (word & 0x3fffffffu) >> 7) - R(0.999999940395355224609375);
#endif
}

/* Defines the function `uint name(TABLE table, uint count, key_type key)`. It returns the first index of a table whose
 * entry is above the key; `count` if there is none. The entries must be in ascending order. This is a macro since
 * tables are in different address spaces. */
#define GA_FIRST_ABOVE(name, TABLE, key_type)                                                                          \
    static GA_INLINE uint name(TABLE table, uint count, key_type key)                                                  \
    {                                                                                                                  \
        uint low = 0u, high = count;                                                                                   \
        while (low < high) {                                                                                           \
            const uint middle = low + (high - low) / 2u;                                                               \
            if (table[middle] > key)                                                                                   \
                high = middle;                                                                                         \
            else                                                                                                       \
                low = middle + 1u;                                                                                     \
        }                                                                                                              \
        return low;                                                                                                    \
    }

/* A round of the Feistel network of shuffled(). */
static GA_INLINE uint scramble(uint half_word, uint key)
{
    uint x = (half_word ^ key) * 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA77u;
    return x ^ (x >> 13);
}

/* Returns the place of element i in a random permutation of `count` elements. A Feistel network of eight rounds
 * permutes the numbers below 4^bits, where 4^bits >= count. It is applied repeatedly until the result is below `count`
 * (Black and Rogaway 2002). */
static GA_INLINE uint shuffled(uint i, uint count, uint bits, struct shoal_words keys)
{
    const uint mask = (1u << bits) - 1u;
    do {
        uint left = i >> bits, right = i & mask, round;
        for (round = 0u; round < 8u; round++) {
            const uint next = left ^ (scramble(right + (round << 16), word_at(keys, round & 3u)) & mask);
            left = right;
            right = next;
        }
        i = left << bits | right;
    } while (i >= count);
    return i;
}

static GA_INLINE uint shuffle_bits(uint count)
{
    uint bits = 1u;
    while (bits < 16u && (1u << (2u * bits)) < count)
        bits++;
    return bits;
}

#endif

#ifndef GA_POWER
#define GA_POWER(x, exponent) pow(x, exponent)
#endif
#ifndef GA_QUOTIENT
#define GA_QUOTIENT(a, b) ((a) / (b))
#endif
#ifndef GA_NORMAL_PAIR
#define GA_NORMAL_PAIR normal_pair
#endif

typedef struct {
    real power, root; /* eta + 1 and 1 / (eta + 1) of the polynomial mutation */
    /* standard deviation of the Gaussian mutation, in the unit of the gene; with SIGMA_BOX, in widths of the box */
    real sigma;
} mutate_shape;

/* Converts the last two words of a block to the two random numbers by which two genes mutate. */
static GA_INLINE void mutation_numbers(uint kind, uint first_word, uint second_word, real *first, real *second)
{
    if (kind == MUTATE_GAUSSIAN) {
        GA_NORMAL_PAIR(first_word, second_word, first, second);
    } else {
        *first = kind == MUTATE_UNIFORM ? uniform(first_word) : uniform30(first_word);
        *second = kind == MUTATE_UNIFORM ? uniform(second_word) : uniform30(second_word);
    }
}

/* Whether a mutated gene may be outside of the box. */
static GA_INLINE int mutation_leaves_box(uint kind)
{
    return kind == MUTATE_GAUSSIAN;
}

/* Returns a gene after the polynomial mutation of Deb and Agrawal 1999, with bounds as in the program of NSGA-II. */
static GA_INLINE real mutated_polynomial(real x, real u, real lower, real upper, mutate_shape shape)
{
    const real width = upper - lower;
    const int is_down = u < R(0.5);
    const real tail = is_down ? u : R(1.0) - u, room = is_down ? x - lower : upper - x;
    /* A fixed variable has width 0, and its step is 0. The part is at most 1 inside the box. The limit keeps compilers
     * from fusing the product of a fast quotient with the difference below in some of the places where this function is
     * inlined and not in others: all genes are rounded alike. */
    const real part = min(GA_QUOTIENT(room, width > R(0.0) ? width : R(1.0)), R(2.0));
    const real area = R(2.0) * tail + (R(1.0) - R(2.0) * tail) * GA_POWER(max(R(0.0), R(1.0) - part), shape.power);
    const real step = (R(1.0) - GA_POWER(area, shape.root)) * width;
    return clamp(is_down ? x - step : x + step, lower, upper);
}

/* Returns a gene after its mutation. number: the random number of the gene. is_box: sigma is in widths of the box. */
static GA_INLINE real mutated(uint kind, real x, real number, real lower, real upper, mutate_shape shape, int is_box)
{
    switch (kind) {
    case MUTATE_POLYNOMIAL:
        return mutated_polynomial(x, number, lower, upper, shape);
    case MUTATE_GAUSSIAN:
        return x + shape.sigma * (is_box ? upper - lower : R(1.0)) * number;
    case MUTATE_UNIFORM:
        return min(lower + number * (upper - lower), upper);
    default:
        return x;
    }
}

/* Returns a gene after the rule BOUNDS was applied to it. Called after operators that may leave the box. */
static GA_INLINE real bounded(uint bounds, real x, real lower, real upper)
{
    real image;
    switch (bounds) {
    case BOUNDS_CLAMP:
        return clamp(x, lower, upper);
    case BOUNDS_REFLECT:
        image = x < lower ? R(2.0) * lower - x : x > upper ? R(2.0) * upper - x : x;
        return clamp(image, lower, upper);
    default:
        return x;
    }
}

/* Returns the penalty that a gene outside of the box adds to the value; 0 inside the box. */
static GA_INLINE real penalty_of(real x, real lower, real upper, real penalty)
{
    const real beyond = max(lower - x, x - upper);
    return beyond > R(0.0) ? penalty * (R(1.0) + beyond / (upper - lower)) : R(0.0);
}

#endif
/* Selection: docs/ga.md, "Selection". This file has the rules for values and random words. The including file reads,
 * sorts and sums the population. */
#ifndef GA_SELECT_CLH
#define GA_SELECT_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif
/* Random words, and decisions by random words. Decisions compare integers, so that they are the same on every
 * device. */
#ifndef GA_DRAW_CLH
#define GA_DRAW_CLH

/* Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3;
 * SC 2011). The host (through <shoal/rng.h>), OpenCL C and CUDA share this text.
 *
 * The generator has no state. A counter {index, draw, step, stream} and a 64-bit seed always give the same four words,
 * on every device:
 *     index    particle, individual, element
 *     draw     number of the block of four words within one step of that index
 *     step     iteration
 *     stream   enum shoal_stream: the purpose of the numbers
 * Words and uniform numbers have the same bits everywhere. Normal numbers use log, sin and cos, whose last digits
 * differ from one device to the next.
 */
#ifndef SHOAL_PHILOX_CLH
#define SHOAL_PHILOX_CLH

#ifdef SHOAL_PHILOX_HOST
#define PHILOX_UINT         uint32_t
#define PHILOX_ULONG        uint64_t
#define PHILOX_FLOAT(name)  name##f
#define PHILOX_COSPI(x)     cosf(3.14159265358979324f * (x))
#define PHILOX_SINPI(x)     sinf(3.14159265358979324f * (x))
#define PHILOX_COSPI_D(x)   cos(3.14159265358979324 * (x))
#define PHILOX_SINPI_D(x)   sin(3.14159265358979324 * (x))
#define PHILOX_DOUBLE       1
#else
#define PHILOX_UINT         uint
#define PHILOX_ULONG        ulong
#define PHILOX_FLOAT(name)  name
#define PHILOX_COSPI(x)     cospi(x)
#define PHILOX_SINPI(x)     sinpi(x)
#define PHILOX_COSPI_D(x)   cospi(x)
#define PHILOX_SINPI_D(x)   sinpi(x)
#if defined(REAL) && REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define PHILOX_DOUBLE 1
#else
#define PHILOX_DOUBLE 0
#endif
#endif

/* Streams of random numbers. Each has one purpose, so that no two draws use the same counter. The values determine
 * the results of runs: new streams get new values, and old values stay. */
enum shoal_stream {
    SHOAL_STREAM_FILL = 0, /* the functions shoal_random_* */
    SHOAL_STREAM_TEST = 1,
    SHOAL_STREAM_USER = 2, /* for callers of the library */
    SHOAL_STREAM_DATA = 3, /* generated tables */
    SHOAL_STREAM_DATASET_ROW = 4, /* generated data sets */
    SHOAL_STREAM_DATASET_NET = 5,
    SHOAL_STREAM_DATASET_WRONG = 6,
    SHOAL_STREAM_DATASET_SPLIT = 7, /* which rows are for training, validation and tests */

    SHOAL_STREAM_PSO_POSITION = 256,
    SHOAL_STREAM_PSO_VELOCITY = 257,
    SHOAL_STREAM_PSO_MOVE = 258,
    SHOAL_STREAM_PSO_SPHERE = 259,
    SHOAL_STREAM_PSO_FIPS = 260,
    SHOAL_STREAM_PSO_REENTRY = 261,
    SHOAL_STREAM_PSO_LINKS = 262,
    SHOAL_STREAM_SEARCH_SHIFT = 263,
    SHOAL_STREAM_SEARCH_EXCHANGE = 264,
    SHOAL_STREAM_OBJECTIVE_ROTATION = 265,
    SHOAL_STREAM_CMAES_START = 288,
    SHOAL_STREAM_CMAES_NORMAL = 289,

    SHOAL_STREAM_GAS_POSITION = 512,
    SHOAL_STREAM_GAS_VELOCITY = 513,
    SHOAL_STREAM_GAS_LANGEVIN = 514,
    SHOAL_STREAM_GAS_RESCALE = 515,
    SHOAL_STREAM_GAS_WALL = 516,
    SHOAL_STREAM_GAS_PUSH = 517,

    SHOAL_STREAM_GA_START = 768,
    SHOAL_STREAM_GA_PAIR = 769,
    SHOAL_STREAM_GA_SELECT = 770,
    SHOAL_STREAM_GA_CROSS_GENE = 771,
    SHOAL_STREAM_GA_MUTATE = 772,
    SHOAL_STREAM_GA_REPLACE = 773,
    SHOAL_STREAM_GA_MIGRATE = 774,
    SHOAL_STREAM_GA_LOCAL = 775,

    SHOAL_STREAM_TSP_ANTS_CHOOSE = 1040,
    SHOAL_STREAM_TSP_ANTS_MUTATE = 1041,
    SHOAL_STREAM_TSP_IMPROVE = 1042,
    SHOAL_STREAM_TSP_FACO_ANT = 1056,
    SHOAL_STREAM_TSP_FACO_SOURCE = 1057,

    SHOAL_STREAM_TSP_THESIS_MACRO = 1088,
    SHOAL_STREAM_TSP_THESIS_MICRO = 1089,

    SHOAL_STREAM_MLP_START = 1280,
    SHOAL_STREAM_MLP_ORDER = 1281,
    SHOAL_STREAM_MLP_DROPOUT = 1282,

    SHOAL_STREAM_DE_START = 1536,
    SHOAL_STREAM_DE_RULE = 1537,
    SHOAL_STREAM_DE_CROSS = 1538,
    SHOAL_STREAM_DE_ARCHIVE = 1539,

    SHOAL_STREAM_DIRECT_SEARCH = 2048,
    SHOAL_STREAM_PORTFOLIO_SEED = 2049,
    SHOAL_STREAM_PORTFOLIO_POINT = 2050
};

struct shoal_words {
    PHILOX_UINT x, y, z, w;
};

/* The 64-bit product of two 32-bit words. A native version may define it in another way. */
#ifndef SHOAL_PHILOX_PRODUCT
#define SHOAL_PHILOX_PRODUCT(multiplier, word) ((PHILOX_ULONG)(multiplier) * (word))
#endif

/* A kernel may force inlining, so that loops with calls become vector code. */
#ifndef SHOAL_PHILOX_INLINE
#define SHOAL_PHILOX_INLINE inline
#endif

/* One of the ten rounds of Philox4x32-10. */
static SHOAL_PHILOX_INLINE void shoal_philox_round(struct shoal_words *c, PHILOX_UINT key0, PHILOX_UINT key1)
{
    /* mul_hi is not used: PoCL computes it by four products of 16 bits, while vector units have a 64-bit product. One
     * product gives both halves, by a single instruction on NVIDIA GPUs. */
    const PHILOX_ULONG product0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, c->x);
    const PHILOX_ULONG product1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, c->z);
    c->x = (PHILOX_UINT)(product1 >> 32) ^ c->y ^ key0;
    c->y = (PHILOX_UINT)product1;
    c->z = (PHILOX_UINT)(product0 >> 32) ^ c->w ^ key1;
    c->w = (PHILOX_UINT)product0;
}

#define SHOAL_PHILOX_KEY0(key, round) ((key) + (round) * 0x9E3779B9u)
#define SHOAL_PHILOX_KEY1(key, round) ((key) + (round) * 0xBB67AE85u)

/* Philox4x32-10 as the paper defines it: the words of the counter have no meaning here. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_philox4x32(struct shoal_words counter, PHILOX_UINT key0, PHILOX_UINT key1)
{
    struct shoal_words c = counter;
    PHILOX_UINT round;
#ifndef SHOAL_PHILOX_HOST
    /* A loop that calls this function can become vector code only if the loop below is unrolled. */
#pragma unroll
#endif
    for (round = 0; round < 10; round++)
        shoal_philox_round(&c, SHOAL_PHILOX_KEY0(key0, round), SHOAL_PHILOX_KEY1(key1, round));
    return c;
}

static SHOAL_PHILOX_INLINE struct shoal_words shoal_random_words(PHILOX_ULONG seed, PHILOX_UINT stream,
                                                                 PHILOX_UINT step, PHILOX_UINT index, PHILOX_UINT draw)
{
    struct shoal_words counter;
    counter.x = index;
    counter.y = draw;
    counter.z = step;
    counter.w = stream;
    return shoal_philox4x32(counter, (PHILOX_UINT)seed, (PHILOX_UINT)(seed >> 32));
}

#ifndef SHOAL_PHILOX_HOST
/* What all draws of one index, step and stream share: parts of words of the first four rounds, whose number is in the
 * name. Work-items that draw often keep it, and a draw needs 17 of 20 products. */
struct shoal_series {
    PHILOX_UINT x1, z2, x3, z3, z4;
};

/* keys: SHOAL_PHILOX_KEY0 and SHOAL_PHILOX_KEY1 of each round, in turn. As arguments of a launch they take no operation
 * and, on NVIDIA GPUs, no register. */
static SHOAL_PHILOX_INLINE struct shoal_series shoal_series_of(const PHILOX_UINT *keys, PHILOX_UINT stream,
                                                               PHILOX_UINT step, PHILOX_UINT index)
{
    const PHILOX_ULONG first0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, index);
    const PHILOX_ULONG first1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, step);
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(first0 >> 32) ^ stream ^ keys[1]);
    const PHILOX_ULONG third =
        SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(second >> 32) ^ (PHILOX_UINT)first1 ^ keys[2]);
    struct shoal_series series;
    series.x1 = (PHILOX_UINT)(first1 >> 32) ^ keys[0];
    series.z2 = (PHILOX_UINT)first0 ^ keys[3];
    series.x3 = (PHILOX_UINT)second ^ keys[4];
    series.z3 = (PHILOX_UINT)(third >> 32) ^ keys[5];
    series.z4 = (PHILOX_UINT)third ^ keys[7];
    return series;
}

/* Returns the words that shoal_random_words returns for this draw. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_series_words(struct shoal_series series, const PHILOX_UINT *keys,
                                                                 PHILOX_UINT draw)
{
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xD2511F53u, series.x1 ^ draw);
    const PHILOX_ULONG third = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(second >> 32) ^ series.z2);
    const PHILOX_ULONG fourth0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(third >> 32) ^ series.x3);
    const PHILOX_ULONG fourth1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)second ^ series.z3);
    struct shoal_words c;
    PHILOX_UINT round;
    c.x = (PHILOX_UINT)(fourth1 >> 32) ^ (PHILOX_UINT)third ^ keys[6];
    c.y = (PHILOX_UINT)fourth1;
    c.z = (PHILOX_UINT)(fourth0 >> 32) ^ series.z4;
    c.w = (PHILOX_UINT)fourth0;
#pragma unroll
    for (round = 4; round < 10; round++)
        shoal_philox_round(&c, keys[2 * round], keys[2 * round + 1]);
    return c;
}
#endif

/* A uniform random number in [0, 1), a multiple of 2^-24. */
static inline float shoal_uniform_float(PHILOX_UINT word)
{
    return (float)(word >> 8) * 5.9604644775390625e-8f;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-24, so that numbers are symmetric about 1/2. */
static inline float shoal_uniform_open_float(PHILOX_UINT word)
{
    return ((float)(word >> 9) + 0.5f) * 1.1920928955078125e-7f;
}

/* Computes two independent standard normal numbers from two words (Box and Muller). Their absolute values are at most
 * 6.8. */
static inline void shoal_normal_float(PHILOX_UINT word0, PHILOX_UINT word1, float *first, float *second)
{
    /* All 32 bits of word0 are used, for the tails of the distribution. Rounding may give 1, whose logarithm is 0. */
    const float radius2 = -2.0f * PHILOX_FLOAT(log)(((float)word0 + 0.5f) * 2.3283064365386963e-10f);
    const float radius = PHILOX_FLOAT(sqrt)(radius2);
    const float angle = 2.0f * shoal_uniform_float(word1); /* in half turns */
    *first = radius * PHILOX_COSPI(angle);
    *second = radius * PHILOX_SINPI(angle);
}

#if PHILOX_DOUBLE
/* A uniform random number in [0, 1), a multiple of 2^-53. Its first 24 bits are those of
 * shoal_uniform_float(high). */
static inline double shoal_uniform_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return (double)((((PHILOX_ULONG)high << 32) | low) >> 11) * 1.1102230246251565e-16;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-53, so that numbers are symmetric about 1/2. */
static inline double shoal_uniform_open_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return ((double)((((PHILOX_ULONG)high << 32) | low) >> 12) + 0.5) * 2.2204460492503131e-16;
}

/* Computes two independent standard normal numbers from four words. Their absolute values are at most 8.6. */
static inline void shoal_normal_double(struct shoal_words words, double *first, double *second)
{
    const double radius = sqrt(-2.0 * log(shoal_uniform_open_double(words.x, words.y)));
    const double angle = 2.0 * shoal_uniform_double(words.z, words.w);
    *first = radius * PHILOX_COSPI_D(angle);
    *second = radius * PHILOX_SINPI_D(angle);
}
#endif

#undef PHILOX_UINT
#undef PHILOX_ULONG
#undef PHILOX_FLOAT
#undef PHILOX_COSPI
#undef PHILOX_SINPI
#undef PHILOX_COSPI_D
#undef PHILOX_SINPI_D
#undef PHILOX_DOUBLE
#undef SHOAL_PHILOX_PRODUCT
#undef SHOAL_PHILOX_INLINE

#endif
/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Settings and tables that the host and the kernels of genetic algorithms share. The text is C, OpenCL C and CUDA. */
#ifndef GA_LAYOUT_CLH
#define GA_LAYOUT_CLH

/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif

/* Settings of the algorithm in the buffer `settings`; they begin at SET_OWN of search/layout.clh. */
enum ga_setting {
    SET_CROSS_POWER = 5, /* eta + 1 of SBX */
    SET_CROSS_ROOT,      /* 1 / (eta + 1) */
    SET_CROSS_ALPHA,     /* the interval of the parents is widened at each end by this fraction of its length */
    SET_MUTATE_POWER,    /* eta + 1 of the polynomial mutation */
    SET_MUTATE_ROOT,
    SET_SIGMA,           /* sigma of the Gaussian mutation */
    SET_TEMPERATURE,     /* temperature of Boltzmann selection in step 1 */
    SET_COOLING,         /* factor by which the temperature changes in each step */
    SET_PENALTY          /* penalty factor of a gene outside the box */
};

/* The buffer `rates` has one entry for all islands, or an entry for each island of a run. An entry begins with these
 * words. RATE_CROSS and RATE_MUTATE: thresholds of the crossover and of the mutation of an order. RATE_DECAY: the bits
 * of a float, 1 / log2(1 - gene rate), at least -FLT_MAX: `decay` of ga/model/places.clh; if at most one gene of a
 * child mutates, the number of genes outside orders / (mutation rate 2^31) instead. RATE_SCALE: the bits of the float 1
 * / RATE_MUTATE; for RATE_MUTATE 0, of 1.
 *
 * Then follow two tables: for the index of a child's first mutated gene, and for the distance to the next mutated gene
 * (docs/ga.md). A table has a threshold for each gene outside orders, two thresholds that no key reaches, and a guide:
 * for each of RATE_GUIDE equal ranges of keys, the first index of a threshold above the range's beginning (Chen and
 * Asau 1974). A key is the upper 31 bits of a random word.
 */
enum ga_rate { RATE_CROSS, RATE_MUTATE, RATE_DECAY, RATE_SCALE, RATE_TABLES };
#define RATE_GUIDE_BITS     6
#define RATE_GUIDE          (1u << RATE_GUIDE_BITS)
#define RATE_GUIDE_AT(line) ((line) + 2u)                      /* index of the guide in a table */
#define RATE_TABLE(line)    (RATE_GUIDE_AT(line) + RATE_GUIDE) /* number of words in a table */
#define RATE_NEXT(line)     (RATE_TABLES + RATE_TABLE(line))   /* index of the second table */
#define RATE_WORDS(line)    (RATE_TABLES + 2u * RATE_TABLE(line))

/* Thresholds are multiples of 2^-31, and are compared with the upper 31 bits of a word. An event with threshold 0 never
 * happens, an event with THRESHOLD_ONE always. */
#define THRESHOLD_ONE 0x80000000u

/* The table of whole numbers has WHOLE_WORDS words for each of them: least value, greatest minus least value, and
 * mutation. */
enum ga_whole { WHOLE_LOWER, WHOLE_WIDTH, WHOLE_MUTATION, WHOLE_WORDS };

/* Scalar arguments of the kernels for populations in global memory. */
struct ga_shape {
    unsigned children;                /* children that an island makes in a step */
    unsigned indices;                 /* number of counters of random numbers that an island uses */
    /* number of entries for an island in the order of members, and in the order of children */
    unsigned padded, padded_children;
    unsigned line; /* number of genes outside orders */
    unsigned elites;
    unsigned tournament;    /* number of contestants in a tournament */
    unsigned truncated;     /* number of best members among which truncation draws a parent */
    unsigned rows, columns; /* rows and columns of the torus of cells */
    unsigned migrants, sends_best, replaces_worst;
    unsigned has_rate_list; /* 1: the buffer `rates` has an entry for each island of a run; 0: one entry */
    unsigned in_place;      /* 1: members that are not replaced keep their indices */
};

/* Number of genes in each part of a genome. A word of bits holds 32 genes, a word of places two places. */
struct ga_genes {
    unsigned reals, wholes, bits, places;
    unsigned messy; /* largest number of pairs in a list of messy genes; 0: genes are not messy */
};

/* With messy genes, a member has further words after its genes: the template, a bit for each gene; the number of pairs
 * in its list; the pairs; and 0 in the words after the last pair. */
#define MESSY_LENGTH(bits)      (((bits) + 31u) / 32u)
#define MESSY_PAIRS(bits)       (MESSY_LENGTH(bits) + 1u)
#define MESSY_WORDS(bits, most) (MESSY_PAIRS(bits) + (most))

/* LINE_SPAN: number of words outside orders that are moved together in local memory. LINE_STRIDE: number of words from
 * a genome to the next genome there, an odd number of spans. LINE_TURNS: whether a genome is a multiple of eight spans;
 * on the chip, such genomes follow each other without gaps, and their spans are rotated. */
#define LINE_SPAN(words)   ((words) % 4 ? 1 : 4)
#define LINE_STRIDE(words) (((words) / LINE_SPAN(words) | 1) * LINE_SPAN(words))
#define LINE_TURNS(words)  ((words) % 32 == 0)

/* Size of parts of the local memory of an island on the chip. ORDER_WORDS: words for the order of its members, or of
 * its elites if there are several. WEIGHT_SUMS: units of 8 bytes for running sums of weights. */
#define ORDER_WORDS(selection, elites, members) \
    (SELECTS_BY_ORDER(selection) ? (members) : (elites) > 1 ? (elites) : 0)
#define WEIGHT_SUMS(selection, members) (SELECTS_BY_WEIGHT(selection) ? (members) : 0)

/* Number of bits of a place in orders that are in local memory. */
#define PACKED_PLACE_BITS(count) ((count) <= 256 ? 8 : 16)

/* Number of words of `bits` bits each that hold a mark (one bit) for each element of an order. */
#define ORDER_MARKS(count, bits) (((count) + (bits) - 1u) / (bits))

/* Returns the number of words, of 8 or 16 bits each, that the operators of an order need for a child. */
static inline unsigned order_scratch(unsigned crossover, unsigned mutation, unsigned count, unsigned bits)
{
    unsigned size = crossover == CROSS_PMX || crossover == CROSS_CX ? count : 0u;
    if (crossover == CROSS_OX)
        size = ORDER_MARKS(count, bits);
    if (crossover == CROSS_ERX)
        size = 2u * count + ORDER_MARKS(count, bits);
    return mutation == MUTATE_SCRAMBLE && size < count ? count : size;
}

/* Scalar arguments of the kernel ga_improve. */
struct ga_local_search {
    unsigned steps;      /* largest number of moves that a child makes */
    unsigned tenure;     /* least number of steps for which a move is tabu */
    unsigned chosen;     /* number of children of an island that get a local search: the best ones */
    unsigned count;      /* number of moves among which a step chooses */
    unsigned child;      /* first child of the launch, counted over all islands */
    /* the launch makes steps begin .. end - 1; the states of searches with further steps are stored for the next
     * launch */
    unsigned begin, end;
};

/* State of a local search between two launches, in units of 8 bytes: KEPT_VALUE: the child's value; KEPT_LEAST: the
 * least value so far; KEPT_IS_GOING: whether the search can still make steps; from KEPT_POOL on: the child's local
 * memory. */
enum ga_kept { KEPT_VALUE, KEPT_LEAST, KEPT_IS_GOING, KEPT_POOL };

/* Draws for a whole island in the stream GA_PAIR, at the index of its first child. Pairs use only the draws 0 and 1. */
#define SUS_OFFSET_DRAW 0x80000000u
#define SUS_KEYS_DRAW   0x80000001u

/* Draw of an individual in the stream GA_START from which the keys of its order come. */
#define ORDER_KEYS_DRAW 0x80000000u
/* First draw of an individual in the stream GA_START from which the pairs of its list come. */
#define MESSY_DRAW 0x40000000u
/* First draws in the stream GA_CROSS_GENE. CROSS_BITS_DRAW: of the uniform crossover of whole numbers and bits, if
 * SBX or BLX crosses the reals of the same parents, which takes the draws from 0 on. ERX_DRAW: of edge recombination. */
#define CROSS_BITS_DRAW 0x40000000u
#define ERX_DRAW        0x80000000u
/* Draws in the stream GA_MUTATE. ORDER_DRAW: for the mutation of an order; SCRAMBLE_DRAW: for the keys of a scramble
 * mutation. */
#define ORDER_DRAW      0x40000000u
#define SCRAMBLE_DRAW   0x40000001u

/* Largest weight of a member in roulette, SUS and Boltzmann selection. A sum of 2^28 weights has at most 53 bits. */
#define WEIGHT_ONE 16777216u

#endif

/* A kernel may define GA_INLINE as forced inlining, so that loops around calls become vector code. */
#ifndef GA_INLINE
#define GA_INLINE inline
#endif

/* Returns word n of a block, n = 0 .. 3. */
static GA_INLINE uint word_at(struct shoal_words words, uint n)
{
    return n == 0u ? words.x : n == 1u ? words.y : n == 2u ? words.z : words.w;
}

/* Converts a word to an index in 0 .. count - 1. mul_hi is not used: see lib/philox.clh. */
static GA_INLINE uint index_of(uint word, uint count)
{
    return (uint)(((ulong)word * count) >> 32);
}

/* Whether an event with probability threshold / THRESHOLD_ONE happens. */
static GA_INLINE int happens(uint word, uint threshold)
{
    return (word >> 1) < threshold;
}

/* Converts the low 30 bits of a word to a number in (0, 1). */
static GA_INLINE real uniform30(uint word)
{
#if REAL == 64
    return ((real)(word & 0x3fffffffu) + R(0.5)) * R(9.31322574615478515625e-10);
#else
    /* (bits + 1/2) / 2^23 with the upper 23 of the 30 bits; exact, and without a conversion, which is slow on GPUs */
    return as_float(0x3f800000u | (word & 0x3fffffffu) >> 7) - R(0.999999940395355224609375);
#endif
}

/* Defines the function `uint name(TABLE table, uint count, key_type key)`. It returns the first index of a table whose
 * entry is above the key; `count` if there is none. The entries must be in ascending order. This is a macro since
 * tables are in different address spaces. */
#define GA_FIRST_ABOVE(name, TABLE, key_type)                                                                          \
    static GA_INLINE uint name(TABLE table, uint count, key_type key)                                                  \
    {                                                                                                                  \
        uint low = 0u, high = count;                                                                                   \
        while (low < high) {                                                                                           \
            const uint middle = low + (high - low) / 2u;                                                               \
            if (table[middle] > key)                                                                                   \
                high = middle;                                                                                         \
            else                                                                                                       \
                low = middle + 1u;                                                                                     \
        }                                                                                                              \
        return low;                                                                                                    \
    }

/* A round of the Feistel network of shuffled(). */
static GA_INLINE uint scramble(uint half_word, uint key)
{
    uint x = (half_word ^ key) * 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA77u;
    return x ^ (x >> 13);
}

/* Returns the place of element i in a random permutation of `count` elements. A Feistel network of eight rounds
 * permutes the numbers below 4^bits, where 4^bits >= count. It is applied repeatedly until the result is below `count`
 * (Black and Rogaway 2002). */
static GA_INLINE uint shuffled(uint i, uint count, uint bits, struct shoal_words keys)
{
    const uint mask = (1u << bits) - 1u;
    do {
        uint left = i >> bits, right = i & mask, round;
        for (round = 0u; round < 8u; round++) {
            const uint next = left ^ (scramble(right + (round << 16), word_at(keys, round & 3u)) & mask);
            left = right;
            right = next;
        }
        i = left << bits | right;
    } while (i >= count);
    return i;
}

static GA_INLINE uint shuffle_bits(uint count)
{
    uint bits = 1u;
    while (bits < 16u && (1u << (2u * bits)) < count)
        bits++;
    return bits;
}

#endif

/* Whether a member precedes another one in the order of members: by value, and of equal values by index. */
static inline int precedes(real value, uint index, real other_value, uint other_index)
{
    return value < other_value || (value == other_value && index < other_index);
}

/* Returns the number of words in stream GA_SELECT that the selection of a parent takes. The words of parent 0 or 1 of a
 * pair begin at word `parent` times this number. */
static inline uint select_words(uint selection, uint tournament)
{
    return selection == SELECT_TOURNAMENT ? tournament : selection == SELECT_BEST ? 0u : 1u;
}

/* Returns the fitness of a member: 0 for the worst finite value of the island, 1 for the best, linear in between. If
 * all finite values are equal, or no value is finite, every member has the fitness 1. */
static inline real fitness_of(real value, real best, real worst)
{
    return best < worst ? (worst - value) / (worst - best) : R(1.0);
}

/* Returns the weight of a member for roulette, SUS and Boltzmann selection, an integer, so that a sum does not depend
 * on its order. temperature: only for Boltzmann selection. */
static inline uint weight_of(uint selection, real value, real best, real worst, real temperature)
{
    real fitness;
    if (!isfinite(value) && isfinite(best))
        return 0u;
    fitness = fitness_of(value, best, worst);
    if (selection == SELECT_BOLTZMANN)
        return (uint)(exp((fitness - R(1.0)) / temperature) * (real)WEIGHT_ONE);
    return (uint)(fitness * (real)WEIGHT_ONE);
}

/* Returns the temperature of Boltzmann selection in a step. */
static inline real temperature_at(real first, real cooling, uint step)
{
    return max(first * pow(cooling, (real)step - R(1.0)), R(0.01));
}

/* For roulette and Boltzmann selection: returns a number below `total`. The first member whose running sum of weights
 * is above this number is selected. */
static inline ulong roulette_target(uint word, ulong total)
{
    /* word total / 2^32, in two parts that fit 64 bits */
    return (total >> 32) * word + (((total & 0xffffffffu) * word) >> 32);
}

/* Returns the number for pointer i of `count` pointers at equal distances (Baker 1987). */
static inline ulong sus_target(uint i, uint count, uint offset_word, ulong total)
{
    const ulong spacing = total / count, rest = total % count;
    /* (i total + offset total) / count, with an offset in [0, 1) */
    return spacing * i + rest * i / count + roulette_target(offset_word, spacing);
}

/* Returns neighbour q of a cell on a torus. q 0: the cell itself; 1 to 4: up, left, right, down; 5 to 8, in
 * neighbourhoods of nine cells: the corners. */
static inline uint cell_neighbour(uint cell, uint q, uint rows, uint columns)
{
    const uint row = cell / columns, column = cell % columns;
    const uint up = row > 0u ? row - 1u : rows - 1u, down = row + 1u < rows ? row + 1u : 0u;
    const uint left = column > 0u ? column - 1u : columns - 1u, right = column + 1u < columns ? column + 1u : 0u;
    switch (q) {
    case 0:
        return cell;
    case 1:
        return up * columns + column;
    case 2:
        return row * columns + left;
    case 3:
        return row * columns + right;
    case 4:
        return down * columns + column;
    case 5:
        return up * columns + left;
    case 6:
        return up * columns + right;
    case 7:
        return down * columns + left;
    default:
        return down * columns + right;
    }
}

/* Returns the number of cells in a neighbourhood, including the cell itself. */
static inline uint cell_count(uint structure)
{
    return structure == CELLULAR_8 ? 9u : 5u;
}

#endif
/* Barrier of a group between writes to its local memory and reads from it. A native version may define its own. */
#ifndef GA_SYNC_CLH
#define GA_SYNC_CLH

#ifndef SYNC
#if WG > 1
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define SYNC()
#endif
#endif

#endif

#if SHAPE == DATA_ROWS || SELECTION > SELECT_BOLTZMANN || (IN_MEMORY && ELITES > 1)
#error "no data objectives, no selection of cells, and one elite at most in memory"
#endif

/* Number of lanes of a pair that are used, and a barrier for these lanes. */
#if WG % LANES || SHAPE == OPAQUE
#define USED_LANES 1
#else
#define USED_LANES LANES
#endif
#ifndef SYNC_WARP
#define SYNC_WARP() SYNC()
#endif
#if USED_LANES > 1
#define SYNC_LANES() SYNC_WARP()
#else
#define SYNC_LANES()
#endif
/* Number of pairs if members are drawn. Children form the same number of pairs, or fewer. */
#if IN_MEMORY
#define PAIRS GROUP_PAIRS
#else
#define PAIRS ((MEMBERS + 1) / 2)
#endif
#define CHILDREN (MEMBERS - ELITES)
#define CHILD_PAIRS ((CHILDREN + 1) / 2)
#define PLACES (WG / USED_LANES)
#define ITEMS ((PAIRS + PLACES - 1) / PLACES)
/* 1: on the chip, each item of each work-item is two children. */
#if IN_MEMORY
#define EVERY_CHILD 0
#else
#define EVERY_CHILD (2 * ITEMS * PLACES == CHILDREN)
#endif
#define MUTATES (MUTATION != MUTATE_NONE)

/* 1: children with few genes, and the tables for places of mutation, stay in registers until the children's values are
 * known. */
#define HELD (DIM <= 4 && USED_LANES == 1 && !IN_MEMORY)

/* With groups of one work-item, as on CPUs, the genes of a member are neighbours and are padded to whole vectors, so
 * that loops over genes become vector code. If children are held in registers, loops over pairs become vector code
 * instead. */
#define BY_ROWS (WG == 1 && !HELD)

#if BY_ROWS
#define COORDS ROW
#elif USED_LANES == 1
#define COORDS DIM
#else
#define COORDS ((DIM + 4 * USED_LANES - 1) / (4 * USED_LANES) * 4)
#endif
#define BLOCKS ((COORDS + 3) / 4)

/* If children are not held in registers, places of mutation are found by tables in local memory. */
#define PLACE_WORDS (HELD ? 0u : RATE_TABLE(DIM))

/* EXCHANGE: returns `value` of the work-item whose lane differs by XOR with `span`. Only a native version (CAN_EXCHANGE
 * 1) has it. Lanes of a pair combine their sums by it. */
#ifndef EXCHANGE
#define EXCHANGE(value, span) (value)
#define CAN_EXCHANGE 0
#endif
#define GATHERED (USED_LANES > 1 && CAN_EXCHANGE)

/* 1: the group is a warp, whose work-items find out by a vote whether there are offers, without local memory. */
#if defined SHOAL_WARPS && WG == 32
#define BY_VOTE SHOAL_WARPS
#else
#define BY_VOTE 0
#endif
#ifndef SHOAL_WARP_BALLOT
#define SHOAL_WARP_BALLOT(condition) ((uint)(condition))
#endif

/* Positions of children in local memory: first children of all pairs, in the order of the pairs, then second children,
 * APART positions after the first; then the elites. Children that are held in registers are in the order of their
 * numbers, so that an instruction can store the same gene of both children of a pair. */
#define SIDE_BY_SIDE (HELD && WG > 1)
#if IN_MEMORY
#define APART PAIRS
#define POSITIONS (2 * PAIRS + 1) /* odd, so that the genes of a child lie in different banks */
#else
#define APART CHILD_PAIRS
#define POSITIONS (2 * CHILD_PAIRS + ELITES)
#endif

/* SUMS: count of numbers of a child that the lanes of its pair sum: terms and penalty. ROWS: number of rows for the
 * sums of both children. */
#define PENALTIES (BOUNDS == BOUNDS_PENALTY)
#if SHAPE == PER_DIMENSION
#define SUMS (TERMS + PENALTIES)
#else
#define SUMS 1
#endif
#define ROWS (USED_LANES > 1 && !GATHERED ? 2 * SUMS : 0)

/* The pool begins with the genes. AT_VALUES and other names are the indices of its other parts, in elements of the type
 * of the part. GENE_AT adds a constant to a pointer, since an instruction's address has room for this constant; a sum
 * of unsigned indices may wrap, so it could not be part of the address. */
#if BY_ROWS
#define GENE_AT(pool, d, position) (&(pool)[(position)*ROW])[d]
#define GENE_REALS (POSITIONS * ROW)
#elif SIDE_BY_SIDE
#define GENE_AT(pool, d, position) (&(pool)[(position)*DIM])[d]
#define GENE_REALS (POSITIONS * DIM)
#else
#define GENE_AT(pool, d, position) (&(pool)[position])[(d)*POSITIONS]
#define GENE_REALS (POSITIONS * DIM)
#endif
#if IN_MEMORY
#define POOL_REALS GENE_REALS
#define AT_FIRST 0
#else
#define AT_VALUES GENE_REALS
#define AT_OFFERS (AT_VALUES + POSITIONS)
#define AT_ROWS (AT_OFFERS + MEMBERS)
#define POOL_REALS (AT_ROWS + ROWS * PAIRS * USED_LANES)
#define AT_COUNTS 0
#define AT_OFFERED 4
#define AT_ORDER (AT_OFFERED + MEMBERS)
#define AT_FIRST (AT_ORDER + ORDER_WORDS(SELECTION, ELITES, MEMBERS))
#endif
#define AT_NEXT (AT_FIRST + PLACE_WORDS)
#if IN_MEMORY
#define AT_PARENTS (AT_NEXT + PLACE_WORDS)
#define POOL_WORDS (AT_PARENTS + 2 * PAIRS)
#else
#define POOL_WORDS (AT_NEXT + PLACE_WORDS)
/* Index in units of 8 bytes. */
#define AT_SUMS ((POOL_REALS * (REAL / 32) + POOL_WORDS + 1) / 2)
#define ORDER_PLACE (POOL_REALS * (REAL / 32) + AT_ORDER)
#define OFFERED_PLACE (POOL_REALS * (REAL / 32) + AT_OFFERED)
#endif

typedef struct {
    ulong seed, base; /* base: index in the buffers of gene 0 of member 0 */
    uint island, index, step; /* index: index of the first child in the counters of random numbers */
    uint cross_threshold;
    real sign, lower, upper, penalty;
    real reach; /* sbx_reach() of `cross` */
    cross_shape cross;
    mutate_shape mutate;
#if HELD
    uint first_places[DIM], next_places[DIM];
#endif
#if IN_MEMORY
    __global const real *values; /* values of the island's members */
    uint members, first;         /* first: the first pair of the group, within its island */
    uint children;               /* number of children of the island from pair `first` on */
#else
    __global const uint *ranks; /* thresholds of the ranks */
    uint truncated;             /* number of best members among which truncation chooses */
    real temperature, cooling;  /* temperature of Boltzmann selection, and its factor for each step */
#endif
} context;

/* Access to the members of an island. */
#if IN_MEMORY
#define MEMBER_COUNT(here) ((here).members)
#define CHILD_COUNT(here) ((here).children)
#define FIRST_PAIR(here) ((here).first)
#define VALUE_AT(here, pool, member) ((here).values[member])
#define PLACE_OF(member) (member)
#else
#define MEMBER_COUNT(here) MEMBERS
#define CHILD_COUNT(here) CHILDREN
#define FIRST_PAIR(here) 0u
#define VALUE_AT(here, pool, member) (&(pool)[position_of(member)])[AT_VALUES]
#define PLACE_OF(member) position_of(member)
#endif

#if BY_ROWS
/* Number of genes for which `children` has room that wait for their mutation: the genes of a pair, and some of further
 * pairs. */
#define WAITING ((2 * DIM + 64 + VECTOR - 1) / VECTOR * VECTOR)
typedef struct {
    real a[ITEMS][COORDS], b[ITEMS][COORDS];
    uint waiting, places[WAITING]; /* waiting: number of genes that wait; places: their indices in local memory */
    real numbers[WAITING];
} children;
#define CHILD_GENE(genes, c, k) (genes)[k][c]
#else
typedef struct {
    real a[COORDS][ITEMS], b[COORDS][ITEMS];
} children;
#define CHILD_GENE(genes, c, k) (genes)[c][k]
#endif

static INLINE uint own_place(void)
{
    return (uint)get_local_id(0) / USED_LANES;
}

static INLINE uint own_lane(void)
{
    return (uint)get_local_id(0) % USED_LANES;
}

/* Returns the pair of item k. */
static INLINE uint own_pair(uint k)
{
    return k * PLACES + own_place();
}

/* Whether item k has a pair of children. */
static INLINE int has_pair(uint k)
{
    return ITEMS * PLACES == CHILD_PAIRS || own_pair(k) < CHILD_PAIRS;
}

/* Returns the dimension of coordinate c of the work-item. */
static INLINE uint own_dimension(uint c)
{
    return own_lane() * COORDS + c;
}

static INLINE int has_dimension(uint d)
{
    (void)d;
    return USED_LANES * COORDS == DIM || d < DIM;
}

/* Returns the position in local memory of child 0 or 1 of a pair. */
static INLINE uint position_of_child(uint pair, uint child)
{
    return SIDE_BY_SIDE ? 2u * pair + child : pair + child * APART;
}

/* Returns the position in local memory of a member. */
static INLINE uint position_of(uint member)
{
#if SIDE_BY_SIDE
    return ELITES && member < ELITES ? 2u * APART + member : member - ELITES;
#elif ELITES
    const uint child = member - ELITES;
    return member < ELITES ? 2u * APART + member : (child >> 1) + (child & 1u) * APART;
#else
    return (member >> 1) + (member & 1u) * APART;
#endif
}

/* Reads the box of dimension d. */
static INLINE void enter_dimension(context *here, __global const real *settings, uint d)
{
#if BOX
    here->lower = box_lower(settings, d, DIM);
    here->upper = box_upper(settings, d, DIM);
#else
    (void)here;
    (void)settings;
    (void)d;
#endif
}

/* a / b, by a branch without a division if the result is 0, as it often is for all work-items. */
static INLINE uint quotient(uint a, uint b)
{
    return a < b ? 0u : a / b;
}

static INLINE context context_of(__global const real *settings, __global const uint *rates, ulong seed, uint island,
                                 uint run_islands, uint lead, uint indices)
{
    const uint number = lead + island, run = quotient(number, run_islands);
    context here;
    here.island = island;
    here.seed = seed + run;
    here.index = (number - run * run_islands) * indices;
    here.base = (ulong)island * (DIM * MEMBERS);
    here.step = 0u;
    here.cross_threshold = rates[RATE_CROSS];
    here.sign = settings[SET_SIGN];
    here.lower = settings[SET_LOWER];
    here.upper = settings[SET_UPPER];
    here.penalty = settings[SET_PENALTY];
    here.cross.power = settings[SET_CROSS_POWER];
    here.cross.root = settings[SET_CROSS_ROOT];
    here.cross.alpha = settings[SET_CROSS_ALPHA];
    here.reach = sbx_reach(here.cross);
    here.mutate.power = settings[SET_MUTATE_POWER];
    here.mutate.root = settings[SET_MUTATE_ROOT];
    here.mutate.sigma = settings[SET_SIGMA];
#if !IN_MEMORY
    here.temperature = settings[SET_TEMPERATURE];
    here.cooling = settings[SET_COOLING];
#endif
#if HELD
    {
        uint d;
#pragma unroll
        for (d = 0u; d < DIM; d++) {
            here.first_places[d] = rates[RATE_TABLES + d];
            here.next_places[d] = rates[RATE_NEXT(DIM) + d];
        }
    }
#endif
    return here;
}

#if !HELD
/* Copies the tables for places of mutation to local memory. */
static INLINE void load_places(__global const uint *rates, local uint *words)
{
    uint n;
    /* the number of turns is known, so the loads overlap */
#pragma unroll 4
    for (n = 0u; n < 2u * PLACE_WORDS; n += WG) {
        const uint word = n + (uint)get_local_id(0);
        if (word < 2u * PLACE_WORDS)
            words[AT_FIRST + word] = rates[RATE_TABLES + word];
    }
}
#endif

/* Sets the rows to 0. Loops also compute with the padding after the genes of a row, but no result depends on it. */
static INLINE void clear_rows(local real *pool)
{
#if BY_ROWS
    uint n;
    for (n = 0u; n < GENE_REALS; n++)
        pool[n] = R(0.0);
#endif
    (void)pool;
}

#endif

/* Selection of parents, in which a work-item selects both parents of a pair: by tournament or own slot, and on the chip
 * also by the selections of ga/methods/onchip_order.clh. The including file defines `context` with the members seed,
 * step and index, and the macros MEMBER_COUNT(here), CHILD_COUNT(here), FIRST_PAIR(here) and VALUE_AT(here, pool,
 * member). */
#ifndef GA_CONTEST_CLH
#define GA_CONTEST_CLH

/* Selection: docs/ga.md, "Selection". This file has the rules for values and random words. The including file reads,
 * sorts and sums the population. */
#ifndef GA_SELECT_CLH
#define GA_SELECT_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif
/* Random words, and decisions by random words. Decisions compare integers, so that they are the same on every
 * device. */
#ifndef GA_DRAW_CLH
#define GA_DRAW_CLH

/* Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3;
 * SC 2011). The host (through <shoal/rng.h>), OpenCL C and CUDA share this text.
 *
 * The generator has no state. A counter {index, draw, step, stream} and a 64-bit seed always give the same four words,
 * on every device:
 *     index    particle, individual, element
 *     draw     number of the block of four words within one step of that index
 *     step     iteration
 *     stream   enum shoal_stream: the purpose of the numbers
 * Words and uniform numbers have the same bits everywhere. Normal numbers use log, sin and cos, whose last digits
 * differ from one device to the next.
 */
#ifndef SHOAL_PHILOX_CLH
#define SHOAL_PHILOX_CLH

#ifdef SHOAL_PHILOX_HOST
#define PHILOX_UINT         uint32_t
#define PHILOX_ULONG        uint64_t
#define PHILOX_FLOAT(name)  name##f
#define PHILOX_COSPI(x)     cosf(3.14159265358979324f * (x))
#define PHILOX_SINPI(x)     sinf(3.14159265358979324f * (x))
#define PHILOX_COSPI_D(x)   cos(3.14159265358979324 * (x))
#define PHILOX_SINPI_D(x)   sin(3.14159265358979324 * (x))
#define PHILOX_DOUBLE       1
#else
#define PHILOX_UINT         uint
#define PHILOX_ULONG        ulong
#define PHILOX_FLOAT(name)  name
#define PHILOX_COSPI(x)     cospi(x)
#define PHILOX_SINPI(x)     sinpi(x)
#define PHILOX_COSPI_D(x)   cospi(x)
#define PHILOX_SINPI_D(x)   sinpi(x)
#if defined(REAL) && REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define PHILOX_DOUBLE 1
#else
#define PHILOX_DOUBLE 0
#endif
#endif

/* Streams of random numbers. Each has one purpose, so that no two draws use the same counter. The values determine
 * the results of runs: new streams get new values, and old values stay. */
enum shoal_stream {
    SHOAL_STREAM_FILL = 0, /* the functions shoal_random_* */
    SHOAL_STREAM_TEST = 1,
    SHOAL_STREAM_USER = 2, /* for callers of the library */
    SHOAL_STREAM_DATA = 3, /* generated tables */
    SHOAL_STREAM_DATASET_ROW = 4, /* generated data sets */
    SHOAL_STREAM_DATASET_NET = 5,
    SHOAL_STREAM_DATASET_WRONG = 6,
    SHOAL_STREAM_DATASET_SPLIT = 7, /* which rows are for training, validation and tests */

    SHOAL_STREAM_PSO_POSITION = 256,
    SHOAL_STREAM_PSO_VELOCITY = 257,
    SHOAL_STREAM_PSO_MOVE = 258,
    SHOAL_STREAM_PSO_SPHERE = 259,
    SHOAL_STREAM_PSO_FIPS = 260,
    SHOAL_STREAM_PSO_REENTRY = 261,
    SHOAL_STREAM_PSO_LINKS = 262,
    SHOAL_STREAM_SEARCH_SHIFT = 263,
    SHOAL_STREAM_SEARCH_EXCHANGE = 264,
    SHOAL_STREAM_OBJECTIVE_ROTATION = 265,
    SHOAL_STREAM_CMAES_START = 288,
    SHOAL_STREAM_CMAES_NORMAL = 289,

    SHOAL_STREAM_GAS_POSITION = 512,
    SHOAL_STREAM_GAS_VELOCITY = 513,
    SHOAL_STREAM_GAS_LANGEVIN = 514,
    SHOAL_STREAM_GAS_RESCALE = 515,
    SHOAL_STREAM_GAS_WALL = 516,
    SHOAL_STREAM_GAS_PUSH = 517,

    SHOAL_STREAM_GA_START = 768,
    SHOAL_STREAM_GA_PAIR = 769,
    SHOAL_STREAM_GA_SELECT = 770,
    SHOAL_STREAM_GA_CROSS_GENE = 771,
    SHOAL_STREAM_GA_MUTATE = 772,
    SHOAL_STREAM_GA_REPLACE = 773,
    SHOAL_STREAM_GA_MIGRATE = 774,
    SHOAL_STREAM_GA_LOCAL = 775,

    SHOAL_STREAM_TSP_ANTS_CHOOSE = 1040,
    SHOAL_STREAM_TSP_ANTS_MUTATE = 1041,
    SHOAL_STREAM_TSP_IMPROVE = 1042,
    SHOAL_STREAM_TSP_FACO_ANT = 1056,
    SHOAL_STREAM_TSP_FACO_SOURCE = 1057,

    SHOAL_STREAM_TSP_THESIS_MACRO = 1088,
    SHOAL_STREAM_TSP_THESIS_MICRO = 1089,

    SHOAL_STREAM_MLP_START = 1280,
    SHOAL_STREAM_MLP_ORDER = 1281,
    SHOAL_STREAM_MLP_DROPOUT = 1282,

    SHOAL_STREAM_DE_START = 1536,
    SHOAL_STREAM_DE_RULE = 1537,
    SHOAL_STREAM_DE_CROSS = 1538,
    SHOAL_STREAM_DE_ARCHIVE = 1539,

    SHOAL_STREAM_DIRECT_SEARCH = 2048,
    SHOAL_STREAM_PORTFOLIO_SEED = 2049,
    SHOAL_STREAM_PORTFOLIO_POINT = 2050
};

struct shoal_words {
    PHILOX_UINT x, y, z, w;
};

/* The 64-bit product of two 32-bit words. A native version may define it in another way. */
#ifndef SHOAL_PHILOX_PRODUCT
#define SHOAL_PHILOX_PRODUCT(multiplier, word) ((PHILOX_ULONG)(multiplier) * (word))
#endif

/* A kernel may force inlining, so that loops with calls become vector code. */
#ifndef SHOAL_PHILOX_INLINE
#define SHOAL_PHILOX_INLINE inline
#endif

/* One of the ten rounds of Philox4x32-10. */
static SHOAL_PHILOX_INLINE void shoal_philox_round(struct shoal_words *c, PHILOX_UINT key0, PHILOX_UINT key1)
{
    /* mul_hi is not used: PoCL computes it by four products of 16 bits, while vector units have a 64-bit product. One
     * product gives both halves, by a single instruction on NVIDIA GPUs. */
    const PHILOX_ULONG product0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, c->x);
    const PHILOX_ULONG product1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, c->z);
    c->x = (PHILOX_UINT)(product1 >> 32) ^ c->y ^ key0;
    c->y = (PHILOX_UINT)product1;
    c->z = (PHILOX_UINT)(product0 >> 32) ^ c->w ^ key1;
    c->w = (PHILOX_UINT)product0;
}

#define SHOAL_PHILOX_KEY0(key, round) ((key) + (round) * 0x9E3779B9u)
#define SHOAL_PHILOX_KEY1(key, round) ((key) + (round) * 0xBB67AE85u)

/* Philox4x32-10 as the paper defines it: the words of the counter have no meaning here. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_philox4x32(struct shoal_words counter, PHILOX_UINT key0, PHILOX_UINT key1)
{
    struct shoal_words c = counter;
    PHILOX_UINT round;
#ifndef SHOAL_PHILOX_HOST
    /* A loop that calls this function can become vector code only if the loop below is unrolled. */
#pragma unroll
#endif
    for (round = 0; round < 10; round++)
        shoal_philox_round(&c, SHOAL_PHILOX_KEY0(key0, round), SHOAL_PHILOX_KEY1(key1, round));
    return c;
}

static SHOAL_PHILOX_INLINE struct shoal_words shoal_random_words(PHILOX_ULONG seed, PHILOX_UINT stream,
                                                                 PHILOX_UINT step, PHILOX_UINT index, PHILOX_UINT draw)
{
    struct shoal_words counter;
    counter.x = index;
    counter.y = draw;
    counter.z = step;
    counter.w = stream;
    return shoal_philox4x32(counter, (PHILOX_UINT)seed, (PHILOX_UINT)(seed >> 32));
}

#ifndef SHOAL_PHILOX_HOST
/* What all draws of one index, step and stream share: parts of words of the first four rounds, whose number is in the
 * name. Work-items that draw often keep it, and a draw needs 17 of 20 products. */
struct shoal_series {
    PHILOX_UINT x1, z2, x3, z3, z4;
};

/* keys: SHOAL_PHILOX_KEY0 and SHOAL_PHILOX_KEY1 of each round, in turn. As arguments of a launch they take no operation
 * and, on NVIDIA GPUs, no register. */
static SHOAL_PHILOX_INLINE struct shoal_series shoal_series_of(const PHILOX_UINT *keys, PHILOX_UINT stream,
                                                               PHILOX_UINT step, PHILOX_UINT index)
{
    const PHILOX_ULONG first0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, index);
    const PHILOX_ULONG first1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, step);
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(first0 >> 32) ^ stream ^ keys[1]);
    const PHILOX_ULONG third =
        SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(second >> 32) ^ (PHILOX_UINT)first1 ^ keys[2]);
    struct shoal_series series;
    series.x1 = (PHILOX_UINT)(first1 >> 32) ^ keys[0];
    series.z2 = (PHILOX_UINT)first0 ^ keys[3];
    series.x3 = (PHILOX_UINT)second ^ keys[4];
    series.z3 = (PHILOX_UINT)(third >> 32) ^ keys[5];
    series.z4 = (PHILOX_UINT)third ^ keys[7];
    return series;
}

/* Returns the words that shoal_random_words returns for this draw. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_series_words(struct shoal_series series, const PHILOX_UINT *keys,
                                                                 PHILOX_UINT draw)
{
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xD2511F53u, series.x1 ^ draw);
    const PHILOX_ULONG third = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(second >> 32) ^ series.z2);
    const PHILOX_ULONG fourth0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(third >> 32) ^ series.x3);
    const PHILOX_ULONG fourth1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)second ^ series.z3);
    struct shoal_words c;
    PHILOX_UINT round;
    c.x = (PHILOX_UINT)(fourth1 >> 32) ^ (PHILOX_UINT)third ^ keys[6];
    c.y = (PHILOX_UINT)fourth1;
    c.z = (PHILOX_UINT)(fourth0 >> 32) ^ series.z4;
    c.w = (PHILOX_UINT)fourth0;
#pragma unroll
    for (round = 4; round < 10; round++)
        shoal_philox_round(&c, keys[2 * round], keys[2 * round + 1]);
    return c;
}
#endif

/* A uniform random number in [0, 1), a multiple of 2^-24. */
static inline float shoal_uniform_float(PHILOX_UINT word)
{
    return (float)(word >> 8) * 5.9604644775390625e-8f;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-24, so that numbers are symmetric about 1/2. */
static inline float shoal_uniform_open_float(PHILOX_UINT word)
{
    return ((float)(word >> 9) + 0.5f) * 1.1920928955078125e-7f;
}

/* Computes two independent standard normal numbers from two words (Box and Muller). Their absolute values are at most
 * 6.8. */
static inline void shoal_normal_float(PHILOX_UINT word0, PHILOX_UINT word1, float *first, float *second)
{
    /* All 32 bits of word0 are used, for the tails of the distribution. Rounding may give 1, whose logarithm is 0. */
    const float radius2 = -2.0f * PHILOX_FLOAT(log)(((float)word0 + 0.5f) * 2.3283064365386963e-10f);
    const float radius = PHILOX_FLOAT(sqrt)(radius2);
    const float angle = 2.0f * shoal_uniform_float(word1); /* in half turns */
    *first = radius * PHILOX_COSPI(angle);
    *second = radius * PHILOX_SINPI(angle);
}

#if PHILOX_DOUBLE
/* A uniform random number in [0, 1), a multiple of 2^-53. Its first 24 bits are those of
 * shoal_uniform_float(high). */
static inline double shoal_uniform_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return (double)((((PHILOX_ULONG)high << 32) | low) >> 11) * 1.1102230246251565e-16;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-53, so that numbers are symmetric about 1/2. */
static inline double shoal_uniform_open_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return ((double)((((PHILOX_ULONG)high << 32) | low) >> 12) + 0.5) * 2.2204460492503131e-16;
}

/* Computes two independent standard normal numbers from four words. Their absolute values are at most 8.6. */
static inline void shoal_normal_double(struct shoal_words words, double *first, double *second)
{
    const double radius = sqrt(-2.0 * log(shoal_uniform_open_double(words.x, words.y)));
    const double angle = 2.0 * shoal_uniform_double(words.z, words.w);
    *first = radius * PHILOX_COSPI_D(angle);
    *second = radius * PHILOX_SINPI_D(angle);
}
#endif

#undef PHILOX_UINT
#undef PHILOX_ULONG
#undef PHILOX_FLOAT
#undef PHILOX_COSPI
#undef PHILOX_SINPI
#undef PHILOX_COSPI_D
#undef PHILOX_SINPI_D
#undef PHILOX_DOUBLE
#undef SHOAL_PHILOX_PRODUCT
#undef SHOAL_PHILOX_INLINE

#endif
/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Settings and tables that the host and the kernels of genetic algorithms share. The text is C, OpenCL C and CUDA. */
#ifndef GA_LAYOUT_CLH
#define GA_LAYOUT_CLH

/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif

/* Settings of the algorithm in the buffer `settings`; they begin at SET_OWN of search/layout.clh. */
enum ga_setting {
    SET_CROSS_POWER = 5, /* eta + 1 of SBX */
    SET_CROSS_ROOT,      /* 1 / (eta + 1) */
    SET_CROSS_ALPHA,     /* the interval of the parents is widened at each end by this fraction of its length */
    SET_MUTATE_POWER,    /* eta + 1 of the polynomial mutation */
    SET_MUTATE_ROOT,
    SET_SIGMA,           /* sigma of the Gaussian mutation */
    SET_TEMPERATURE,     /* temperature of Boltzmann selection in step 1 */
    SET_COOLING,         /* factor by which the temperature changes in each step */
    SET_PENALTY          /* penalty factor of a gene outside the box */
};

/* The buffer `rates` has one entry for all islands, or an entry for each island of a run. An entry begins with these
 * words. RATE_CROSS and RATE_MUTATE: thresholds of the crossover and of the mutation of an order. RATE_DECAY: the bits
 * of a float, 1 / log2(1 - gene rate), at least -FLT_MAX: `decay` of ga/model/places.clh; if at most one gene of a
 * child mutates, the number of genes outside orders / (mutation rate 2^31) instead. RATE_SCALE: the bits of the float 1
 * / RATE_MUTATE; for RATE_MUTATE 0, of 1.
 *
 * Then follow two tables: for the index of a child's first mutated gene, and for the distance to the next mutated gene
 * (docs/ga.md). A table has a threshold for each gene outside orders, two thresholds that no key reaches, and a guide:
 * for each of RATE_GUIDE equal ranges of keys, the first index of a threshold above the range's beginning (Chen and
 * Asau 1974). A key is the upper 31 bits of a random word.
 */
enum ga_rate { RATE_CROSS, RATE_MUTATE, RATE_DECAY, RATE_SCALE, RATE_TABLES };
#define RATE_GUIDE_BITS     6
#define RATE_GUIDE          (1u << RATE_GUIDE_BITS)
#define RATE_GUIDE_AT(line) ((line) + 2u)                      /* index of the guide in a table */
#define RATE_TABLE(line)    (RATE_GUIDE_AT(line) + RATE_GUIDE) /* number of words in a table */
#define RATE_NEXT(line)     (RATE_TABLES + RATE_TABLE(line))   /* index of the second table */
#define RATE_WORDS(line)    (RATE_TABLES + 2u * RATE_TABLE(line))

/* Thresholds are multiples of 2^-31, and are compared with the upper 31 bits of a word. An event with threshold 0 never
 * happens, an event with THRESHOLD_ONE always. */
#define THRESHOLD_ONE 0x80000000u

/* The table of whole numbers has WHOLE_WORDS words for each of them: least value, greatest minus least value, and
 * mutation. */
enum ga_whole { WHOLE_LOWER, WHOLE_WIDTH, WHOLE_MUTATION, WHOLE_WORDS };

/* Scalar arguments of the kernels for populations in global memory. */
struct ga_shape {
    unsigned children;                /* children that an island makes in a step */
    unsigned indices;                 /* number of counters of random numbers that an island uses */
    /* number of entries for an island in the order of members, and in the order of children */
    unsigned padded, padded_children;
    unsigned line; /* number of genes outside orders */
    unsigned elites;
    unsigned tournament;    /* number of contestants in a tournament */
    unsigned truncated;     /* number of best members among which truncation draws a parent */
    unsigned rows, columns; /* rows and columns of the torus of cells */
    unsigned migrants, sends_best, replaces_worst;
    unsigned has_rate_list; /* 1: the buffer `rates` has an entry for each island of a run; 0: one entry */
    unsigned in_place;      /* 1: members that are not replaced keep their indices */
};

/* Number of genes in each part of a genome. A word of bits holds 32 genes, a word of places two places. */
struct ga_genes {
    unsigned reals, wholes, bits, places;
    unsigned messy; /* largest number of pairs in a list of messy genes; 0: genes are not messy */
};

/* With messy genes, a member has further words after its genes: the template, a bit for each gene; the number of pairs
 * in its list; the pairs; and 0 in the words after the last pair. */
#define MESSY_LENGTH(bits)      (((bits) + 31u) / 32u)
#define MESSY_PAIRS(bits)       (MESSY_LENGTH(bits) + 1u)
#define MESSY_WORDS(bits, most) (MESSY_PAIRS(bits) + (most))

/* LINE_SPAN: number of words outside orders that are moved together in local memory. LINE_STRIDE: number of words from
 * a genome to the next genome there, an odd number of spans. LINE_TURNS: whether a genome is a multiple of eight spans;
 * on the chip, such genomes follow each other without gaps, and their spans are rotated. */
#define LINE_SPAN(words)   ((words) % 4 ? 1 : 4)
#define LINE_STRIDE(words) (((words) / LINE_SPAN(words) | 1) * LINE_SPAN(words))
#define LINE_TURNS(words)  ((words) % 32 == 0)

/* Size of parts of the local memory of an island on the chip. ORDER_WORDS: words for the order of its members, or of
 * its elites if there are several. WEIGHT_SUMS: units of 8 bytes for running sums of weights. */
#define ORDER_WORDS(selection, elites, members) \
    (SELECTS_BY_ORDER(selection) ? (members) : (elites) > 1 ? (elites) : 0)
#define WEIGHT_SUMS(selection, members) (SELECTS_BY_WEIGHT(selection) ? (members) : 0)

/* Number of bits of a place in orders that are in local memory. */
#define PACKED_PLACE_BITS(count) ((count) <= 256 ? 8 : 16)

/* Number of words of `bits` bits each that hold a mark (one bit) for each element of an order. */
#define ORDER_MARKS(count, bits) (((count) + (bits) - 1u) / (bits))

/* Returns the number of words, of 8 or 16 bits each, that the operators of an order need for a child. */
static inline unsigned order_scratch(unsigned crossover, unsigned mutation, unsigned count, unsigned bits)
{
    unsigned size = crossover == CROSS_PMX || crossover == CROSS_CX ? count : 0u;
    if (crossover == CROSS_OX)
        size = ORDER_MARKS(count, bits);
    if (crossover == CROSS_ERX)
        size = 2u * count + ORDER_MARKS(count, bits);
    return mutation == MUTATE_SCRAMBLE && size < count ? count : size;
}

/* Scalar arguments of the kernel ga_improve. */
struct ga_local_search {
    unsigned steps;      /* largest number of moves that a child makes */
    unsigned tenure;     /* least number of steps for which a move is tabu */
    unsigned chosen;     /* number of children of an island that get a local search: the best ones */
    unsigned count;      /* number of moves among which a step chooses */
    unsigned child;      /* first child of the launch, counted over all islands */
    /* the launch makes steps begin .. end - 1; the states of searches with further steps are stored for the next
     * launch */
    unsigned begin, end;
};

/* State of a local search between two launches, in units of 8 bytes: KEPT_VALUE: the child's value; KEPT_LEAST: the
 * least value so far; KEPT_IS_GOING: whether the search can still make steps; from KEPT_POOL on: the child's local
 * memory. */
enum ga_kept { KEPT_VALUE, KEPT_LEAST, KEPT_IS_GOING, KEPT_POOL };

/* Draws for a whole island in the stream GA_PAIR, at the index of its first child. Pairs use only the draws 0 and 1. */
#define SUS_OFFSET_DRAW 0x80000000u
#define SUS_KEYS_DRAW   0x80000001u

/* Draw of an individual in the stream GA_START from which the keys of its order come. */
#define ORDER_KEYS_DRAW 0x80000000u
/* First draw of an individual in the stream GA_START from which the pairs of its list come. */
#define MESSY_DRAW 0x40000000u
/* First draws in the stream GA_CROSS_GENE. CROSS_BITS_DRAW: of the uniform crossover of whole numbers and bits, if
 * SBX or BLX crosses the reals of the same parents, which takes the draws from 0 on. ERX_DRAW: of edge recombination. */
#define CROSS_BITS_DRAW 0x40000000u
#define ERX_DRAW        0x80000000u
/* Draws in the stream GA_MUTATE. ORDER_DRAW: for the mutation of an order; SCRAMBLE_DRAW: for the keys of a scramble
 * mutation. */
#define ORDER_DRAW      0x40000000u
#define SCRAMBLE_DRAW   0x40000001u

/* Largest weight of a member in roulette, SUS and Boltzmann selection. A sum of 2^28 weights has at most 53 bits. */
#define WEIGHT_ONE 16777216u

#endif

/* A kernel may define GA_INLINE as forced inlining, so that loops around calls become vector code. */
#ifndef GA_INLINE
#define GA_INLINE inline
#endif

/* Returns word n of a block, n = 0 .. 3. */
static GA_INLINE uint word_at(struct shoal_words words, uint n)
{
    return n == 0u ? words.x : n == 1u ? words.y : n == 2u ? words.z : words.w;
}

/* Converts a word to an index in 0 .. count - 1. mul_hi is not used: see lib/philox.clh. */
static GA_INLINE uint index_of(uint word, uint count)
{
    return (uint)(((ulong)word * count) >> 32);
}

/* Whether an event with probability threshold / THRESHOLD_ONE happens. */
static GA_INLINE int happens(uint word, uint threshold)
{
    return (word >> 1) < threshold;
}

/* Converts the low 30 bits of a word to a number in (0, 1). */
static GA_INLINE real uniform30(uint word)
{
#if REAL == 64
    return ((real)(word & 0x3fffffffu) + R(0.5)) * R(9.31322574615478515625e-10);
#else
    /* (bits + 1/2) / 2^23 with the upper 23 of the 30 bits; exact, and without a conversion, which is slow on GPUs */
    return as_float(0x3f800000u | (word & 0x3fffffffu) >> 7) - R(0.999999940395355224609375);
#endif
}

/* Defines the function `uint name(TABLE table, uint count, key_type key)`. It returns the first index of a table whose
 * entry is above the key; `count` if there is none. The entries must be in ascending order. This is a macro since
 * tables are in different address spaces. */
#define GA_FIRST_ABOVE(name, TABLE, key_type)                                                                          \
    static GA_INLINE uint name(TABLE table, uint count, key_type key)                                                  \
    {                                                                                                                  \
        uint low = 0u, high = count;                                                                                   \
        while (low < high) {                                                                                           \
            const uint middle = low + (high - low) / 2u;                                                               \
            if (table[middle] > key)                                                                                   \
                high = middle;                                                                                         \
            else                                                                                                       \
                low = middle + 1u;                                                                                     \
        }                                                                                                              \
        return low;                                                                                                    \
    }

/* A round of the Feistel network of shuffled(). */
static GA_INLINE uint scramble(uint half_word, uint key)
{
    uint x = (half_word ^ key) * 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA77u;
    return x ^ (x >> 13);
}

/* Returns the place of element i in a random permutation of `count` elements. A Feistel network of eight rounds
 * permutes the numbers below 4^bits, where 4^bits >= count. It is applied repeatedly until the result is below `count`
 * (Black and Rogaway 2002). */
static GA_INLINE uint shuffled(uint i, uint count, uint bits, struct shoal_words keys)
{
    const uint mask = (1u << bits) - 1u;
    do {
        uint left = i >> bits, right = i & mask, round;
        for (round = 0u; round < 8u; round++) {
            const uint next = left ^ (scramble(right + (round << 16), word_at(keys, round & 3u)) & mask);
            left = right;
            right = next;
        }
        i = left << bits | right;
    } while (i >= count);
    return i;
}

static GA_INLINE uint shuffle_bits(uint count)
{
    uint bits = 1u;
    while (bits < 16u && (1u << (2u * bits)) < count)
        bits++;
    return bits;
}

#endif

/* Whether a member precedes another one in the order of members: by value, and of equal values by index. */
static inline int precedes(real value, uint index, real other_value, uint other_index)
{
    return value < other_value || (value == other_value && index < other_index);
}

/* Returns the number of words in stream GA_SELECT that the selection of a parent takes. The words of parent 0 or 1 of a
 * pair begin at word `parent` times this number. */
static inline uint select_words(uint selection, uint tournament)
{
    return selection == SELECT_TOURNAMENT ? tournament : selection == SELECT_BEST ? 0u : 1u;
}

/* Returns the fitness of a member: 0 for the worst finite value of the island, 1 for the best, linear in between. If
 * all finite values are equal, or no value is finite, every member has the fitness 1. */
static inline real fitness_of(real value, real best, real worst)
{
    return best < worst ? (worst - value) / (worst - best) : R(1.0);
}

/* Returns the weight of a member for roulette, SUS and Boltzmann selection, an integer, so that a sum does not depend
 * on its order. temperature: only for Boltzmann selection. */
static inline uint weight_of(uint selection, real value, real best, real worst, real temperature)
{
    real fitness;
    if (!isfinite(value) && isfinite(best))
        return 0u;
    fitness = fitness_of(value, best, worst);
    if (selection == SELECT_BOLTZMANN)
        return (uint)(exp((fitness - R(1.0)) / temperature) * (real)WEIGHT_ONE);
    return (uint)(fitness * (real)WEIGHT_ONE);
}

/* Returns the temperature of Boltzmann selection in a step. */
static inline real temperature_at(real first, real cooling, uint step)
{
    return max(first * pow(cooling, (real)step - R(1.0)), R(0.01));
}

/* For roulette and Boltzmann selection: returns a number below `total`. The first member whose running sum of weights
 * is above this number is selected. */
static inline ulong roulette_target(uint word, ulong total)
{
    /* word total / 2^32, in two parts that fit 64 bits */
    return (total >> 32) * word + (((total & 0xffffffffu) * word) >> 32);
}

/* Returns the number for pointer i of `count` pointers at equal distances (Baker 1987). */
static inline ulong sus_target(uint i, uint count, uint offset_word, ulong total)
{
    const ulong spacing = total / count, rest = total % count;
    /* (i total + offset total) / count, with an offset in [0, 1) */
    return spacing * i + rest * i / count + roulette_target(offset_word, spacing);
}

/* Returns neighbour q of a cell on a torus. q 0: the cell itself; 1 to 4: up, left, right, down; 5 to 8, in
 * neighbourhoods of nine cells: the corners. */
static inline uint cell_neighbour(uint cell, uint q, uint rows, uint columns)
{
    const uint row = cell / columns, column = cell % columns;
    const uint up = row > 0u ? row - 1u : rows - 1u, down = row + 1u < rows ? row + 1u : 0u;
    const uint left = column > 0u ? column - 1u : columns - 1u, right = column + 1u < columns ? column + 1u : 0u;
    switch (q) {
    case 0:
        return cell;
    case 1:
        return up * columns + column;
    case 2:
        return row * columns + left;
    case 3:
        return row * columns + right;
    case 4:
        return down * columns + column;
    case 5:
        return up * columns + left;
    case 6:
        return up * columns + right;
    case 7:
        return down * columns + left;
    default:
        return down * columns + right;
    }
}

/* Returns the number of cells in a neighbourhood, including the cell itself. */
static inline uint cell_count(uint structure)
{
    return structure == CELLULAR_8 ? 9u : 5u;
}

#endif

#ifndef MEMBER_COUNT
#define MEMBER_COUNT(here) MEMBERS
#define CHILD_COUNT(here) (MEMBERS - ELITES)
#define FIRST_PAIR(here) 0u
#define VALUE_AT(here, pool, member) (pool)[member]
#endif

#if !IN_MEMORY
/* The order of the members of an island on the chip, and running sums of their weights: for selections that need them,
 * and for more than one elite. All work-items of the group call these functions, after a barrier that follows the last
 * change of a value. No barrier in these functions is in a branch.
 *
 * The including file defines `context` with the members ranks (thresholds), truncated, temperature and cooling;
 * VALUE_AT(here, pool, member); and indices in the pool: ORDER_PLACE and OFFERED_PLACE, in words, of the order and of
 * the offered members, and AT_SUMS, in units of 8 bytes, of the running sums.
 */
#ifndef GA_ONCHIP_ORDER_CLH
#define GA_ONCHIP_ORDER_CLH

/* The best member of an island that stays on the chip, and the island's record. A child that is better than the best
 * member writes an offer to local memory; after the first generations there are few offers. AT_COUNTS, which the
 * including file defines, is the index in `words` of four counters of offers. */
#ifndef GA_BEST_CLH
#define GA_BEST_CLH

/* Records of islands and their update at the end of a step: "Islands, restarts, stopping" in docs/search.md.
 *
 * An island has ISLAND_WORDS words in the buffer `words`, ISLAND_REALS reals in `reals` (search/layout.clh), and dim
 * reals in `champion`. */
#ifndef SEARCH_ISLAND_CLH
#define SEARCH_ISLAND_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Layout of words, reals and settings that the host and the kernels of searches share. The text is C, OpenCL C and
 * CUDA. */
#ifndef SEARCH_LAYOUT_CLH
#define SEARCH_LAYOUT_CLH

/* The host includes <stdint.h> before this file. */
#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__) && !defined(__CUDACC__)
#define LAYOUT_ULONG uint64_t
#else
#define LAYOUT_ULONG ulong
#endif

/* Words of an island in the buffer `words`. */
enum search_island_word {
    ISLAND_STEPS,         /* number of steps done; does not change after the island has ended */
    ISLAND_REACHED,       /* 1: the run reached its target */
    ISLAND_ENDED,         /* 1: the run has ended by target or stagnation; 2: by members that are all near the best */
    ISLAND_STAGNANT,      /* steps since the mark was set */
    ISLAND_RESTARTS,      /* number of restarts */
    ISLAND_RENEW_AT,      /* the step after the last step that did not lower the island's best */
    ISLAND_IMPROVED,      /* 1: the last step lowered the island's best */
    ISLAND_NOT_FINITE,    /* evaluations that gave NaN or an infinity */
    ISLAND_GOAL_INDEX,    /* index within the island of its best member */
    /* The next two words are for a step whose exchange is made by a later launch. */
    /* PENDING_NONE: no step is pending; PENDING_MOVE, PENDING_DRAW: the last step waits for its exchange */
    ISLAND_PENDING,
    ISLAND_PENDING_INDEX, /* index of the best member of the pending step */
    ISLAND_MOVES,         /* moves that a local search evaluated, a number of 64 bits: its low word */
    ISLAND_MOVES_HIGH,
    ISLAND_WORDS = 16
};

enum search_pending { PENDING_NONE, PENDING_MOVE, PENDING_DRAW };

/* Reals of an island in the buffer `reals`. */
enum search_island_real {
    ISLAND_GOAL,         /* best of the island's members */
    ISLAND_MARK,         /* value of the best member when it last improved by more than the tolerance */
    ISLAND_CHAMPION,     /* best value so far, restarts included */
    ISLAND_PENDING_GOAL, /* value of the best member of the pending step */
    ISLAND_REALS
};

/* The buffer `settings`, of reals. */
enum search_setting {
    SET_LOWER,     /* lower bound of each dimension; unused with BOX */
    SET_UPPER,
    SET_SIGN,      /* 1, or -1 to maximise */
    SET_TARGET,    /* target as a value of sign f; -infinity: no target */
    SET_TOLERANCE, /* tolerance of stagnation, relative to max(1, |mark|); negative: relative to |mark| alone */
    SET_OWN,       /* first index of the settings of the algorithm itself */
    /* with BOX: [dim] lower bounds, [dim] upper bounds, and [dim] shifts (BOX 1) or flags (BOX 2; 1: the coordinate is
     * rounded down). Then, in any case, the table of the objective. */
    SET_BOX = 16
};

/* Rows of coordinates (search/rows.clh) have room for whole vectors of so many numbers. */
#define ROW_VECTOR 16

/* Sizes of the islands that the device has: all islands of all runs, or its share of them. */
struct search_shape {
    LAYOUT_ULONG seed; /* seed of the first run */
    unsigned members, run_islands, islands;
    unsigned dim;          /* numbers of a member: reals, or words of a genome */
    unsigned tile, stride; /* layout of members: see src/search/device/device.h */
    unsigned restart;      /* steps without improvement after which an island is drawn anew; 0: never */
    /* number of islands of the first run before the device's first island; other devices have them */
    unsigned lead;
};

/* Words that describe a variable for search_decode. */
enum search_variable_word {
    VARIABLE_KIND,  /* enum search_variable_kind */
    /* index of the variable's first gene among the genes of its kind; for a coded variable, among the bits */
    VARIABLE_GENE,
    VARIABLE_BITS,  /* number of bits of a coded variable */
    VARIABLE_GRAY,  /* 1: the code is a Gray code */
    VARIABLE_LOWER, /* least value of a coded integer, an int */
    VARIABLE_SPAN,  /* greatest minus least value of a coded integer */
    VARIABLE_WORDS
};
enum search_variable_kind { REAL_GENE, WHOLE_GENE, BIT_GENE, PLACE_GENE, REAL_CODE, WHOLE_CODE };

/* Scalar arguments of a launch of search_decode. */
struct search_decode {
    unsigned count;     /* number of members */
    unsigned tile;      /* members in a tile, which is also the number of points in a tile */
    unsigned variables; /* coordinates of a point */
    unsigned words;     /* words of a member */
    /* index in a member of its first word of whole numbers, of bits, and of elements of orders */
    unsigned wholes, bits, places;
};

/* Tasks of search_settle. */
enum search_task {
    FIND_BEST = 1,        /* find the island's best among the values of the last pass */
    UPDATE_BEST_EVER = 2, /* make the best the champion if it is better */
    FINISH_STEP = 4,      /* update the island's record */
    RENEW_CHAMPION = 8    /* with UPDATE_BEST_EVER: make the best the champion even if it is worse than the champion */
};

/* Scalar arguments of a launch of search_settle. */
struct search_settle {
    unsigned step;     /* step of the run */
    unsigned tasks;    /* bits of enum search_task */
    unsigned count;    /* values of an island that FIND_BEST compares */
    unsigned is_known; /* 1: `indices` has the member of each value; 0: value i belongs to member i */
};

/* From which islands an island receives in an exchange. */
enum search_exchange_kind { EXCHANGE_LINKS, EXCHANGE_ALL, EXCHANGE_RANDOM };

/* An index that no member has: the index of minimum_none(). */
#define NO_INDEX 0xffffffffu

#endif

/* The record of one island as a work-item holds it. */
typedef struct {
    uint steps, reached, ended, stagnant, restarts, renew_at, improved, goal_index;
    real goal, mark, champion;
} island;

static inline island island_read(__global const uint *words, __global const real *reals, uint k)
{
    island record;
    words += (ulong)k * ISLAND_WORDS;
    reals += (ulong)k * ISLAND_REALS;
    record.steps = words[ISLAND_STEPS];
    record.reached = words[ISLAND_REACHED];
    record.ended = words[ISLAND_ENDED];
    record.stagnant = words[ISLAND_STAGNANT];
    record.restarts = words[ISLAND_RESTARTS];
    record.renew_at = words[ISLAND_RENEW_AT];
    record.improved = words[ISLAND_IMPROVED];
    record.goal_index = words[ISLAND_GOAL_INDEX];
    record.goal = reals[ISLAND_GOAL];
    record.mark = reals[ISLAND_MARK];
    record.champion = reals[ISLAND_CHAMPION];
    return record;
}

/* Writes the record, except ISLAND_NOT_FINITE and ISLAND_MOVES, which island_count_not_finite() and
 * island_count_moves() change. */
static inline void island_write(island record, __global uint *words, __global real *reals, uint k)
{
    words += (ulong)k * ISLAND_WORDS;
    reals += (ulong)k * ISLAND_REALS;
    words[ISLAND_STEPS] = record.steps;
    words[ISLAND_REACHED] = record.reached;
    words[ISLAND_ENDED] = record.ended;
    words[ISLAND_STAGNANT] = record.stagnant;
    words[ISLAND_RESTARTS] = record.restarts;
    words[ISLAND_RENEW_AT] = record.renew_at;
    words[ISLAND_IMPROVED] = record.improved;
    words[ISLAND_GOAL_INDEX] = record.goal_index;
    reals[ISLAND_GOAL] = record.goal;
    reals[ISLAND_MARK] = record.mark;
    reals[ISLAND_CHAMPION] = record.champion;
}

/* The record before step 0. */
static inline island island_new(void)
{
    island record;
    record.steps = record.reached = record.ended = record.stagnant = record.restarts = record.improved = 0u;
    record.goal_index = 0u;
    record.renew_at = 1u;
    record.goal = record.mark = record.champion = (real)INFINITY;
    return record;
}

/* Whether the island's best is below the mark by more than the tolerance, and so counts as an improvement. tolerance:
 * SET_TOLERANCE. */
static inline int has_fallen(real goal, real mark, real tolerance)
{
    const real least = tolerance < R(0.0) ? -tolerance * fabs(mark) : tolerance * max(R(1.0), fabs(mark));
    /* a distance relative to an infinite mark has no meaning */
    return goal < mark && (!isfinite(mark) || mark - goal > least);
}

/* Whether the island is drawn anew in the next step. restart: number of steps without improvement after which
 * an island is drawn anew; 0: never. */
static inline int is_restart_due(island record, uint restart)
{
    return restart > 0u && record.stagnant >= restart;
}

/* Records step `step` (0: the first draw) in the record of an island. goal, goal_index: value and index of the best
 * member after the exchange of the step. drawn: the step drew the island anew. Returns 1 if the best is a new champion;
 * the caller then copies its position. */
static inline int island_settle(island *record, uint step, real goal, uint goal_index, int drawn, real tolerance)
{
    const int is_champion = step == 0u || goal < record->champion;
    record->improved = !drawn && goal < record->goal ? 1u : 0u;
    if (!record->improved)
        record->renew_at = step + 1u;
    if (drawn || has_fallen(goal, record->mark, tolerance)) {
        record->mark = goal;
        record->stagnant = 0u;
    } else {
        record->stagnant++;
    }
    if (drawn && step > 0u)
        record->restarts++;
    if (is_champion)
        record->champion = goal;
    record->goal = goal;
    record->goal_index = goal_index;
    record->steps = step;
    return is_champion;
}

/* Records a step that did not change the island's best. The record is the same as after island_settle() with this
 * best. */
static inline void island_settle_unchanged(island *record, uint step, uint goal_index)
{
    record->improved = 0u;
    record->renew_at = step + 1u;
    record->stagnant++;
    record->goal_index = goal_index;
    record->steps = step;
}

/* For a run of one island: sets `reached` if the champion has reached the target, and `ended` if it has, or if the
 * island has stagnated. */
static inline void island_end(island *record, real target, uint stagnation)
{
    record->reached = record->champion <= target ? 1u : 0u;
    record->ended = record->reached || (stagnation > 0u && record->stagnant >= stagnation) ? 1u : 0u;
}

/* Adds `count` to the number of evaluations of island k that gave NaN or infinity. The counter stops near 2^31, so that
 * it never wraps. */
static inline void island_count_not_finite(__global uint *words, uint k, uint count)
{
    __global uint *counter = words + (ulong)k * ISLAND_WORDS + ISLAND_NOT_FINITE;
    if (count > 0u && atomic_or(counter, 0u) < 0x80000000u)
        atomic_add(counter, count);
}

/* Adds `count` to the number of moves that a local search has evaluated in island k, a counter of 64 bits. */
static inline void island_count_moves(__global uint *words, uint k, ulong count)
{
    __global uint *counter = words + (ulong)k * ISLAND_WORDS + ISLAND_MOVES;
    const uint low = (uint)count, before = atomic_add(counter, low);
    const uint high = (uint)(count >> 32) + (before + low < before ? 1u : 0u);
    if (high > 0u)
        atomic_add(counter + 1, high);
}

#endif

/* The best member of an island since the island was drawn: its value and its index. */
typedef struct {
    real value;
    uint index;
} best_of_island;

static INLINE int is_better(real value, uint index, best_of_island goal)
{
    return value < goal.value || (value == goal.value && index < goal.index);
}

static INLINE best_of_island no_member(void)
{
    best_of_island goal;
    goal.value = (real)INFINITY;
    goal.index = 0u;
    return goal;
}

/* Returns the next of three counters of offers, and clears the one after it. A counter counts the offers of this step,
 * another one may still be read by slower work-items. */
static INLINE uint next_slot(uint slot, local uint *words)
{
    slot = slot == 2u ? 0u : slot + 1u;
    if (get_local_id(0) == 0)
        words[AT_COUNTS + (slot == 2u ? 0u : slot + 1u)] = 0u;
    return slot;
}

/* Records a step like island_settle(), with less work if there is no new best member. */
static INLINE int record_step(island *record, uint step, best_of_island goal, int is_drawn, uint offers, real tolerance)
{
    if (is_drawn || offers > 0u)
        return island_settle(record, step, goal.value, goal.index, is_drawn, tolerance);
    island_settle_unchanged(record, step, goal.index);
    return 0;
}

#endif
/* Barrier of a group between writes to its local memory and reads from it. A native version may define its own. */
#ifndef GA_SYNC_CLH
#define GA_SYNC_CLH

#ifndef SYNC
#if WG > 1
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define SYNC()
#endif
#endif

#endif
/* Selection: docs/ga.md, "Selection". This file has the rules for values and random words. The including file reads,
 * sorts and sums the population. */
#ifndef GA_SELECT_CLH
#define GA_SELECT_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif
/* Random words, and decisions by random words. Decisions compare integers, so that they are the same on every
 * device. */
#ifndef GA_DRAW_CLH
#define GA_DRAW_CLH

/* Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3;
 * SC 2011). The host (through <shoal/rng.h>), OpenCL C and CUDA share this text.
 *
 * The generator has no state. A counter {index, draw, step, stream} and a 64-bit seed always give the same four words,
 * on every device:
 *     index    particle, individual, element
 *     draw     number of the block of four words within one step of that index
 *     step     iteration
 *     stream   enum shoal_stream: the purpose of the numbers
 * Words and uniform numbers have the same bits everywhere. Normal numbers use log, sin and cos, whose last digits
 * differ from one device to the next.
 */
#ifndef SHOAL_PHILOX_CLH
#define SHOAL_PHILOX_CLH

#ifdef SHOAL_PHILOX_HOST
#define PHILOX_UINT         uint32_t
#define PHILOX_ULONG        uint64_t
#define PHILOX_FLOAT(name)  name##f
#define PHILOX_COSPI(x)     cosf(3.14159265358979324f * (x))
#define PHILOX_SINPI(x)     sinf(3.14159265358979324f * (x))
#define PHILOX_COSPI_D(x)   cos(3.14159265358979324 * (x))
#define PHILOX_SINPI_D(x)   sin(3.14159265358979324 * (x))
#define PHILOX_DOUBLE       1
#else
#define PHILOX_UINT         uint
#define PHILOX_ULONG        ulong
#define PHILOX_FLOAT(name)  name
#define PHILOX_COSPI(x)     cospi(x)
#define PHILOX_SINPI(x)     sinpi(x)
#define PHILOX_COSPI_D(x)   cospi(x)
#define PHILOX_SINPI_D(x)   sinpi(x)
#if defined(REAL) && REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#define PHILOX_DOUBLE 1
#else
#define PHILOX_DOUBLE 0
#endif
#endif

/* Streams of random numbers. Each has one purpose, so that no two draws use the same counter. The values determine
 * the results of runs: new streams get new values, and old values stay. */
enum shoal_stream {
    SHOAL_STREAM_FILL = 0, /* the functions shoal_random_* */
    SHOAL_STREAM_TEST = 1,
    SHOAL_STREAM_USER = 2, /* for callers of the library */
    SHOAL_STREAM_DATA = 3, /* generated tables */
    SHOAL_STREAM_DATASET_ROW = 4, /* generated data sets */
    SHOAL_STREAM_DATASET_NET = 5,
    SHOAL_STREAM_DATASET_WRONG = 6,
    SHOAL_STREAM_DATASET_SPLIT = 7, /* which rows are for training, validation and tests */

    SHOAL_STREAM_PSO_POSITION = 256,
    SHOAL_STREAM_PSO_VELOCITY = 257,
    SHOAL_STREAM_PSO_MOVE = 258,
    SHOAL_STREAM_PSO_SPHERE = 259,
    SHOAL_STREAM_PSO_FIPS = 260,
    SHOAL_STREAM_PSO_REENTRY = 261,
    SHOAL_STREAM_PSO_LINKS = 262,
    SHOAL_STREAM_SEARCH_SHIFT = 263,
    SHOAL_STREAM_SEARCH_EXCHANGE = 264,
    SHOAL_STREAM_OBJECTIVE_ROTATION = 265,
    SHOAL_STREAM_CMAES_START = 288,
    SHOAL_STREAM_CMAES_NORMAL = 289,

    SHOAL_STREAM_GAS_POSITION = 512,
    SHOAL_STREAM_GAS_VELOCITY = 513,
    SHOAL_STREAM_GAS_LANGEVIN = 514,
    SHOAL_STREAM_GAS_RESCALE = 515,
    SHOAL_STREAM_GAS_WALL = 516,
    SHOAL_STREAM_GAS_PUSH = 517,

    SHOAL_STREAM_GA_START = 768,
    SHOAL_STREAM_GA_PAIR = 769,
    SHOAL_STREAM_GA_SELECT = 770,
    SHOAL_STREAM_GA_CROSS_GENE = 771,
    SHOAL_STREAM_GA_MUTATE = 772,
    SHOAL_STREAM_GA_REPLACE = 773,
    SHOAL_STREAM_GA_MIGRATE = 774,
    SHOAL_STREAM_GA_LOCAL = 775,

    SHOAL_STREAM_TSP_ANTS_CHOOSE = 1040,
    SHOAL_STREAM_TSP_ANTS_MUTATE = 1041,
    SHOAL_STREAM_TSP_IMPROVE = 1042,
    SHOAL_STREAM_TSP_FACO_ANT = 1056,
    SHOAL_STREAM_TSP_FACO_SOURCE = 1057,

    SHOAL_STREAM_TSP_THESIS_MACRO = 1088,
    SHOAL_STREAM_TSP_THESIS_MICRO = 1089,

    SHOAL_STREAM_MLP_START = 1280,
    SHOAL_STREAM_MLP_ORDER = 1281,
    SHOAL_STREAM_MLP_DROPOUT = 1282,

    SHOAL_STREAM_DE_START = 1536,
    SHOAL_STREAM_DE_RULE = 1537,
    SHOAL_STREAM_DE_CROSS = 1538,
    SHOAL_STREAM_DE_ARCHIVE = 1539,

    SHOAL_STREAM_DIRECT_SEARCH = 2048,
    SHOAL_STREAM_PORTFOLIO_SEED = 2049,
    SHOAL_STREAM_PORTFOLIO_POINT = 2050
};

struct shoal_words {
    PHILOX_UINT x, y, z, w;
};

/* The 64-bit product of two 32-bit words. A native version may define it in another way. */
#ifndef SHOAL_PHILOX_PRODUCT
#define SHOAL_PHILOX_PRODUCT(multiplier, word) ((PHILOX_ULONG)(multiplier) * (word))
#endif

/* A kernel may force inlining, so that loops with calls become vector code. */
#ifndef SHOAL_PHILOX_INLINE
#define SHOAL_PHILOX_INLINE inline
#endif

/* One of the ten rounds of Philox4x32-10. */
static SHOAL_PHILOX_INLINE void shoal_philox_round(struct shoal_words *c, PHILOX_UINT key0, PHILOX_UINT key1)
{
    /* mul_hi is not used: PoCL computes it by four products of 16 bits, while vector units have a 64-bit product. One
     * product gives both halves, by a single instruction on NVIDIA GPUs. */
    const PHILOX_ULONG product0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, c->x);
    const PHILOX_ULONG product1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, c->z);
    c->x = (PHILOX_UINT)(product1 >> 32) ^ c->y ^ key0;
    c->y = (PHILOX_UINT)product1;
    c->z = (PHILOX_UINT)(product0 >> 32) ^ c->w ^ key1;
    c->w = (PHILOX_UINT)product0;
}

#define SHOAL_PHILOX_KEY0(key, round) ((key) + (round) * 0x9E3779B9u)
#define SHOAL_PHILOX_KEY1(key, round) ((key) + (round) * 0xBB67AE85u)

/* Philox4x32-10 as the paper defines it: the words of the counter have no meaning here. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_philox4x32(struct shoal_words counter, PHILOX_UINT key0, PHILOX_UINT key1)
{
    struct shoal_words c = counter;
    PHILOX_UINT round;
#ifndef SHOAL_PHILOX_HOST
    /* A loop that calls this function can become vector code only if the loop below is unrolled. */
#pragma unroll
#endif
    for (round = 0; round < 10; round++)
        shoal_philox_round(&c, SHOAL_PHILOX_KEY0(key0, round), SHOAL_PHILOX_KEY1(key1, round));
    return c;
}

static SHOAL_PHILOX_INLINE struct shoal_words shoal_random_words(PHILOX_ULONG seed, PHILOX_UINT stream,
                                                                 PHILOX_UINT step, PHILOX_UINT index, PHILOX_UINT draw)
{
    struct shoal_words counter;
    counter.x = index;
    counter.y = draw;
    counter.z = step;
    counter.w = stream;
    return shoal_philox4x32(counter, (PHILOX_UINT)seed, (PHILOX_UINT)(seed >> 32));
}

#ifndef SHOAL_PHILOX_HOST
/* What all draws of one index, step and stream share: parts of words of the first four rounds, whose number is in the
 * name. Work-items that draw often keep it, and a draw needs 17 of 20 products. */
struct shoal_series {
    PHILOX_UINT x1, z2, x3, z3, z4;
};

/* keys: SHOAL_PHILOX_KEY0 and SHOAL_PHILOX_KEY1 of each round, in turn. As arguments of a launch they take no operation
 * and, on NVIDIA GPUs, no register. */
static SHOAL_PHILOX_INLINE struct shoal_series shoal_series_of(const PHILOX_UINT *keys, PHILOX_UINT stream,
                                                               PHILOX_UINT step, PHILOX_UINT index)
{
    const PHILOX_ULONG first0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, index);
    const PHILOX_ULONG first1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, step);
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(first0 >> 32) ^ stream ^ keys[1]);
    const PHILOX_ULONG third =
        SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(second >> 32) ^ (PHILOX_UINT)first1 ^ keys[2]);
    struct shoal_series series;
    series.x1 = (PHILOX_UINT)(first1 >> 32) ^ keys[0];
    series.z2 = (PHILOX_UINT)first0 ^ keys[3];
    series.x3 = (PHILOX_UINT)second ^ keys[4];
    series.z3 = (PHILOX_UINT)(third >> 32) ^ keys[5];
    series.z4 = (PHILOX_UINT)third ^ keys[7];
    return series;
}

/* Returns the words that shoal_random_words returns for this draw. */
static SHOAL_PHILOX_INLINE struct shoal_words shoal_series_words(struct shoal_series series, const PHILOX_UINT *keys,
                                                                 PHILOX_UINT draw)
{
    const PHILOX_ULONG second = SHOAL_PHILOX_PRODUCT(0xD2511F53u, series.x1 ^ draw);
    const PHILOX_ULONG third = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)(second >> 32) ^ series.z2);
    const PHILOX_ULONG fourth0 = SHOAL_PHILOX_PRODUCT(0xD2511F53u, (PHILOX_UINT)(third >> 32) ^ series.x3);
    const PHILOX_ULONG fourth1 = SHOAL_PHILOX_PRODUCT(0xCD9E8D57u, (PHILOX_UINT)second ^ series.z3);
    struct shoal_words c;
    PHILOX_UINT round;
    c.x = (PHILOX_UINT)(fourth1 >> 32) ^ (PHILOX_UINT)third ^ keys[6];
    c.y = (PHILOX_UINT)fourth1;
    c.z = (PHILOX_UINT)(fourth0 >> 32) ^ series.z4;
    c.w = (PHILOX_UINT)fourth0;
#pragma unroll
    for (round = 4; round < 10; round++)
        shoal_philox_round(&c, keys[2 * round], keys[2 * round + 1]);
    return c;
}
#endif

/* A uniform random number in [0, 1), a multiple of 2^-24. */
static inline float shoal_uniform_float(PHILOX_UINT word)
{
    return (float)(word >> 8) * 5.9604644775390625e-8f;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-24, so that numbers are symmetric about 1/2. */
static inline float shoal_uniform_open_float(PHILOX_UINT word)
{
    return ((float)(word >> 9) + 0.5f) * 1.1920928955078125e-7f;
}

/* Computes two independent standard normal numbers from two words (Box and Muller). Their absolute values are at most
 * 6.8. */
static inline void shoal_normal_float(PHILOX_UINT word0, PHILOX_UINT word1, float *first, float *second)
{
    /* All 32 bits of word0 are used, for the tails of the distribution. Rounding may give 1, whose logarithm is 0. */
    const float radius2 = -2.0f * PHILOX_FLOAT(log)(((float)word0 + 0.5f) * 2.3283064365386963e-10f);
    const float radius = PHILOX_FLOAT(sqrt)(radius2);
    const float angle = 2.0f * shoal_uniform_float(word1); /* in half turns */
    *first = radius * PHILOX_COSPI(angle);
    *second = radius * PHILOX_SINPI(angle);
}

#if PHILOX_DOUBLE
/* A uniform random number in [0, 1), a multiple of 2^-53. Its first 24 bits are those of
 * shoal_uniform_float(high). */
static inline double shoal_uniform_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return (double)((((PHILOX_ULONG)high << 32) | low) >> 11) * 1.1102230246251565e-16;
}

/* A uniform random number in (0, 1), an odd multiple of 2^-53, so that numbers are symmetric about 1/2. */
static inline double shoal_uniform_open_double(PHILOX_UINT high, PHILOX_UINT low)
{
    return ((double)((((PHILOX_ULONG)high << 32) | low) >> 12) + 0.5) * 2.2204460492503131e-16;
}

/* Computes two independent standard normal numbers from four words. Their absolute values are at most 8.6. */
static inline void shoal_normal_double(struct shoal_words words, double *first, double *second)
{
    const double radius = sqrt(-2.0 * log(shoal_uniform_open_double(words.x, words.y)));
    const double angle = 2.0 * shoal_uniform_double(words.z, words.w);
    *first = radius * PHILOX_COSPI_D(angle);
    *second = radius * PHILOX_SINPI_D(angle);
}
#endif

#undef PHILOX_UINT
#undef PHILOX_ULONG
#undef PHILOX_FLOAT
#undef PHILOX_COSPI
#undef PHILOX_SINPI
#undef PHILOX_COSPI_D
#undef PHILOX_SINPI_D
#undef PHILOX_DOUBLE
#undef SHOAL_PHILOX_PRODUCT
#undef SHOAL_PHILOX_INLINE

#endif
/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Settings and tables that the host and the kernels of genetic algorithms share. The text is C, OpenCL C and CUDA. */
#ifndef GA_LAYOUT_CLH
#define GA_LAYOUT_CLH

/* Values of defines that follow from the parameters. src/ga/model/problem.h compares them with the enums of
 * <shoal/ga.h>. They are macros because kernels test them by #if. */
#ifndef GA_CHOICES_CLH
#define GA_CHOICES_CLH

/* Values of SELECTION. */
#define SELECT_TOURNAMENT 0
#define SELECT_OWN 1
#define SELECT_ROULETTE 2
#define SELECT_SUS 3
#define SELECT_LINEAR_RANK 4
#define SELECT_EXPONENTIAL_RANK 5
#define SELECT_TRUNCATION 6
#define SELECT_BOLTZMANN 7
#define SELECT_BEST 8

/* SELECTS_BY_ORDER: whether the selection needs the members in the order of their values. SELECTS_BY_WEIGHT: whether it
 * needs a weight for each member. */
#define SELECTS_BY_ORDER(selection) \
    ((selection) == SELECT_LINEAR_RANK || (selection) == SELECT_EXPONENTIAL_RANK || (selection) == SELECT_TRUNCATION)
#define SELECTS_BY_WEIGHT(selection) \
    ((selection) == SELECT_ROULETTE || (selection) == SELECT_SUS || (selection) == SELECT_BOLTZMANN)

/* Values of CROSSOVER, of WHOLE_CROSSOVER (whole numbers and bits) and of ORDER_CROSSOVER. */
#define CROSS_SBX_BOUNDED 1
#define CROSS_SBX 2
#define CROSS_BLX 3
#define CROSS_ARITHMETIC 4
#define CROSS_AVERAGE 5
#define CROSS_HEURISTIC 6
#define CROSS_ONE_POINT 7
#define CROSS_TWO_POINT 8
#define CROSS_UNIFORM 9
#define CROSS_NONE 10
#define CROSS_OX 11
#define CROSS_PMX 12
#define CROSS_CX 13
#define CROSS_ERX 14

/* Values of MUTATION, BIT_MUTATION and ORDER_MUTATION. Each whole number has a mutation of its own: WHOLE_MUTATION in
 * the table of ga/layout.clh. */
#define MUTATE_POLYNOMIAL 1
#define MUTATE_GAUSSIAN 2
#define MUTATE_UNIFORM 3
#define MUTATE_STEP 4
#define MUTATE_FLIP 5
#define MUTATE_TAIL_INVERSION 6
#define MUTATE_NONE 7
#define MUTATE_SWAP 8
#define MUTATE_INSERTION 9
#define MUTATE_REVERSAL 10
#define MUTATE_SCRAMBLE 11

/* Values of BOUNDS. */
#define BOUNDS_CLAMP 0
#define BOUNDS_REFLECT 1
#define BOUNDS_PENALTY 2
#define BOUNDS_NONE 3

/* Values of STRUCTURE. */
#define PANMICTIC 0
#define CELLULAR_4 1
#define CELLULAR_8 2

/* Values of REPLACEMENT. */
#define GENERATIONAL 0
#define STEADY 1
#define PLUS 2
#define COMMA 3

/* Values of VICTIM, for STEADY. */
#define VICTIM_WORST 0
#define VICTIM_RANDOM 1
#define VICTIM_OLDEST 2
#define VICTIM_PARENT 3

/* Values of LOCAL_SEARCH. */
#define LOCAL_FIRST 1
#define LOCAL_BEST 2
#define LOCAL_TABU 3

/* Values of MOVES. */
#define MOVES_FLIP 1
#define MOVES_SWAP 2
#define MOVES_INSERTION 3

#endif

/* Settings of the algorithm in the buffer `settings`; they begin at SET_OWN of search/layout.clh. */
enum ga_setting {
    SET_CROSS_POWER = 5, /* eta + 1 of SBX */
    SET_CROSS_ROOT,      /* 1 / (eta + 1) */
    SET_CROSS_ALPHA,     /* the interval of the parents is widened at each end by this fraction of its length */
    SET_MUTATE_POWER,    /* eta + 1 of the polynomial mutation */
    SET_MUTATE_ROOT,
    SET_SIGMA,           /* sigma of the Gaussian mutation */
    SET_TEMPERATURE,     /* temperature of Boltzmann selection in step 1 */
    SET_COOLING,         /* factor by which the temperature changes in each step */
    SET_PENALTY          /* penalty factor of a gene outside the box */
};

/* The buffer `rates` has one entry for all islands, or an entry for each island of a run. An entry begins with these
 * words. RATE_CROSS and RATE_MUTATE: thresholds of the crossover and of the mutation of an order. RATE_DECAY: the bits
 * of a float, 1 / log2(1 - gene rate), at least -FLT_MAX: `decay` of ga/model/places.clh; if at most one gene of a
 * child mutates, the number of genes outside orders / (mutation rate 2^31) instead. RATE_SCALE: the bits of the float 1
 * / RATE_MUTATE; for RATE_MUTATE 0, of 1.
 *
 * Then follow two tables: for the index of a child's first mutated gene, and for the distance to the next mutated gene
 * (docs/ga.md). A table has a threshold for each gene outside orders, two thresholds that no key reaches, and a guide:
 * for each of RATE_GUIDE equal ranges of keys, the first index of a threshold above the range's beginning (Chen and
 * Asau 1974). A key is the upper 31 bits of a random word.
 */
enum ga_rate { RATE_CROSS, RATE_MUTATE, RATE_DECAY, RATE_SCALE, RATE_TABLES };
#define RATE_GUIDE_BITS     6
#define RATE_GUIDE          (1u << RATE_GUIDE_BITS)
#define RATE_GUIDE_AT(line) ((line) + 2u)                      /* index of the guide in a table */
#define RATE_TABLE(line)    (RATE_GUIDE_AT(line) + RATE_GUIDE) /* number of words in a table */
#define RATE_NEXT(line)     (RATE_TABLES + RATE_TABLE(line))   /* index of the second table */
#define RATE_WORDS(line)    (RATE_TABLES + 2u * RATE_TABLE(line))

/* Thresholds are multiples of 2^-31, and are compared with the upper 31 bits of a word. An event with threshold 0 never
 * happens, an event with THRESHOLD_ONE always. */
#define THRESHOLD_ONE 0x80000000u

/* The table of whole numbers has WHOLE_WORDS words for each of them: least value, greatest minus least value, and
 * mutation. */
enum ga_whole { WHOLE_LOWER, WHOLE_WIDTH, WHOLE_MUTATION, WHOLE_WORDS };

/* Scalar arguments of the kernels for populations in global memory. */
struct ga_shape {
    unsigned children;                /* children that an island makes in a step */
    unsigned indices;                 /* number of counters of random numbers that an island uses */
    /* number of entries for an island in the order of members, and in the order of children */
    unsigned padded, padded_children;
    unsigned line; /* number of genes outside orders */
    unsigned elites;
    unsigned tournament;    /* number of contestants in a tournament */
    unsigned truncated;     /* number of best members among which truncation draws a parent */
    unsigned rows, columns; /* rows and columns of the torus of cells */
    unsigned migrants, sends_best, replaces_worst;
    unsigned has_rate_list; /* 1: the buffer `rates` has an entry for each island of a run; 0: one entry */
    unsigned in_place;      /* 1: members that are not replaced keep their indices */
};

/* Number of genes in each part of a genome. A word of bits holds 32 genes, a word of places two places. */
struct ga_genes {
    unsigned reals, wholes, bits, places;
    unsigned messy; /* largest number of pairs in a list of messy genes; 0: genes are not messy */
};

/* With messy genes, a member has further words after its genes: the template, a bit for each gene; the number of pairs
 * in its list; the pairs; and 0 in the words after the last pair. */
#define MESSY_LENGTH(bits)      (((bits) + 31u) / 32u)
#define MESSY_PAIRS(bits)       (MESSY_LENGTH(bits) + 1u)
#define MESSY_WORDS(bits, most) (MESSY_PAIRS(bits) + (most))

/* LINE_SPAN: number of words outside orders that are moved together in local memory. LINE_STRIDE: number of words from
 * a genome to the next genome there, an odd number of spans. LINE_TURNS: whether a genome is a multiple of eight spans;
 * on the chip, such genomes follow each other without gaps, and their spans are rotated. */
#define LINE_SPAN(words)   ((words) % 4 ? 1 : 4)
#define LINE_STRIDE(words) (((words) / LINE_SPAN(words) | 1) * LINE_SPAN(words))
#define LINE_TURNS(words)  ((words) % 32 == 0)

/* Size of parts of the local memory of an island on the chip. ORDER_WORDS: words for the order of its members, or of
 * its elites if there are several. WEIGHT_SUMS: units of 8 bytes for running sums of weights. */
#define ORDER_WORDS(selection, elites, members) \
    (SELECTS_BY_ORDER(selection) ? (members) : (elites) > 1 ? (elites) : 0)
#define WEIGHT_SUMS(selection, members) (SELECTS_BY_WEIGHT(selection) ? (members) : 0)

/* Number of bits of a place in orders that are in local memory. */
#define PACKED_PLACE_BITS(count) ((count) <= 256 ? 8 : 16)

/* Number of words of `bits` bits each that hold a mark (one bit) for each element of an order. */
#define ORDER_MARKS(count, bits) (((count) + (bits) - 1u) / (bits))

/* Returns the number of words, of 8 or 16 bits each, that the operators of an order need for a child. */
static inline unsigned order_scratch(unsigned crossover, unsigned mutation, unsigned count, unsigned bits)
{
    unsigned size = crossover == CROSS_PMX || crossover == CROSS_CX ? count : 0u;
    if (crossover == CROSS_OX)
        size = ORDER_MARKS(count, bits);
    if (crossover == CROSS_ERX)
        size = 2u * count + ORDER_MARKS(count, bits);
    return mutation == MUTATE_SCRAMBLE && size < count ? count : size;
}

/* Scalar arguments of the kernel ga_improve. */
struct ga_local_search {
    unsigned steps;      /* largest number of moves that a child makes */
    unsigned tenure;     /* least number of steps for which a move is tabu */
    unsigned chosen;     /* number of children of an island that get a local search: the best ones */
    unsigned count;      /* number of moves among which a step chooses */
    unsigned child;      /* first child of the launch, counted over all islands */
    /* the launch makes steps begin .. end - 1; the states of searches with further steps are stored for the next
     * launch */
    unsigned begin, end;
};

/* State of a local search between two launches, in units of 8 bytes: KEPT_VALUE: the child's value; KEPT_LEAST: the
 * least value so far; KEPT_IS_GOING: whether the search can still make steps; from KEPT_POOL on: the child's local
 * memory. */
enum ga_kept { KEPT_VALUE, KEPT_LEAST, KEPT_IS_GOING, KEPT_POOL };

/* Draws for a whole island in the stream GA_PAIR, at the index of its first child. Pairs use only the draws 0 and 1. */
#define SUS_OFFSET_DRAW 0x80000000u
#define SUS_KEYS_DRAW   0x80000001u

/* Draw of an individual in the stream GA_START from which the keys of its order come. */
#define ORDER_KEYS_DRAW 0x80000000u
/* First draw of an individual in the stream GA_START from which the pairs of its list come. */
#define MESSY_DRAW 0x40000000u
/* First draws in the stream GA_CROSS_GENE. CROSS_BITS_DRAW: of the uniform crossover of whole numbers and bits, if
 * SBX or BLX crosses the reals of the same parents, which takes the draws from 0 on. ERX_DRAW: of edge recombination. */
#define CROSS_BITS_DRAW 0x40000000u
#define ERX_DRAW        0x80000000u
/* Draws in the stream GA_MUTATE. ORDER_DRAW: for the mutation of an order; SCRAMBLE_DRAW: for the keys of a scramble
 * mutation. */
#define ORDER_DRAW      0x40000000u
#define SCRAMBLE_DRAW   0x40000001u

/* Largest weight of a member in roulette, SUS and Boltzmann selection. A sum of 2^28 weights has at most 53 bits. */
#define WEIGHT_ONE 16777216u

#endif

/* A kernel may define GA_INLINE as forced inlining, so that loops around calls become vector code. */
#ifndef GA_INLINE
#define GA_INLINE inline
#endif

/* Returns word n of a block, n = 0 .. 3. */
static GA_INLINE uint word_at(struct shoal_words words, uint n)
{
    return n == 0u ? words.x : n == 1u ? words.y : n == 2u ? words.z : words.w;
}

/* Converts a word to an index in 0 .. count - 1. mul_hi is not used: see lib/philox.clh. */
static GA_INLINE uint index_of(uint word, uint count)
{
    return (uint)(((ulong)word * count) >> 32);
}

/* Whether an event with probability threshold / THRESHOLD_ONE happens. */
static GA_INLINE int happens(uint word, uint threshold)
{
    return (word >> 1) < threshold;
}

/* Converts the low 30 bits of a word to a number in (0, 1). */
static GA_INLINE real uniform30(uint word)
{
#if REAL == 64
    return ((real)(word & 0x3fffffffu) + R(0.5)) * R(9.31322574615478515625e-10);
#else
    /* (bits + 1/2) / 2^23 with the upper 23 of the 30 bits; exact, and without a conversion, which is slow on GPUs */
    return as_float(0x3f800000u | (word & 0x3fffffffu) >> 7) - R(0.999999940395355224609375);
#endif
}

/* Defines the function `uint name(TABLE table, uint count, key_type key)`. It returns the first index of a table whose
 * entry is above the key; `count` if there is none. The entries must be in ascending order. This is a macro since
 * tables are in different address spaces. */
#define GA_FIRST_ABOVE(name, TABLE, key_type)                                                                          \
    static GA_INLINE uint name(TABLE table, uint count, key_type key)                                                  \
    {                                                                                                                  \
        uint low = 0u, high = count;                                                                                   \
        while (low < high) {                                                                                           \
            const uint middle = low + (high - low) / 2u;                                                               \
            if (table[middle] > key)                                                                                   \
                high = middle;                                                                                         \
            else                                                                                                       \
                low = middle + 1u;                                                                                     \
        }                                                                                                              \
        return low;                                                                                                    \
    }

/* A round of the Feistel network of shuffled(). */
static GA_INLINE uint scramble(uint half_word, uint key)
{
    uint x = (half_word ^ key) * 0x9E3779B1u;
    x ^= x >> 15;
    x *= 0x85EBCA77u;
    return x ^ (x >> 13);
}

/* Returns the place of element i in a random permutation of `count` elements. A Feistel network of eight rounds
 * permutes the numbers below 4^bits, where 4^bits >= count. It is applied repeatedly until the result is below `count`
 * (Black and Rogaway 2002). */
static GA_INLINE uint shuffled(uint i, uint count, uint bits, struct shoal_words keys)
{
    const uint mask = (1u << bits) - 1u;
    do {
        uint left = i >> bits, right = i & mask, round;
        for (round = 0u; round < 8u; round++) {
            const uint next = left ^ (scramble(right + (round << 16), word_at(keys, round & 3u)) & mask);
            left = right;
            right = next;
        }
        i = left << bits | right;
    } while (i >= count);
    return i;
}

static GA_INLINE uint shuffle_bits(uint count)
{
    uint bits = 1u;
    while (bits < 16u && (1u << (2u * bits)) < count)
        bits++;
    return bits;
}

#endif

/* Whether a member precedes another one in the order of members: by value, and of equal values by index. */
static inline int precedes(real value, uint index, real other_value, uint other_index)
{
    return value < other_value || (value == other_value && index < other_index);
}

/* Returns the number of words in stream GA_SELECT that the selection of a parent takes. The words of parent 0 or 1 of a
 * pair begin at word `parent` times this number. */
static inline uint select_words(uint selection, uint tournament)
{
    return selection == SELECT_TOURNAMENT ? tournament : selection == SELECT_BEST ? 0u : 1u;
}

/* Returns the fitness of a member: 0 for the worst finite value of the island, 1 for the best, linear in between. If
 * all finite values are equal, or no value is finite, every member has the fitness 1. */
static inline real fitness_of(real value, real best, real worst)
{
    return best < worst ? (worst - value) / (worst - best) : R(1.0);
}

/* Returns the weight of a member for roulette, SUS and Boltzmann selection, an integer, so that a sum does not depend
 * on its order. temperature: only for Boltzmann selection. */
static inline uint weight_of(uint selection, real value, real best, real worst, real temperature)
{
    real fitness;
    if (!isfinite(value) && isfinite(best))
        return 0u;
    fitness = fitness_of(value, best, worst);
    if (selection == SELECT_BOLTZMANN)
        return (uint)(exp((fitness - R(1.0)) / temperature) * (real)WEIGHT_ONE);
    return (uint)(fitness * (real)WEIGHT_ONE);
}

/* Returns the temperature of Boltzmann selection in a step. */
static inline real temperature_at(real first, real cooling, uint step)
{
    return max(first * pow(cooling, (real)step - R(1.0)), R(0.01));
}

/* For roulette and Boltzmann selection: returns a number below `total`. The first member whose running sum of weights
 * is above this number is selected. */
static inline ulong roulette_target(uint word, ulong total)
{
    /* word total / 2^32, in two parts that fit 64 bits */
    return (total >> 32) * word + (((total & 0xffffffffu) * word) >> 32);
}

/* Returns the number for pointer i of `count` pointers at equal distances (Baker 1987). */
static inline ulong sus_target(uint i, uint count, uint offset_word, ulong total)
{
    const ulong spacing = total / count, rest = total % count;
    /* (i total + offset total) / count, with an offset in [0, 1) */
    return spacing * i + rest * i / count + roulette_target(offset_word, spacing);
}

/* Returns neighbour q of a cell on a torus. q 0: the cell itself; 1 to 4: up, left, right, down; 5 to 8, in
 * neighbourhoods of nine cells: the corners. */
static inline uint cell_neighbour(uint cell, uint q, uint rows, uint columns)
{
    const uint row = cell / columns, column = cell % columns;
    const uint up = row > 0u ? row - 1u : rows - 1u, down = row + 1u < rows ? row + 1u : 0u;
    const uint left = column > 0u ? column - 1u : columns - 1u, right = column + 1u < columns ? column + 1u : 0u;
    switch (q) {
    case 0:
        return cell;
    case 1:
        return up * columns + column;
    case 2:
        return row * columns + left;
    case 3:
        return row * columns + right;
    case 4:
        return down * columns + column;
    case 5:
        return up * columns + left;
    case 6:
        return up * columns + right;
    case 7:
        return down * columns + left;
    default:
        return down * columns + right;
    }
}

/* Returns the number of cells in a neighbourhood, including the cell itself. */
static inline uint cell_count(uint structure)
{
    return structure == CELLULAR_8 ? 9u : 5u;
}

#endif

#ifndef VALUE_AT
#define VALUE_AT(here, pool, member) (pool)[member]
#endif

#define SORTS SELECTS_BY_ORDER(SELECTION)
#define WEIGHS SELECTS_BY_WEIGHT(SELECTION)
/* 1: only the elites, of which there are several, are in order; 0: either all members are in order, or none. */
#define LISTS (ELITES > 1 && !SORTS)
/* Number of values of elites that a work-item copies. */
#define ELITE_VALUES (ELITES ? (ELITES + WG - 1) / WG : 1)

GA_FIRST_ABOVE(first_sum, local const ulong *, ulong)
GA_FIRST_ABOVE(first_threshold, __global const uint *, uint)

static INLINE local uint *order_of(local const real *pool)
{
    return (local uint *)pool + ORDER_PLACE;
}

static INLINE local ulong *sums_of(local const real *pool)
{
    return (local ulong *)pool + AT_SUMS;
}

static INLINE int member_precedes(context here, uint a, uint b, local const real *pool)
{
    (void)here;
    return precedes(VALUE_AT(here, pool, a), a, VALUE_AT(here, pool, b), b);
}

/* Order of all members ------------------------------------------------------------------------------------------------- */

/* Sorts the members by a bitonic sort in which every comparison puts the better member first, so that indices beyond
 * the last member need no entries. is_drawn: the members have no values yet. */
static INLINE void sort_members(context here, int is_drawn, local real *pool)
{
    local uint *const order = order_of(pool);
    const uint lid = (uint)get_local_id(0);
    uint pairs = 1u, span, distance, n;
    while (2u * pairs < MEMBERS)
        pairs *= 2u;
    for (n = lid; n < MEMBERS; n += WG)
        order[n] = n;
    SYNC();
    for (span = 2u; span <= 2u * pairs; span *= 2u)
        for (distance = span / 2u; distance > 0u; distance /= 2u) {
            for (n = lid; n < pairs && !is_drawn; n += WG) {
                const uint low = 2u * n - (n & (distance - 1u));
                const uint high = 2u * distance == span ? low ^ (span - 1u) : low + distance;
                if (high < MEMBERS) {
                    const uint a = order[low], b = order[high];
                    const int changes = member_precedes(here, b, a, pool);
                    order[low] = changes ? b : a;
                    order[high] = changes ? a : b;
                }
            }
            SYNC();
        }
}

/* Order of the elites ---------------------------------------------------------------------------------------------------- */

static INLINE uint candidate(uint n, uint standing, local const uint *offered)
{
    return n < standing ? n : offered[n - standing];
}

/* Finds the ELITES best members, in order, among the first `standing` members, which are in order already, and the
 * offers. The rank of a candidate is the number of candidates that precede it. */
static INLINE void list_elites(context here, uint standing, uint offers, local real *pool)
{
    local uint *const order = order_of(pool);
    local const uint *const offered = (local const uint *)pool + OFFERED_PLACE;
    const uint count = standing + offers;
    uint c, n;
    for (c = (uint)get_local_id(0); c < count; c += WG) {
        const uint member = candidate(c, standing, offered);
        uint rank = c < standing ? c : 0u;
        for (n = c < standing ? standing : 0u; n < count && (int)rank < ELITES; n++)
            rank += member_precedes(here, candidate(n, standing, offered), member, pool) ? 1u : 0u;
        if ((int)rank < ELITES)
            order[rank] = member;
    }
    SYNC();
}

/* Returns the value and the rank of the last of the ELITES best individuals: a better child becomes one of them. In
 * the launch that draws the first individuals, every individual is better than the returned value. */
static INLINE best_of_island last_elite(context here, int is_drawn, local real *pool)
{
    best_of_island bound;
    bound.value = (real)INFINITY;
    bound.index = UINT_MAX;
    if (!is_drawn) {
        bound.value = VALUE_AT(here, pool, order_of(pool)[ELITES > 0 ? ELITES - 1 : 0]);
        bound.index = ELITES - 1u;
    }
    (void)here;
    return bound;
}

/* Returns the member that is elite e. best: index of the best member of the island. */
static INLINE uint elite_at(uint e, uint best, local real *pool)
{
    (void)e;
    (void)pool;
    return SORTS || LISTS ? order_of(pool)[e] : best;
}

/* Weights ------------------------------------------------------------------------------------------------------------------ */

static INLINE void sum_weights(context here, int is_drawn, local real *pool)
{
    local ulong *const sums = sums_of(pool);
    const uint each = (MEMBERS + WG - 1u) / WG, members = is_drawn ? 0u : MEMBERS;
    const uint first = min((uint)get_local_id(0) * each, members), end = min(first + each, members);
    const real temperature = temperature_at(here.temperature, here.cooling, here.step);
    real best = (real)INFINITY, worst = -(real)INFINITY;
    ulong sum = 0u;
    uint e;
    /* worst: the greatest of the finite values */
    for (e = 0u; e < members; e++) {
        const real value = VALUE_AT(here, pool, e);
        best = value < best ? value : best;
        worst = isfinite(value) && value > worst ? value : worst;
    }
    for (e = first; e < end; e++) {
        sum += weight_of(SELECTION, VALUE_AT(here, pool, e), best, worst, temperature);
        sums[e] = sum;
    }
    SYNC();
    for (sum = 0u, e = each; e <= first; e += each)
        sum += sums[e - 1u];
    SYNC();
    for (e = first; e < end; e++)
        sums[e] += sum;
    SYNC();
}

/* Parents ------------------------------------------------------------------------------------------------------------------ */

/* Computes what the selection of a generation reads: the order of the members or of the elites, and the running sums of
 * weights. is_drawn: the generation is drawn without selection. standing, offers: see list_elites(). */
static INLINE void order_members(context here, int is_drawn, uint standing, uint offers, local real *pool)
{
#if SORTS
    sort_members(here, is_drawn, pool);
#elif LISTS
    list_elites(here, standing, offers, pool);
#endif
#if WEIGHS
    sum_weights(here, is_drawn, pool);
#endif
    (void)here;
    (void)is_drawn;
    (void)standing;
    (void)offers;
    (void)pool;
}

/* Returns the parent that a random word selects. */
static INLINE uint parent_of(context here, uint word, local const real *pool)
{
#if WEIGHS
    local const ulong *const sums = sums_of(pool);
    return first_sum(sums, MEMBERS, roulette_target(word, sums[MEMBERS - 1u]));
#elif SELECTION == SELECT_TRUNCATION
    return order_of(pool)[index_of(word, here.truncated)];
#elif SORTS
    return order_of(pool)[min(first_threshold(here.ranks, MEMBERS, word >> 1), MEMBERS - 1u)];
#else
    (void)here;
    (void)word;
    (void)pool;
    return 0u;
#endif
}

/* SUS: returns the parent that pointer i selects. An island has 2 `pairs` pointers, which are used in random order. */
static INLINE uint parent_under(context here, uint i, uint pairs, local const real *pool)
{
#if WEIGHS
    local const ulong *const sums = sums_of(pool);
    const struct shoal_words offset =
        shoal_random_words(here.seed, SHOAL_STREAM_GA_PAIR, here.step, here.index, SUS_OFFSET_DRAW);
    const struct shoal_words keys =
        shoal_random_words(here.seed, SHOAL_STREAM_GA_PAIR, here.step, here.index, SUS_KEYS_DRAW);
    return first_sum(sums, MEMBERS,
                     sus_target(shuffled(i, 2u * pairs, shuffle_bits(2u * pairs), keys), 2u * pairs, offset.x,
                                sums[MEMBERS - 1u]));
#else
    (void)here;
    (void)i;
    (void)pairs;
    (void)pool;
    return 0u;
#endif
}

#endif
#elif SELECTION != SELECT_TOURNAMENT && SELECTION != SELECT_OWN
#error "populations in memory select by tournament or own slot"
#endif

/* The indices of the members that are the parents of a pair. */
typedef struct {
    uint a, b;
} parent_pair;

static INLINE uint better_of(context here, uint a, uint b, local const real *pool)
{
    (void)here;
    (void)pool;
    return precedes(VALUE_AT(here, pool, b), b, VALUE_AT(here, pool, a), a) ? b : a;
}

/* Returns the best of TOURNAMENT random members. Their random words in stream GA_SELECT begin at word `word`. */
static INLINE uint contest(context here, uint pair, uint word, struct shoal_words *words, local const real *pool)
{
    uint found = 0u, t;
#pragma unroll
    for (t = 0u; t < TOURNAMENT; t++, word++) {
        uint other;
        if (word % 4u == 0u)
            *words = shoal_random_words(here.seed, SHOAL_STREAM_GA_SELECT, here.step, here.index + 2u * pair, word / 4u);
        other = index_of(word_at(*words, word % 4u), MEMBER_COUNT(here));
        found = t == 0u ? other : better_of(here, found, other, pool);
    }
    return found;
}

/* Returns the parents of a pair. decision: the random words 0 to 3 of the pair in stream GA_PAIR. */
static INLINE parent_pair select_parents(context here, uint pair, struct shoal_words decision, local const real *pool)
{
    parent_pair parents;
#if SELECTION == SELECT_OWN
    const uint slot = 2u * (FIRST_PAIR(here) + pair), members = MEMBER_COUNT(here);
    parents.a = better_of(here, slot % members, index_of(decision.x, members), pool);
    parents.b = better_of(here, (slot + 1u) % members, index_of(decision.y, members), pool);
#elif SELECTION == SELECT_TOURNAMENT
    struct shoal_words words;
    parents.a = contest(here, pair, 0u, &words, pool);
    parents.b = contest(here, pair, TOURNAMENT, &words, pool);
    (void)decision;
#elif SELECTION == SELECT_SUS
    const uint pairs = (CHILD_COUNT(here) + 1u) / 2u;
    parents.a = parent_under(here, 2u * pair, pairs, pool);
    parents.b = parent_under(here, 2u * pair + 1u, pairs, pool);
    (void)decision;
#else
    parents.a = parent_of(here, decision.x, pool);
    parents.b = parent_of(here, decision.y, pool);
#endif
    return parents;
}

#endif

#if IN_MEMORY
#define NEEDED_POOL ((POOL_REALS * (REAL / 32) + POOL_WORDS + 1) / 2)
#else
#define NEEDED_POOL (AT_SUMS + WEIGHT_SUMS(SELECTION, MEMBERS))
#endif
#if POOL < NEEDED_POOL
#error "POOL is too small for this island"
#endif

/* The random choices that hold for all genes of a pair: the positions of its parents, and how they cross. */
typedef struct {
    uint a, b;
    int a_is_better;
    crossing crossing;
} mating;

static INLINE struct shoal_words decision_of(context here, uint pair)
{
    return shoal_random_words(here.seed, SHOAL_STREAM_GA_PAIR, here.step, here.index + 2u * pair, 0u);
}

static INLINE crossing drawn_crossing(context here, uint pair, struct shoal_words decision, int a_is_better)
{
    const uint second =
        CROSSOVER == CROSS_TWO_POINT
            ? shoal_random_words(here.seed, SHOAL_STREAM_GA_PAIR, here.step, here.index + 2u * pair, 1u).x
            : 0u;
    return crossing_of(CROSSOVER, decision.z, decision.w, second, here.cross_threshold, DIM, here.cross.alpha, a_is_better);
}

static INLINE mating mating_of(context here, uint pair, local const real *pool)
{
    const struct shoal_words decision = decision_of(here, pair);
    const parent_pair parents = select_parents(here, pair, decision, pool);
    mating m;
    m.a_is_better = CROSSOVER == CROSS_HEURISTIC && better_of(here, parents.a, parents.b, pool) == parents.a;
    m.crossing = drawn_crossing(here, pair, decision, m.a_is_better);
    m.a = PLACE_OF(parents.a);
    m.b = PLACE_OF(parents.b);
    return m;
}

/* Returns a gene of both children of a pair. word: the random word of this gene or, for CROSS_BITS, of 32 neighbouring
 * genes. */
static INLINE gene_pair gene_children(context here, gene_pair genes, mating m, uint d, uint word,
                                      __global const real *settings)
{
    gene_pair children;
    enter_dimension(&here, settings, min(d, DIM - 1u));
    if (GA_BRANCHES && !m.crossing.crosses)
        return genes;
    children = crossed(CROSSOVER, genes, m.crossing, d, word, here.lower, here.upper, here.cross, m.a_is_better);
    if (crossover_leaves_box(CROSSOVER)) {
        children.a = bounded(BOUNDS, children.a, here.lower, here.upper);
        children.b = bounded(BOUNDS, children.b, here.lower, here.upper);
    }
    genes.a = m.crossing.crosses ? children.a : genes.a;
    genes.b = m.crossing.crosses ? children.b : genes.b;
    return genes;
}

/* 1: genes that are far from the box are crossed by fewer operations, in a branch that neighbouring work-items take
 * together once populations are small compared with the box. */
#define CROSSES_FAR (WG > 1 && CROSSOVER == CROSS_SBX_BOUNDED)

/* Whether a condition holds for any of the work-items that run together; the condition of the work-item alone is
 * enough. A native version may define it. */
#ifndef ANY_OF_WARP
#define ANY_OF_WARP(condition) (condition)
#endif

/* Returns a word whose highest bit is the sign of a number. */
static INLINE uint sign_bits(real x)
{
#if REAL == 64
    return (uint)(as_ulong(x) >> 32);
#else
    return as_uint(x);
#endif
}

/* IN_ALL_FOURS: whether each block of four genes has a gene n. has_gene: whether gene first + n exists. first: a multiple
 * of 4 below DIM. */
#define IN_ALL_FOURS(n) (DIM % 4 == 0 || (int)(n) < DIM % 4)
static INLINE int has_gene(uint first, uint n)
{
    (void)first;
    return IN_ALL_FOURS(n) || (int)first < DIM / 4 * 4;
}

/* Makes the genes first .. first + 3 of both children of a pair from those of its parents. drawn: see
 * cross_words_of(). */
static INLINE void cross_four(context here, gene_pair *genes, mating m, uint first, struct shoal_words drawn,
                              __global const real *settings)
{
    uint n;
#if CROSSES_FAR
    uint near = 0u, near_in_all = 0u;
#pragma unroll
    for (n = 0u; n < 4u; n++) {
        uint crosses_near;
        enter_dimension(&here, settings, min(first + n, DIM - 1u));
        crosses_near = word_at(drawn, n) & sign_bits(room_of_sbx(genes[n], here.lower, here.upper, here.reach));
        if (IN_ALL_FOURS(n))
            near_in_all |= crosses_near;
        else
            near |= crosses_near;
    }
    near = near_in_all | (has_gene(first, 3u) ? near : 0u);
    if (!ANY_OF_WARP(m.crossing.crosses && (near & 0x80000000u) != 0u)) {
#pragma unroll
        for (n = 0u; n < 4u; n++)
            genes[n] = sbx_far_from_box(genes[n], word_at(drawn, n), m.crossing.crosses, here.cross);
        return;
    }
#endif
#pragma unroll
    for (n = 0u; n < 4u; n++)
        genes[n] = gene_children(here, genes[n], m, first + n, word_at(drawn, n), settings);
}

/* Returns the random words for the genes 4 block .. 4 block + 3 of a pair. */
static INLINE struct shoal_words cross_words_of(context here, uint pair, uint block)
{
    struct shoal_words drawn;
    drawn.x = drawn.y = drawn.z = drawn.w = 0u;
    if (cross_words(CROSSOVER) == CROSS_NO_WORDS)
        return drawn;
    drawn = shoal_random_words(here.seed, SHOAL_STREAM_GA_CROSS_GENE, here.step, here.index + 2u * pair,
                               cross_words(CROSSOVER) == CROSS_BITS ? block / 32u : block);
    if (cross_words(CROSSOVER) == CROSS_BITS)
        drawn.x = drawn.y = drawn.z = drawn.w = word_at(drawn, block / 8u % 4u);
    return drawn;
}

#if BY_ROWS || !IN_MEMORY
/* Makes the children of item k by crossover. m: random choices of the pair. With IN_MEMORY, the children replace their
 * parents in local memory. */
static INLINE void cross(children *own, context here, uint k, mating m, __global const real *settings, local real *pool)
{
    const uint pair = own_pair(k);
    uint block, n;
#if BY_ROWS
    uint words[ROW];
    for (block = 0u; block < ROW / 4u; block++) {
        const struct shoal_words drawn = cross_words_of(here, pair, block);
        words[4u * block] = drawn.x;
        words[4u * block + 1u] = drawn.y;
        words[4u * block + 2u] = drawn.z;
        words[4u * block + 3u] = drawn.w;
    }
    TWO_VECTORS
    for (n = 0u; n < ROW; n++) {
        gene_pair genes;
        genes.a = GENE_AT(pool, n, m.a);
        genes.b = GENE_AT(pool, n, m.b);
        genes = gene_children(here, genes, m, n, words[n], settings);
        own->a[k][n] = genes.a;
        own->b[k][n] = genes.b;
    }
    for (n = 0u; n < ROW && IN_MEMORY; n++) {
        GENE_AT(pool, n, m.a) = own->a[k][n];
        GENE_AT(pool, n, m.b) = own->b[k][n];
    }
#else
#if WG > 1
#pragma unroll
#endif
    for (block = 0u; block < BLOCKS; block++) {
        const uint first = own_dimension(4u * block);
        gene_pair genes[4];
#pragma unroll
        for (n = 0u; n < 4u; n++) {
            const int exists = 4u * block + n < COORDS && has_dimension(first + n);
            genes[n].a = exists ? GENE_AT(pool, first + n, m.a) : R(0.0);
            genes[n].b = exists ? GENE_AT(pool, first + n, m.b) : R(0.0);
        }
        cross_four(here, genes, m, first, cross_words_of(here, pair, first / 4u), settings);
#pragma unroll
        for (n = 0u; n < 4u; n++)
            if (4u * block + n < COORDS) {
                own->a[4u * block + n][k] = genes[n].a;
                own->b[4u * block + n][k] = genes[n].b;
            }
    }
#endif
}
#endif

/* Returns the first index of a table whose threshold is above a key of 31 bits; DIM or more: there is no such index. */
#if HELD
static INLINE uint place_of_key(uint key, const uint *table)
{
    uint place = 0u, d;
#pragma unroll
    for (d = 0u; d < DIM; d++)
        place += table[d] <= key ? 1u : 0u;
    return place;
}
#define FIRST_PLACES(here, words) (here).first_places
#define NEXT_PLACES(here, words) (here).next_places
#else
static INLINE uint place_of_key(uint key, local const uint *table)
{
    uint place = table[RATE_GUIDE_AT(DIM) + (key >> (31 - RATE_GUIDE_BITS))];
#if WG == 1
    place += (table[place] <= key ? 1u : 0u) + (table[place + 1u] <= key ? 1u : 0u);
#endif
    while (table[place] <= key)
        place++;
    return place;
}
#define FIRST_PLACES(here, words) ((words) + AT_FIRST)
#define NEXT_PLACES(here, words) ((words) + AT_NEXT)
#endif

static INLINE real mutated_gene(context here, real x, uint d, real number, __global const real *settings)
{
    enter_dimension(&here, settings, d);
    x = mutated(MUTATION, x, number, here.lower, here.upper, here.mutate, SIGMA_BOX);
    return mutation_leaves_box(MUTATION) ? bounded(BOUNDS, x, here.lower, here.upper) : x;
}

#if BY_ROWS
/* Mutates the genes that wait for it, each gene once, by whole vectors. */
static INLINE void mutate_waiting(children *own, context here, __global const real *settings, local real *pool)
{
    real genes[WAITING];
    uint n, j;
    for (n = 0u; n < own->waiting; n++)
        genes[n] = pool[own->places[n]];
    for (; n % VECTOR; n++) {
        own->places[n] = 0u;
        genes[n] = own->numbers[n] = R(0.5);
    }
    for (n = 0u; n < own->waiting; n += VECTOR)
        TWO_VECTORS
        for (j = n; j < n + VECTOR; j++)
            genes[j] = mutated_gene(here, genes[j], own->places[j] % ROW, own->numbers[j], settings);
    for (n = 0u; n < own->waiting; n++)
        pool[own->places[n]] = genes[n];
    own->waiting = 0u;
}
#endif

#if HELD
/* Mutates the gene of child 0 or 1 of item k that a key of 31 bits chooses, if it chooses one. Each gene has a range of
 * keys, so that no index is computed. */
static INLINE void mutate_by_key(children *own, context here, uint k, uint child, uint key, real number,
                                 __global const real *settings)
{
    uint c;
#pragma unroll
    for (c = 0u; c < DIM; c++) {
        const int is_chosen = key < here.first_places[c] && (c == 0u || key >= here.first_places[c > 0u ? c - 1u : 0u]);
        if (child == 0u)
            own->a[c][k] = is_chosen ? mutated_gene(here, own->a[c][k], c, number, settings) : own->a[c][k];
        else
            own->b[c][k] = is_chosen ? mutated_gene(here, own->b[c][k], c, number, settings) : own->b[c][k];
    }
}
#endif

/* Mutates gene d of child 0 or 1 of item k, if this gene exists. With BY_ROWS, the gene only waits for
 * mutate_waiting(). */
static INLINE void mutate_gene(children *own, context here, uint k, uint child, uint d, real number,
                               __global const real *settings, local real *pool)
{
#if HELD
    uint c;
#pragma unroll
    for (c = 0u; c < DIM; c++) {
        /* without branches, so that a loop over pairs becomes vector code on CPUs */
        if (child == 0u)
            own->a[c][k] = c == d ? mutated_gene(here, own->a[c][k], c, number, settings) : own->a[c][k];
        else
            own->b[c][k] = c == d ? mutated_gene(here, own->b[c][k], c, number, settings) : own->b[c][k];
    }
    (void)pool;
#elif BY_ROWS
    own->places[own->waiting] = (own_pair(k) + child * APART) * ROW + d;
    own->numbers[own->waiting] = number;
    own->waiting += d < DIM ? 1u : 0u;
    (void)here;
    (void)settings;
    (void)pool;
#else
    local real *const gene = &GENE_AT(pool, d, own_pair(k) + child * APART);
    if (d < DIM)
        *gene = mutated_gene(here, *gene, d, number, settings);
    (void)own;
#endif
}

/* Mutates further genes: of child `child` after its first mutated gene d; and then, if `child` is 0, of child 1 after
 * its first mutated gene `second`. */
static INLINE void mutate_further(children *own, context here, uint k, uint child, uint d, uint second,
                                  __global const real *settings, local real *pool, local const uint *words)
{
    uint draw = 1u, n;
    while (d < DIM) {
        const struct shoal_words more = shoal_random_words(here.seed, SHOAL_STREAM_GA_MUTATE, here.step,
                                                           here.index + 2u * own_pair(k) + child, draw);
        real numbers[2];
        mutation_numbers(MUTATION, more.z, more.w, &numbers[0], &numbers[1]);
        for (n = 0u; n < 2u; n++)
            if (d < DIM) {
                d += 1u + place_of_key(word_at(more, n) >> 1, NEXT_PLACES(here, words));
                mutate_gene(own, here, k, child, d, numbers[n], settings, pool);
            }
        draw++;
        if (d >= DIM && child == 0u) {
            child = 1u;
            d = second;
            draw = 1u;
        }
    }
}

/* Mutates both children of item k. If lanes share a pair, each of the first two lanes mutates a child. */
static INLINE void mutate(children *own, context here, uint k, __global const real *settings, local real *pool,
                          local const uint *words)
{
    const uint pair = own_pair(k);
    const struct shoal_words drawn =
        shoal_random_words(here.seed, SHOAL_STREAM_GA_MUTATE, here.step, here.index + 2u * pair, 0u);
    const int has_second = EVERY_CHILD || 2u * pair + 1u < CHILD_COUNT(here);
    uint child = 0u, first, second = DIM;
    real numbers[2];
#if BY_ROWS
    if (own->waiting + 2u * DIM >= WAITING)
        mutate_waiting(own, here, settings, pool);
#endif
#if USED_LANES > 1
    child = own_lane();
    if (child > (has_second ? 1u : 0u))
        return;
    first = place_of_key((child ? drawn.y : drawn.x) >> 1, FIRST_PLACES(here, words));
    mutation_numbers(MUTATION, drawn.z, drawn.w, &numbers[0], &numbers[1]);
    mutate_gene(own, here, k, child, first, child ? numbers[1] : numbers[0], settings, pool);
#else
    first = place_of_key(drawn.x >> 1, FIRST_PLACES(here, words));
    if (has_second)
        second = place_of_key(drawn.y >> 1, FIRST_PLACES(here, words));
#if WG == 1 && !HELD
    if (first >= DIM && second >= DIM)
        return;
#endif
    mutation_numbers(MUTATION, drawn.z, drawn.w, &numbers[0], &numbers[1]);
#if HELD
    mutate_by_key(own, here, k, 0u, drawn.x >> 1, numbers[0], settings);
    if (has_second)
        mutate_by_key(own, here, k, 1u, drawn.y >> 1, numbers[1], settings);
#else
    mutate_gene(own, here, k, 0u, first, numbers[0], settings, pool);
    mutate_gene(own, here, k, 1u, second, numbers[1], settings, pool);
#endif
    child = first < DIM ? 0u : 1u;
    first = first < DIM ? first : second;
#endif
    if (FURTHER)
        mutate_further(own, here, k, child, first, second, settings, pool, words);
}

/* Values --------------------------------------------------------------------------------------------------------- */

#if SHAPE == OPAQUE
static inline real objective_value(const real *x, TABLE_ARGUMENT(__global const real *table) uint dim);
#endif
#define AT_TABLE (SET_BOX + 3 * BOX * DIM)

/* Partial results of a child, which the lanes of its pair combine. */
typedef struct {
#if SHAPE == PER_DIMENSION
    terms sum;
#endif
    real penalty;
} parts;

/* Returns gene d of child 0 or 1 of item k. position: position of the child in local memory. */
static INLINE real gene_of(const children *own, uint k, uint child, uint d, uint position, local const real *pool)
{
    (void)own;
    (void)k;
    (void)child;
    (void)position;
    (void)pool;
#if HELD
    return child == 0u ? own->a[d][k] : own->b[d][k];
#else
    return GENE_AT(pool, d, position);
#endif
}

/* Returns the partial results for the genes of a child that this lane has. */
static INLINE parts parts_of(const children *own, context here, uint k, uint child, uint position,
                             __global const real *settings, local const real *pool)
{
    parts part;
    uint c;
    int j = 0;
    part.penalty = R(0.0);
#if SHAPE == PER_DIMENSION
    part.sum = terms_none();
    for (j = 0; j < SINGLES; j++) {
        const uint d = single_dimension(j, DIM);
        part.sum.a[TERMS + j] = shifted(gene_of(own, k, child, d, position, pool), settings, d, DIM);
    }
#if BY_ROWS
    part.sum = row_terms(&GENE_AT(pool, 0u, position), part.sum, settings);
#else
#if WG > 1
#pragma unroll
#endif
    for (c = 0u; c < COORDS; c++) {
        const uint d = own_dimension(c);
        if (d + COUPLED < DIM)
            part.sum = terms_add(part.sum, shifted(gene_of(own, k, child, d, position, pool), settings, d, DIM),
                                 shifted(gene_of(own, k, child, d + COUPLED, position, pool), settings, d + COUPLED, DIM),
                                 d, DIM);
    }
#endif
#endif
#if PENALTIES
#if WG > 1
#pragma unroll
#endif
    for (c = 0u; c < COORDS; c++) {
        const uint d = own_dimension(c);
        enter_dimension(&here, settings, d);
        if (has_dimension(d))
            part.penalty +=
                penalty_of(gene_of(own, k, child, d, position, pool), here.lower, here.upper, here.penalty);
    }
#endif
    (void)here;
    (void)c;
    (void)j;
    return part;
}

/* Returns the value of a child. part: partial results of all lanes. */
static INLINE real value_of(const children *own, context here, parts part, uint k, uint child, uint position,
                            __global const real *settings, local const real *pool)
{
    real value;
#if SHAPE == PER_DIMENSION
    value = terms_value(part.sum, DIM);
#else
    real point[DIM];
    uint d;
#if HELD
#pragma unroll
#endif
    for (d = 0u; d < DIM; d++)
        point[d] = shifted(gene_of(own, k, child, d, position, pool), settings, d, DIM);
    value = objective_value(point, TABLE_ARGUMENT(settings + AT_TABLE) DIM);
#endif
    (void)own;
    (void)k;
    (void)child;
    (void)position;
    (void)settings;
    (void)pool;
    value = counted(value, here.sign);
    return PENALTIES ? value + part.penalty : value;
}

#if GATHERED
static INLINE parts joined(parts own)
{
    uint span;
    int t;
#pragma unroll
    for (span = 1u; span < USED_LANES; span *= 2u) {
        terms other = own.sum;
        for (t = 0; t < TERMS; t++)
            other.a[t] = EXCHANGE(own.sum.a[t], span);
        own.sum = terms_join(own.sum, other);
        own.penalty += PENALTIES ? EXCHANGE(own.penalty, span) : R(0.0);
    }
    return own;
}
#elif USED_LANES > 1
static INLINE uint row_place(uint row, uint pair, uint lane)
{
    return AT_ROWS + (row * PAIRS + pair) * USED_LANES + lane;
}

static INLINE void write_parts(parts own, uint child, uint pair, local real *pool)
{
    int t;
    for (t = 0; t < TERMS; t++)
        pool[row_place(child * SUMS + t, pair, own_lane())] = own.sum.a[t];
    if (PENALTIES)
        pool[row_place(child * SUMS + TERMS, pair, own_lane())] = own.penalty;
}

/* Returns parts without terms, and with the single coordinates of a point. */
static INLINE parts singles_of(uint position, __global const real *settings, local const real *pool)
{
    parts part;
    int t;
    part.penalty = R(0.0);
    part.sum = terms_none();
    for (t = 0; t < SINGLES; t++) {
        const uint d = single_dimension(t, DIM);
        part.sum.a[TERMS + t] = shifted(GENE_AT(pool, d, position), settings, d, DIM);
    }
    (void)position;
    (void)settings;
    (void)pool;
    return part;
}

static INLINE parts read_parts(uint child, uint pair, parts own, local const real *pool)
{
    uint lane;
    int t;
    for (lane = 0u; lane < USED_LANES; lane++) {
        terms part = own.sum;
        for (t = 0; t < TERMS; t++)
            part.a[t] = pool[row_place(child * SUMS + t, pair, lane)];
        own.sum = lane == 0u ? part : terms_join(own.sum, part);
        if (PENALTIES)
            own.penalty = (lane == 0u ? R(0.0) : own.penalty) + pool[row_place(child * SUMS + TERMS, pair, lane)];
    }
    return own;
}
#endif

#endif
/* The end of a step of an island in global memory, after its best member has been found. */
#ifndef SEARCH_SETTLE_CLH
#define SEARCH_SETTLE_CLH

/* Functions for work-groups. WG, a power of two, is the work-group size. All work-items of a group must call such a
 * function, and all get its result. It ends with a barrier, so that the caller may reuse the local arrays at once.
 * The order of operations is fixed, but in group_append: the same values always give the same bits. */
#ifndef SHOAL_GROUP_CLH
#define SHOAL_GROUP_CLH

#if WG & (WG - 1)
#error "WG must be a power of two"
#endif

/* For functions with pointers to local memory: PoCL 3.1 crashes if its compiler does not inline them. */
#define INLINE inline __attribute__((always_inline))

/* Index of element i in a local array that is also read with a stride. A gap after every 32 elements puts the
 * elements of strides of 4, 8 and 16 into different banks. An array of n elements has the length SPREAD(n). For k <
 * s, where s is a power of two up to 32, SPREAD(i s + k) = SPREAD(i s) + k, and SPREAD(i WG + k) = i SPREAD(WG) +
 * SPREAD(k). In these forms an unrolled loop needs one address and constant offsets. */
#if WG < 32
#define SPREAD(i) (i)
#else
#define SPREAD(i) ((i) + ((i) >> 5))
#endif

/* 1: the work-items of a warp of 32 exchange values by the functions SHOAL_WARP_..., which src/compute/cuda/prelude.cuh
 * describes, with SHOAL_BIT and SHOAL_KEEP. 0: there are no such functions; those below only let compilers parse code
 * that is not used. */
#ifndef SHOAL_WARPS
#define SHOAL_WARPS 0
#define SHOAL_WARP_SHUFFLE(value, mask)  (value)
#define SHOAL_WARP_UP(value, distance)   (value)
#define SHOAL_WARP_FROM(value, number)   (value)
#define SHOAL_WARP_BALLOT(condition)     ((uint)(condition))
#define SHOAL_WARP_SUMS(value)           (value)
#define SHOAL_WARP_SUMS_BACK(value)      (value)
#define SHOAL_WARP_MIN(word)             (word)
#define SHOAL_WARP_SYNC()
#define SHOAL_BIT(number)                (1u << (number))
#define SHOAL_KEEP(pointer)
#endif

#define ADD(a, b) ((a) + (b))

/* Defines a function `type name(type value, local type *scratch)` that combines the values of all work-items by
 * COMBINE(a, b). scratch: [WG]. */
#define GROUP_REDUCE(name, type, COMBINE)                                                                    \
    static INLINE type name(type value, local type *scratch)                                                        \
    {                                                                                                        \
        const uint lid = (uint)get_local_id(0);                                                              \
        uint span;                                                                                           \
        scratch[lid] = value;                                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        for (span = WG / 2; span > 0; span /= 2) {                                                           \
            if (lid < span)                                                                                  \
                scratch[lid] = COMBINE(scratch[lid], scratch[lid + span]);                                   \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
        }                                                                                                    \
        value = scratch[0];                                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        return value;                                                                                        \
    }

struct scan_result {
    uint before; /* sum of the values of the work-items before this one */
    uint total;  /* sum of all values */
};

/* Exclusive scan of the values of the work-items. scratch: [2 WG]. */
static INLINE struct scan_result group_scan(uint value, local uint *scratch)
{
    const uint lid = (uint)get_local_id(0);
    struct scan_result result;
    uint sum = value, from = 0, stride;
    scratch[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Each iteration joins four spans, which needs half as many barriers as joining two. */
    for (stride = 1; stride < WG; stride *= 4) {
        const uint to = WG - from;
        if (lid >= stride)
            sum += scratch[from + lid - stride];
        if (lid >= 2 * stride)
            sum += scratch[from + lid - 2 * stride];
        if (lid >= 3 * stride)
            sum += scratch[from + lid - 3 * stride];
        scratch[to + lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        from = to;
    }
    result.before = sum - value;
    result.total = scratch[from + WG - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

/* Appends `word` of each work-item with keeps = 1 (otherwise 0) to the list `to` of *count words, to which other
 * groups append, too: the order of the list may differ from run to run. scratch: [2 WG]. */
static INLINE void group_append(uint keeps, uint word, __global uint *to, __global uint *count, local uint *scratch)
{
    const struct scan_result place = group_scan(keeps, scratch);
    if (get_local_id(0) == 0)
        scratch[0] = place.total ? atomic_add(count, place.total) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (keeps)
        to[scratch[0] + place.before] = word;
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif
/* Reductions of real numbers within a work-group, by the rules of lib/group.clh. */
#ifndef SHOAL_REDUCE_CLH
#define SHOAL_REDUCE_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Functions for work-groups. WG, a power of two, is the work-group size. All work-items of a group must call such a
 * function, and all get its result. It ends with a barrier, so that the caller may reuse the local arrays at once.
 * The order of operations is fixed, but in group_append: the same values always give the same bits. */
#ifndef SHOAL_GROUP_CLH
#define SHOAL_GROUP_CLH

#if WG & (WG - 1)
#error "WG must be a power of two"
#endif

/* For functions with pointers to local memory: PoCL 3.1 crashes if its compiler does not inline them. */
#define INLINE inline __attribute__((always_inline))

/* Index of element i in a local array that is also read with a stride. A gap after every 32 elements puts the
 * elements of strides of 4, 8 and 16 into different banks. An array of n elements has the length SPREAD(n). For k <
 * s, where s is a power of two up to 32, SPREAD(i s + k) = SPREAD(i s) + k, and SPREAD(i WG + k) = i SPREAD(WG) +
 * SPREAD(k). In these forms an unrolled loop needs one address and constant offsets. */
#if WG < 32
#define SPREAD(i) (i)
#else
#define SPREAD(i) ((i) + ((i) >> 5))
#endif

/* 1: the work-items of a warp of 32 exchange values by the functions SHOAL_WARP_..., which src/compute/cuda/prelude.cuh
 * describes, with SHOAL_BIT and SHOAL_KEEP. 0: there are no such functions; those below only let compilers parse code
 * that is not used. */
#ifndef SHOAL_WARPS
#define SHOAL_WARPS 0
#define SHOAL_WARP_SHUFFLE(value, mask)  (value)
#define SHOAL_WARP_UP(value, distance)   (value)
#define SHOAL_WARP_FROM(value, number)   (value)
#define SHOAL_WARP_BALLOT(condition)     ((uint)(condition))
#define SHOAL_WARP_SUMS(value)           (value)
#define SHOAL_WARP_SUMS_BACK(value)      (value)
#define SHOAL_WARP_MIN(word)             (word)
#define SHOAL_WARP_SYNC()
#define SHOAL_BIT(number)                (1u << (number))
#define SHOAL_KEEP(pointer)
#endif

#define ADD(a, b) ((a) + (b))

/* Defines a function `type name(type value, local type *scratch)` that combines the values of all work-items by
 * COMBINE(a, b). scratch: [WG]. */
#define GROUP_REDUCE(name, type, COMBINE)                                                                    \
    static INLINE type name(type value, local type *scratch)                                                        \
    {                                                                                                        \
        const uint lid = (uint)get_local_id(0);                                                              \
        uint span;                                                                                           \
        scratch[lid] = value;                                                                                \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        for (span = WG / 2; span > 0; span /= 2) {                                                           \
            if (lid < span)                                                                                  \
                scratch[lid] = COMBINE(scratch[lid], scratch[lid + span]);                                   \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                    \
        }                                                                                                    \
        value = scratch[0];                                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
        return value;                                                                                        \
    }

struct scan_result {
    uint before; /* sum of the values of the work-items before this one */
    uint total;  /* sum of all values */
};

/* Exclusive scan of the values of the work-items. scratch: [2 WG]. */
static INLINE struct scan_result group_scan(uint value, local uint *scratch)
{
    const uint lid = (uint)get_local_id(0);
    struct scan_result result;
    uint sum = value, from = 0, stride;
    scratch[lid] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    /* Each iteration joins four spans, which needs half as many barriers as joining two. */
    for (stride = 1; stride < WG; stride *= 4) {
        const uint to = WG - from;
        if (lid >= stride)
            sum += scratch[from + lid - stride];
        if (lid >= 2 * stride)
            sum += scratch[from + lid - 2 * stride];
        if (lid >= 3 * stride)
            sum += scratch[from + lid - 3 * stride];
        scratch[to + lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        from = to;
    }
    result.before = sum - value;
    result.total = scratch[from + WG - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return result;
}

/* Appends `word` of each work-item with keeps = 1 (otherwise 0) to the list `to` of *count words, to which other
 * groups append, too: the order of the list may differ from run to run. scratch: [2 WG]. */
static INLINE void group_append(uint keeps, uint word, __global uint *to, __global uint *count, local uint *scratch)
{
    const struct scan_result place = group_scan(keeps, scratch);
    if (get_local_id(0) == 0)
        scratch[0] = place.total ? atomic_add(count, place.total) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (keeps)
        to[scratch[0] + place.before] = word;
    barrier(CLK_LOCAL_MEM_FENCE);
}

#endif

/* A value and its index. NaN counts as larger than every number, and of equal values the one with the lowest index is
 * the minimum, so that the minimum does not depend on the order of comparisons. */
struct minimum {
    real value;
    uint index;
};

/* The minimum of no values. */
static struct minimum minimum_none(void)
{
    struct minimum none;
    none.value = (real)NAN;
    none.index = 0xffffffffu;
    return none;
}

static struct minimum minimum_of(struct minimum a, struct minimum b)
{
    const int a_is_nan = a.value != a.value, b_is_nan = b.value != b.value;
    if (a.value < b.value)
        return a;
    if (b.value < a.value)
        return b;
    if (a_is_nan != b_is_nan)
        return a_is_nan ? b : a;
    return a.index < b.index ? a : b;
}

/* The smaller of two numbers, where NaN counts as larger than every number; `a` if they are equal. */
static real lesser(real a, real b)
{
    return b < a || a != a ? b : a;
}

GROUP_REDUCE(group_sum, real, ADD)
GROUP_REDUCE(group_lesser, real, lesser)

/* Returns the minimum of the values `mine` of all work-items. values, indices: [WG] each. */
static INLINE struct minimum group_minimum(struct minimum mine, local real *values, local uint *indices)
{
#if WG > 1
    const uint lid = (uint)get_local_id(0);
    uint span;
    struct minimum other;
#if SHOAL_WARPS && WG % 32 == 0
    /* First the minimum of each warp; then each warp finds the least of these, which are at most 32. */
#pragma unroll
    for (span = 16; span > 0; span /= 2) {
        other.value = SHOAL_WARP_SHUFFLE(mine.value, span);
        other.index = SHOAL_WARP_SHUFFLE(mine.index, span);
        mine = minimum_of(mine, other);
    }
    if (lid % 32 == 0) {
        values[lid / 32] = mine.value;
        indices[lid / 32] = mine.index;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    mine.value = values[lid % (WG / 32)];
    mine.index = indices[lid % (WG / 32)];
#pragma unroll
    for (span = WG / 64; span > 0; span /= 2) {
        other.value = SHOAL_WARP_SHUFFLE(mine.value, span);
        other.index = SHOAL_WARP_SHUFFLE(mine.index, span);
        mine = minimum_of(mine, other);
    }
#else
    values[lid] = mine.value;
    indices[lid] = mine.index;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (span = WG / 2; span > 0; span /= 2) {
        if (lid < span) {
            other.value = values[lid + span];
            other.index = indices[lid + span];
            mine = minimum_of(mine, other);
            values[lid] = mine.value;
            indices[lid] = mine.index;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    mine.value = values[0];
    mine.index = indices[0];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    (void)values;
    (void)indices;
#endif
    return mine;
}

#endif
/* Members of all islands in global memory: where their numbers are, and whether an island moves, is drawn, or has
 * ended. */
#ifndef SEARCH_MEMBERS_CLH
#define SEARCH_MEMBERS_CLH

/* Records of islands and their update at the end of a step: "Islands, restarts, stopping" in docs/search.md.
 *
 * An island has ISLAND_WORDS words in the buffer `words`, ISLAND_REALS reals in `reals` (search/layout.clh), and dim
 * reals in `champion`. */
#ifndef SEARCH_ISLAND_CLH
#define SEARCH_ISLAND_CLH

/* Precision of a kernel file: with REAL 32 or 64, `real` is float or double, and R(0.5) is a literal of this type. */
#ifndef SHOAL_REAL_CLH
#define SHOAL_REAL_CLH

#ifndef REAL
#define REAL 32
#endif

#if REAL == 64
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define R(literal) literal
#else
typedef float real;
#define R(literal) literal##f
#endif

#endif
/* Layout of words, reals and settings that the host and the kernels of searches share. The text is C, OpenCL C and
 * CUDA. */
#ifndef SEARCH_LAYOUT_CLH
#define SEARCH_LAYOUT_CLH

/* The host includes <stdint.h> before this file. */
#if !defined(__OPENCL_VERSION__) && !defined(__OPENCL_C_VERSION__) && !defined(__CUDACC__)
#define LAYOUT_ULONG uint64_t
#else
#define LAYOUT_ULONG ulong
#endif

/* Words of an island in the buffer `words`. */
enum search_island_word {
    ISLAND_STEPS,         /* number of steps done; does not change after the island has ended */
    ISLAND_REACHED,       /* 1: the run reached its target */
    ISLAND_ENDED,         /* 1: the run has ended by target or stagnation; 2: by members that are all near the best */
    ISLAND_STAGNANT,      /* steps since the mark was set */
    ISLAND_RESTARTS,      /* number of restarts */
    ISLAND_RENEW_AT,      /* the step after the last step that did not lower the island's best */
    ISLAND_IMPROVED,      /* 1: the last step lowered the island's best */
    ISLAND_NOT_FINITE,    /* evaluations that gave NaN or an infinity */
    ISLAND_GOAL_INDEX,    /* index within the island of its best member */
    /* The next two words are for a step whose exchange is made by a later launch. */
    /* PENDING_NONE: no step is pending; PENDING_MOVE, PENDING_DRAW: the last step waits for its exchange */
    ISLAND_PENDING,
    ISLAND_PENDING_INDEX, /* index of the best member of the pending step */
    ISLAND_MOVES,         /* moves that a local search evaluated, a number of 64 bits: its low word */
    ISLAND_MOVES_HIGH,
    ISLAND_WORDS = 16
};

enum search_pending { PENDING_NONE, PENDING_MOVE, PENDING_DRAW };

/* Reals of an island in the buffer `reals`. */
enum search_island_real {
    ISLAND_GOAL,         /* best of the island's members */
    ISLAND_MARK,         /* value of the best member when it last improved by more than the tolerance */
    ISLAND_CHAMPION,     /* best value so far, restarts included */
    ISLAND_PENDING_GOAL, /* value of the best member of the pending step */
    ISLAND_REALS
};

/* The buffer `settings`, of reals. */
enum search_setting {
    SET_LOWER,     /* lower bound of each dimension; unused with BOX */
    SET_UPPER,
    SET_SIGN,      /* 1, or -1 to maximise */
    SET_TARGET,    /* target as a value of sign f; -infinity: no target */
    SET_TOLERANCE, /* tolerance of stagnation, relative to max(1, |mark|); negative: relative to |mark| alone */
    SET_OWN,       /* first index of the settings of the algorithm itself */
    /* with BOX: [dim] lower bounds, [dim] upper bounds, and [dim] shifts (BOX 1) or flags (BOX 2; 1: the coordinate is
     * rounded down). Then, in any case, the table of the objective. */
    SET_BOX = 16
};

/* Rows of coordinates (search/rows.clh) have room for whole vectors of so many numbers. */
#define ROW_VECTOR 16

/* Sizes of the islands that the device has: all islands of all runs, or its share of them. */
struct search_shape {
    LAYOUT_ULONG seed; /* seed of the first run */
    unsigned members, run_islands, islands;
    unsigned dim;          /* numbers of a member: reals, or words of a genome */
    unsigned tile, stride; /* layout of members: see src/search/device/device.h */
    unsigned restart;      /* steps without improvement after which an island is drawn anew; 0: never */
    /* number of islands of the first run before the device's first island; other devices have them */
    unsigned lead;
};

/* Words that describe a variable for search_decode. */
enum search_variable_word {
    VARIABLE_KIND,  /* enum search_variable_kind */
    /* index of the variable's first gene among the genes of its kind; for a coded variable, among the bits */
    VARIABLE_GENE,
    VARIABLE_BITS,  /* number of bits of a coded variable */
    VARIABLE_GRAY,  /* 1: the code is a Gray code */
    VARIABLE_LOWER, /* least value of a coded integer, an int */
    VARIABLE_SPAN,  /* greatest minus least value of a coded integer */
    VARIABLE_WORDS
};
enum search_variable_kind { REAL_GENE, WHOLE_GENE, BIT_GENE, PLACE_GENE, REAL_CODE, WHOLE_CODE };

/* Scalar arguments of a launch of search_decode. */
struct search_decode {
    unsigned count;     /* number of members */
    unsigned tile;      /* members in a tile, which is also the number of points in a tile */
    unsigned variables; /* coordinates of a point */
    unsigned words;     /* words of a member */
    /* index in a member of its first word of whole numbers, of bits, and of elements of orders */
    unsigned wholes, bits, places;
};

/* Tasks of search_settle. */
enum search_task {
    FIND_BEST = 1,        /* find the island's best among the values of the last pass */
    UPDATE_BEST_EVER = 2, /* make the best the champion if it is better */
    FINISH_STEP = 4,      /* update the island's record */
    RENEW_CHAMPION = 8    /* with UPDATE_BEST_EVER: make the best the champion even if it is worse than the champion */
};

/* Scalar arguments of a launch of search_settle. */
struct search_settle {
    unsigned step;     /* step of the run */
    unsigned tasks;    /* bits of enum search_task */
    unsigned count;    /* values of an island that FIND_BEST compares */
    unsigned is_known; /* 1: `indices` has the member of each value; 0: value i belongs to member i */
};

/* From which islands an island receives in an exchange. */
enum search_exchange_kind { EXCHANGE_LINKS, EXCHANGE_ALL, EXCHANGE_RANDOM };

/* An index that no member has: the index of minimum_none(). */
#define NO_INDEX 0xffffffffu

#endif

/* The record of one island as a work-item holds it. */
typedef struct {
    uint steps, reached, ended, stagnant, restarts, renew_at, improved, goal_index;
    real goal, mark, champion;
} island;

static inline island island_read(__global const uint *words, __global const real *reals, uint k)
{
    island record;
    words += (ulong)k * ISLAND_WORDS;
    reals += (ulong)k * ISLAND_REALS;
    record.steps = words[ISLAND_STEPS];
    record.reached = words[ISLAND_REACHED];
    record.ended = words[ISLAND_ENDED];
    record.stagnant = words[ISLAND_STAGNANT];
    record.restarts = words[ISLAND_RESTARTS];
    record.renew_at = words[ISLAND_RENEW_AT];
    record.improved = words[ISLAND_IMPROVED];
    record.goal_index = words[ISLAND_GOAL_INDEX];
    record.goal = reals[ISLAND_GOAL];
    record.mark = reals[ISLAND_MARK];
    record.champion = reals[ISLAND_CHAMPION];
    return record;
}

/* Writes the record, except ISLAND_NOT_FINITE and ISLAND_MOVES, which island_count_not_finite() and
 * island_count_moves() change. */
static inline void island_write(island record, __global uint *words, __global real *reals, uint k)
{
    words += (ulong)k * ISLAND_WORDS;
    reals += (ulong)k * ISLAND_REALS;
    words[ISLAND_STEPS] = record.steps;
    words[ISLAND_REACHED] = record.reached;
    words[ISLAND_ENDED] = record.ended;
    words[ISLAND_STAGNANT] = record.stagnant;
    words[ISLAND_RESTARTS] = record.restarts;
    words[ISLAND_RENEW_AT] = record.renew_at;
    words[ISLAND_IMPROVED] = record.improved;
    words[ISLAND_GOAL_INDEX] = record.goal_index;
    reals[ISLAND_GOAL] = record.goal;
    reals[ISLAND_MARK] = record.mark;
    reals[ISLAND_CHAMPION] = record.champion;
}

/* The record before step 0. */
static inline island island_new(void)
{
    island record;
    record.steps = record.reached = record.ended = record.stagnant = record.restarts = record.improved = 0u;
    record.goal_index = 0u;
    record.renew_at = 1u;
    record.goal = record.mark = record.champion = (real)INFINITY;
    return record;
}

/* Whether the island's best is below the mark by more than the tolerance, and so counts as an improvement. tolerance:
 * SET_TOLERANCE. */
static inline int has_fallen(real goal, real mark, real tolerance)
{
    const real least = tolerance < R(0.0) ? -tolerance * fabs(mark) : tolerance * max(R(1.0), fabs(mark));
    /* a distance relative to an infinite mark has no meaning */
    return goal < mark && (!isfinite(mark) || mark - goal > least);
}

/* Whether the island is drawn anew in the next step. restart: number of steps without improvement after which
 * an island is drawn anew; 0: never. */
static inline int is_restart_due(island record, uint restart)
{
    return restart > 0u && record.stagnant >= restart;
}

/* Records step `step` (0: the first draw) in the record of an island. goal, goal_index: value and index of the best
 * member after the exchange of the step. drawn: the step drew the island anew. Returns 1 if the best is a new champion;
 * the caller then copies its position. */
static inline int island_settle(island *record, uint step, real goal, uint goal_index, int drawn, real tolerance)
{
    const int is_champion = step == 0u || goal < record->champion;
    record->improved = !drawn && goal < record->goal ? 1u : 0u;
    if (!record->improved)
        record->renew_at = step + 1u;
    if (drawn || has_fallen(goal, record->mark, tolerance)) {
        record->mark = goal;
        record->stagnant = 0u;
    } else {
        record->stagnant++;
    }
    if (drawn && step > 0u)
        record->restarts++;
    if (is_champion)
        record->champion = goal;
    record->goal = goal;
    record->goal_index = goal_index;
    record->steps = step;
    return is_champion;
}

/* Records a step that did not change the island's best. The record is the same as after island_settle() with this
 * best. */
static inline void island_settle_unchanged(island *record, uint step, uint goal_index)
{
    record->improved = 0u;
    record->renew_at = step + 1u;
    record->stagnant++;
    record->goal_index = goal_index;
    record->steps = step;
}

/* For a run of one island: sets `reached` if the champion has reached the target, and `ended` if it has, or if the
 * island has stagnated. */
static inline void island_end(island *record, real target, uint stagnation)
{
    record->reached = record->champion <= target ? 1u : 0u;
    record->ended = record->reached || (stagnation > 0u && record->stagnant >= stagnation) ? 1u : 0u;
}

/* Adds `count` to the number of evaluations of island k that gave NaN or infinity. The counter stops near 2^31, so that
 * it never wraps. */
static inline void island_count_not_finite(__global uint *words, uint k, uint count)
{
    __global uint *counter = words + (ulong)k * ISLAND_WORDS + ISLAND_NOT_FINITE;
    if (count > 0u && atomic_or(counter, 0u) < 0x80000000u)
        atomic_add(counter, count);
}

/* Adds `count` to the number of moves that a local search has evaluated in island k, a counter of 64 bits. */
static inline void island_count_moves(__global uint *words, uint k, ulong count)
{
    __global uint *counter = words + (ulong)k * ISLAND_WORDS + ISLAND_MOVES;
    const uint low = (uint)count, before = atomic_add(counter, low);
    const uint high = (uint)(count >> 32) + (before + low < before ? 1u : 0u);
    if (high > 0u)
        atomic_add(counter + 1, high);
}

#endif

/* 1: a member is the words of its genome, in the order of objective/objective.clh; 0: a member is reals. */
#ifndef IN_WORDS
#define IN_WORDS 0
#endif
#if IN_WORDS
typedef uint member_number;
#else
typedef real member_number;
#endif

/* Index in memory of number d of member i. */
static inline ulong place_of(struct search_shape shape, uint i, uint d)
{
    return ((ulong)(i / shape.tile) * shape.stride + d) * shape.tile + i % shape.tile;
}

/* seed_of: seed of the run to which an island belongs. number_in_run: number of the island within its run.
 * first_index_of: number, within the run, of the first member of the island. */
static inline ulong seed_of(struct search_shape shape, uint island)
{
    return shape.seed + (shape.lead + island) / shape.run_islands;
}

static inline uint number_in_run(struct search_shape shape, uint island)
{
    return (shape.lead + island) % shape.run_islands;
}

static inline uint first_index_of(struct search_shape shape, uint island)
{
    return number_in_run(shape, island) * shape.members;
}

static inline int has_run_ended(__global const uint *words, uint island)
{
    return words[(ulong)island * ISLAND_WORDS + ISLAND_ENDED] != 0u;
}

/* Whether the island is drawn anew in step `step`, instead of moving its members. */
static inline int is_drawing(struct search_shape shape, __global const uint *words, uint island, uint step)
{
    return step == 0u ||
           (shape.restart > 0u && words[(ulong)island * ISLAND_WORDS + ISLAND_STAGNANT] >= shape.restart);
}

#endif

/* A work-group does the tasks launch.tasks for island k: best member, champion and record. goal: the best member.
 * champion_before: value of the champion before the step, read from `reals` by all work-items before any of them calls
 * this function, which overwrites it. p: positions of the
 * members of all islands. */
static INLINE void settle_island(struct minimum goal, uint k, real champion_before, int is_drawn,
                                 __global real *goal_value, __global uint *goal_index, __global const member_number *p,
                                 __global uint *words, __global real *reals, __global member_number *champion,
                                 __global const real *settings, struct search_shape shape, struct search_settle launch)
{
    const uint lid = (uint)get_local_id(0), step = launch.step, tasks = launch.tasks;
    const int is_champion = (tasks & UPDATE_BEST_EVER) && (step == 0u || goal.value < champion_before);
    uint d;
    if (is_champion)
        for (d = lid; d < shape.dim; d += WG)
            champion[(ulong)k * shape.dim + d] = p[place_of(shape, k * shape.members + goal.index, d)];
    if (lid != 0u)
        return;
    if (tasks & FIND_BEST) {
        goal_value[k] = goal.value;
        goal_index[k] = goal.index;
    }
    if (tasks & FINISH_STEP) {
        island record = step == 0u ? island_new() : island_read(words, reals, k);
        if (step > 0u)
            record.champion = champion_before;
        island_settle(&record, step, goal.value, goal.index, is_drawn, settings[SET_TOLERANCE]);
        island_write(record, words, reals, k);
    } else if (is_champion) {
        reals[(ulong)k * ISLAND_REALS + ISLAND_CHAMPION] = goal.value;
    }
}

#endif

#if STRIDE
#define LINE STRIDE
#else
#define LINE DIM
#endif
#if LINE < DIM
#error "members overlap"
#endif

#define COPY_NUMBER  real
#define COPY_NUMBERS LINE
/* A work-group copies whole members from a population in global memory to the next population. A member is COPY_NUMBERS
 * neighbouring numbers of the type COPY_NUMBER. */
#ifndef GA_COPY_CLH
#define GA_COPY_CLH

static INLINE void copy_members(__global const COPY_NUMBER *x, __global const real *best, __global COPY_NUMBER *next_x,
                                __global real *next_best, ulong from, ulong to, ulong count)
{
    ulong i;
    for (i = get_local_id(0); i < count * COPY_NUMBERS; i += WG)
        next_x[to * COPY_NUMBERS + i] = x[from * COPY_NUMBERS + i];
    for (i = get_local_id(0); i < count; i += WG)
        next_best[to + i] = best[from + i];
}

#endif

#if BY_ROWS
static INLINE void keep_mating(mating m, uint pair, local uint *tables)
{
    tables[AT_PARENTS + pair] = m.a;
    tables[AT_PARENTS + PAIRS + pair] = m.b;
}

/* Copies the parents of each pair to the positions of its children in local memory. x: members of the island. */
static INLINE void copy_parents(__global const real *x, local real *pool, local const uint *tables)
{
    uint row, d;
    for (row = 0u; row < 2u * PAIRS; row++)
        for (d = 0u; d < DIM; d++)
            GENE_AT(pool, d, row) = x[(ulong)tables[AT_PARENTS + row] * LINE + d];
}

static INLINE void write_children(__global real *x, uint count, local const real *pool)
{
    uint row, d;
    for (row = 0u; row < count; row++)
        for (d = 0u; d < DIM; d++)
            x[row * LINE + d] = GENE_AT(pool, d, (row >> 1) + (row & 1u) * PAIRS);
}
#else
/* In local memory, a pair has the indices of its parents. The highest bit of an index holds a choice for all genes of
 * the pair. */
#define HIGH_BIT 0x80000000u

static INLINE void keep_mating(mating m, uint pair, local uint *tables)
{
    tables[AT_PARENTS + pair] = m.a | (m.crossing.crosses ? HIGH_BIT : 0u);
    tables[AT_PARENTS + PAIRS + pair] = m.b | (m.a_is_better ? HIGH_BIT : 0u);
}

static INLINE mating kept_mating(context here, uint pair, local const uint *tables)
{
    const uint a = tables[AT_PARENTS + pair], b = tables[AT_PARENTS + PAIRS + pair];
    mating m;
    m.a = a & ~HIGH_BIT;
    m.b = b & ~HIGH_BIT;
    m.a_is_better = (b & HIGH_BIT) != 0u;
    m.crossing.crosses = (a & HIGH_BIT) != 0u;
    m.crossing.from = m.crossing.to = 0u;
    m.crossing.weight = R(0.0);
    if (crosses_as_one(CROSSOVER))
        m.crossing = drawn_crossing(here, pair, decision_of(here, pair), m.a_is_better);
    return m;
}

/* UNIT: count of numbers that one load or store moves. */
#if LINE % 4 == 0 && REAL == 32
#define UNIT 4
typedef float4 unit;
#elif LINE % 2 == 0
#define UNIT 2
#if REAL == 64
typedef double2 unit;
#else
typedef float2 unit;
#endif
#else
#define UNIT 1
typedef real unit;
#endif

/* Four neighbouring genes, for which a work-item draws random words together. SPAN neighbouring work-items have
 * neighbouring blocks of genes of a pair. */
typedef struct {
    real a[4];
} four;
#define WANTED_SPAN (BLOCKS > 16 ? 32 : BLOCKS > 8 ? 16 : BLOCKS > 4 ? 8 : BLOCKS > 2 ? 4 : BLOCKS)
#define SPAN (WANTED_SPAN < WG ? WANTED_SPAN : WG)
#define PAIRS_AT_ONCE (WG / SPAN)
/* Number of turns in which the group crosses all pairs. FULL_TURNS: whether work-items have a pair in each turn. */
#define FULL_TURNS  (PAIRS % PAIRS_AT_ONCE == 0)
#define CROSS_TURNS ((PAIRS + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE)

/* Whether a load or store of a unit begins at gene n of block b. */
#define HAS_UNIT(b, n) (LINE % 4 == 0 || 4u * (b) + (n) < DIM)

/* The address of the number of a member that `x` points to in member 0. A native version may define it
 * differently. */
#ifndef MEMBER_AT
#define MEMBER_AT(x, member) ((__global const real *)((__global const char *)(x) + (ulong)(member) * (LINE * sizeof(real))))
#endif

/* FETCH begins to load the memory at an address into a cache; with EARLY_PARENTS 1, parents of the next pair are loaded
 * before a pair is crossed. A native version defines both. As OpenCL C the early loads spill registers on an H200. */
#ifndef FETCH
#define FETCH(address)
#define EARLY_PARENTS 0
#endif

/* Returns a block of a member's genes; genes beyond the last one are undefined. x: block `block` of member 0. */
static INLINE four read_four(__global const real *x, uint member, uint block)
{
    __global const real *const from = MEMBER_AT(x, member);
    four genes;
    uint n;
#pragma unroll
    for (n = 0u; n < 4u; n++)
        genes.a[n] = R(0.0);
#pragma unroll
    for (n = 0u; n < 4u; n += UNIT)
        if (HAS_UNIT(block, n)) {
            const unit numbers = ((__global const unit *)(from + n))[0];
#if UNIT == 1
            genes.a[n] = numbers;
#else
            genes.a[n] = numbers.x;
            genes.a[n + 1u] = numbers.y;
#endif
#if UNIT == 4
            genes.a[2] = numbers.z;
            genes.a[3] = numbers.w;
#endif
        }
    return genes;
}

/* Copies a block of genes from local to global memory. Numbers after the last gene become 0. */
static INLINE void write_four(__global real *to, uint block, local const real *pool)
{
    real genes[4];
    uint n;
#pragma unroll
    for (n = 0u; n < 4u; n++)
        genes[n] = has_gene(4u * block, n) ? pool[n * POSITIONS] : R(0.0);
#pragma unroll
    for (n = 0u; n < 4u; n += UNIT)
        if (HAS_UNIT(block, n)) {
            unit numbers;
#if UNIT == 1
            numbers = genes[n];
#else
            numbers.x = genes[n];
            numbers.y = genes[n + 1u];
#endif
#if UNIT == 4
            numbers.z = genes[2];
            numbers.w = genes[3];
#endif
            ((__global unit *)(to + n))[0] = numbers;
        }
}

/* The parents of a pair, and their genes of a block. */
typedef struct {
    mating m;
    four a, b;
} parents;

/* x: block `block` of member 0. Pairs beyond the last one get its parents. */
static INLINE parents load_parents(context here, __global const real *x, uint pair, uint block, local const uint *tables)
{
    parents p;
    p.m = kept_mating(here, FULL_TURNS ? pair : min(pair, PAIRS - 1u), tables);
    p.a = read_four(x, p.m.a, block);
    p.b = read_four(x, p.m.b, block);
    return p;
}

/* Crosses the parents of each pair, and writes the children to local memory. With EARLY_PARENTS the parents of the next
 * pair are loaded while a pair is crossed. x: members of the island. */
static INLINE void cross_pairs(context here, __global const real *x, __global const real *settings, local real *pool,
                               local const uint *tables)
{
    const uint own = (uint)get_local_id(0) / SPAN;
    uint block, turn, n;
    for (block = (uint)get_local_id(0) % SPAN; block < BLOCKS && own < PAIRS_AT_ONCE; block += SPAN) {
        parents next = load_parents(here, x + 4u * block, own, block, tables);
        for (turn = 0u; turn < CROSS_TURNS; turn++) {
            const uint pair = turn * PAIRS_AT_ONCE + own;
            const int is_pair = FULL_TURNS || pair < PAIRS;
            const mating m = next.m;
            local real *const genes = &GENE_AT(pool, 4u * block, pair);
            gene_pair both[4];
#pragma unroll
            for (n = 0u; n < 4u; n++) {
                both[n].a = next.a.a[n];
                both[n].b = next.b.a[n];
            }
#if EARLY_PARENTS
            if (turn + 1u < CROSS_TURNS)
                next = load_parents(here, x + 4u * block, pair + PAIRS_AT_ONCE, block, tables);
#endif
            cross_four(here, both, m, 4u * block, cross_words_of(here, pair, block), settings);
#pragma unroll
            for (n = 0u; n < 4u; n++)
                if (has_gene(4u * block, n) & is_pair) {
                    genes[n * POSITIONS] = both[n].a;
                    genes[n * POSITIONS + PAIRS] = both[n].b;
                }
#if !EARLY_PARENTS
            if (turn + 1u < CROSS_TURNS)
                next = load_parents(here, x + 4u * block, pair + PAIRS_AT_ONCE, block, tables);
#endif
        }
    }
}

/* Writes a block of genes of both children of a pair to global memory. x: the group's first child. */
static INLINE void write_block(__global real *x, uint block, uint own, uint count, local const real *pool)
{
    __global real *to = x + 2u * own * LINE + 4u * block;
    local const real *genes = &GENE_AT(pool, 4u * block, own);
    uint first;
#pragma unroll 4
    for (first = 0u; first < PAIRS; first += PAIRS_AT_ONCE) {
        if (2u * (first + own) < count)
            write_four(to, block, genes);
        if (2u * (first + own) + 1u < count)
            write_four(to + LINE, block, genes + PAIRS);
        to += 2 * PAIRS_AT_ONCE * LINE;
        genes += PAIRS_AT_ONCE;
    }
}

/* Writes the children of the group to global memory. If the group is full, indices need not be compared. */
static INLINE void write_children(__global real *x, uint count, local const real *pool)
{
    const uint own = (uint)get_local_id(0) / SPAN;
    uint block;
    for (block = (uint)get_local_id(0) % SPAN; block < BLOCKS && own < PAIRS_AT_ONCE; block += SPAN) {
        if (FULL_TURNS && count == 2u * PAIRS)
            write_block(x, block, own, UINT_MAX, pool);
        else
            write_block(x, block, own, count, pool);
    }
}
#endif

/* Makes the children of item k: crossover and mutation. With BY_ROWS, children are complete only after
 * mutate_waiting(). */
static INLINE void vary(children *genes, context here, uint k, mating m, __global const real *settings, local real *pool,
                        local const uint *tables)
{
#if BY_ROWS
    m.a = own_pair(k);
    m.b = own_pair(k) + PAIRS;
    cross(genes, here, k, m, settings, pool);
#endif
#if MUTATES
    mutate(genes, here, k, settings, pool, tables);
#endif
    (void)genes;
    (void)here;
    (void)k;
    (void)m;
    (void)settings;
    (void)pool;
    (void)tables;
}

/* Evaluates the children of item k. values: values of the group's children. Returns how many values are not finite. */
static INLINE uint evaluate(const children *genes, context here, uint k, __global const real *settings,
                            __global real *values, local const real *pool)
{
    const uint pair = own_pair(k), each = 2u * pair + 1u < here.children ? 2u : 1u;
    uint child, not_finite = 0u;
    for (child = 0u; child < each; child++) {
        const uint position = pair + child * PAIRS;
        const parts part = parts_of(genes, here, k, child, position, settings, pool);
        const real value = value_of(genes, here, part, k, child, position, settings, pool);
        values[2u * pair + child] = value;
        not_finite += isfinite(value) ? 0u : 1u;
    }
    return not_finite;
}

/* Makes and evaluates all `count` children of the group. Returns how many values are not finite. */
static INLINE uint breed(context here, const mating *m, uint count, __global const real *settings, __global real *values,
                         local real *pool, local const uint *tables)
{
    children genes; /* after vary() the genes of the item are in local memory */
    uint not_finite = 0u, k;
#if BY_ROWS
    genes.waiting = 0u;
    for (k = 0u; k < ITEMS; k++)
        if (2u * own_pair(k) < count)
            vary(&genes, here, k, m[k], settings, pool, tables);
    mutate_waiting(&genes, here, settings, pool);
#endif
    for (k = 0u; k < ITEMS; k++)
        if (2u * own_pair(k) < count) {
            if (!BY_ROWS)
                vary(&genes, here, k, m[k], settings, pool, tables);
            not_finite += evaluate(&genes, here, k, settings, values, pool);
        }
    return not_finite;
}

/* 1: a launch may also end the previous step. CPUs, with groups of one work-item, do this, since a launch of its own
 * takes long there compared with the search among few values. */
#define SETTLES (WG == 1)

#if SETTLES
/* Returns the least of `count` values, and the first index with this value. Values are finite or +infinity. */
static INLINE struct minimum best_of(__global const real *values, uint count)
{
    struct minimum best;
    real least[VECTOR];
    uint first, j;
    for (j = 0u; j < VECTOR; j++)
        least[j] = (real)INFINITY;
    for (first = 0u; first + VECTOR <= count; first += VECTOR)
        for (j = 0u; j < VECTOR; j++)
            least[j] = values[first + j] < least[j] ? values[first + j] : least[j];
    best.value = (real)INFINITY;
    for (j = 0u; j < VECTOR; j++)
        best.value = min(best.value, least[j]);
    for (; first < count; first++)
        best.value = min(best.value, values[first]);
    best.index = 0u;
    while (best.index + 1u < count && values[best.index] != best.value)
        best.index++;
    return best;
}

/* Ends step `step` of an island. The island does not restart, and its run does not end, in this step. best: values of
 * the island's members. */
static INLINE void settle_before(uint island, uint step, __global const real *best, __global real *goal_value,
                                 __global uint *goal_index, __global const real *x, __global uint *words,
                                 __global real *reals, __global real *champion, __global const real *settings,
                                 struct search_shape shape)
{
    struct search_settle launch;
    launch.step = step;
    launch.tasks = FIND_BEST | UPDATE_BEST_EVER | FINISH_STEP;
    launch.count = shape.members;
    launch.is_known = 0u;
    settle_island(best_of(best, shape.members), island, reals[(ulong)island * ISLAND_REALS + ISLAND_CHAMPION], 0, goal_value,
                  goal_index, x, words, reals, champion, settings, shape, launch);
}
#endif

/* Makes a generation. An island has neighbouring work-groups, each of which makes PAIRS pairs. rates: see RATE_TABLES.
 * goal_value, goal_index: value and index of the best member of each island. settles: 1: this launch first ends the
 * previous step, in which no island restarts and no run ends. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void ga_fused(__global const real *restrict x, __global const real *restrict best, __global real *restrict next_x,
              __global real *restrict next_best, __global real *restrict goal_value, __global uint *restrict goal_index,
              __global uint *restrict words, __global real *restrict reals, __global real *restrict champion,
              __global const real *restrict settings, __global const uint *restrict rates, struct search_shape shape,
              struct ga_shape own, uint step, uint settles)
{
    __local real pool[POOL * 64 / REAL];
    local uint *tables = (local uint *)(pool + POOL_REALS);
    const uint groups = ((own.children + 1u) / 2u + PAIRS - 1u) / PAIRS;
    const uint group = (uint)get_group_id(0), island = quotient(group, groups);
    const uint first = (group - island * groups) * PAIRS;
    const uint count = min(2u * (uint)PAIRS, own.children - 2u * first);
    const ulong start = (ulong)island * shape.members;
    __global const uint *const own_rates =
        rates + (own.has_rate_list ? number_in_run(shape, island) * RATE_WORDS(DIM) : 0u);
    const ulong begin = (start + ELITES + 2u * first) * LINE;
    mating m[ITEMS];
    context here;
    uint not_finite, k;
#if SETTLES
    if (settles && first == 0u)
        settle_before(island, step - 1u, best + start, goal_value, goal_index, x, words, reals, champion, settings, shape);
#endif
    /* Other groups may write the record at the same time if `settles` is 1. */
    if (!settles && has_run_ended(words, island)) {
        /* The run has ended: copies the old members; the first group also copies the elites. */
        const ulong from = first == 0u ? start : start + ELITES + 2u * first;
        const ulong end = start + ELITES + 2u * first + count;
        copy_members(x, best, next_x, next_best, from, from, end - from);
        return;
    }
    if (!settles && is_drawing(shape, words, island, step))
        return;
    here = context_of(settings, own_rates, shape.seed, island, shape.run_islands, shape.lead, own.indices);
    here.step = step;
    here.index += 2u * first;
    here.values = best + start;
    here.members = shape.members;
    here.first = first;
    here.children = own.children - 2u * first;
    load_places(own_rates, tables);
    clear_rows(pool);
    for (k = 0u; k < ITEMS; k++) {
        m[k].a = m[k].b = 0u;
        m[k].a_is_better = m[k].crossing.crosses = 0;
        if (2u * own_pair(k) < count)
            m[k] = mating_of(here, own_pair(k), pool);
#if !BY_ROWS
        FETCH(MEMBER_AT(x + start * LINE, m[k].a));
        FETCH(MEMBER_AT(x + start * LINE, m[k].b));
#endif
        if (own_pair(k) < PAIRS)
            keep_mating(m[k], own_pair(k), tables);
    }
    SYNC();
#if BY_ROWS
    copy_parents(x + start * LINE, pool, tables);
#else
    cross_pairs(here, x + start * LINE, settings, pool, tables);
#endif
    SYNC();
    not_finite = breed(here, m, count, settings, next_best + start + ELITES + 2u * first, pool, tables);
    island_count_not_finite(words, island, not_finite);
    SYNC();
    write_children(next_x + begin, count, pool);
#if ELITES
    if (first == 0u)
        copy_members(x, best, next_x, next_best, start + goal_index[island], start, 1u);
#endif
    (void)goal_value;
    (void)goal_index;
    (void)reals;
    (void)champion;
}