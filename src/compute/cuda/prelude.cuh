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

/* Not OpenCL C: a load and a store of data that are not read again soon, so that the caches keep other data. */
#define SHOAL_LOAD_ONCE(place)         __ldcs(place)
#define SHOAL_STORE_ONCE(place, value) __stcs(place, value)

/* Not OpenCL C. SHOAL_STARTS_EARLY(entry), before kernel `entry`, lets groups of a launch of it start while the last groups
 * of the launch before still run (compute capability 9.0 on): the host finds the constant in the compiled program. Each
 * work-item of such a kernel calls SHOAL_AFTER_LAUNCH() once, and before the call uses only arguments and local memory.
 * The call waits until all launches before have ended and what they wrote is visible, and lets the next launch start. A
 * compiler takes what a `const restrict` argument points to for constant: test cuda-native looks that it loads nothing
 * before the call. */
#if __CUDA_ARCH__ >= 900
#define SHOAL_STARTS_EARLY(entry) extern "C" __constant__ unsigned entry##_starts_early = 1;
#define SHOAL_AFTER_LAUNCH()      asm volatile("griddepcontrol.launch_dependents;\ngriddepcontrol.wait;" ::: "memory")
#else
#define SHOAL_STARTS_EARLY(entry)
#define SHOAL_AFTER_LAUNCH()
#endif

/* Not OpenCL C: 1 if the functions SHOAL_WARP_... exist, by which the work-items of a warp exchange values. */
#define SHOAL_WARPS 1
/* Not OpenCL C: the value of work-item lid ^ mask of the same warp. */
#define SHOAL_WARP_SHUFFLE(value, mask) __shfl_xor_sync(0xffffffffu, value, (int)(mask))
/* Not OpenCL C. SHOAL_WARP_UP: the value of the work-item `distance` before this one; SHOAL_WARP_FROM: the value of
 * work-item `number` of the warp; SHOAL_WARP_BALLOT: a word with a bit for each work-item of the warp, set if its
 * condition holds; SHOAL_WARP_ANY: whether the condition holds for any work-item of the warp that runs this at the same
 * time, since branches that not all work-items take may call it. */
#define SHOAL_WARP_UP(value, distance) __shfl_up_sync(0xffffffffu, value, distance)
#define SHOAL_WARP_FROM(value, number) __shfl_sync(0xffffffffu, value, (int)(number))
#define SHOAL_WARP_SYNC() __syncwarp() /* after it, the work-items of the warp see what each of them wrote before */
#define SHOAL_WARP_BALLOT(condition) __ballot_sync(0xffffffffu, condition)
#define SHOAL_WARP_ANY(condition) __any_sync(__activemask(), condition)
/* For each work-item, the sum of the values of the work-items up to it (SHOAL_WARP_SUMS) or from it on
 * (SHOAL_WARP_SUMS_BACK), added in the order of a scan with doubling distances. last: number of the work-item at the end
 * of the warp. */
#define SHOAL_WARP_SCAN(name, direction, last)                                                                         \
    static float name(float x)                                                                                         \
    {                                                                                                                  \
        for (int distance = 1; distance < 32; distance *= 2)                                                           \
            asm("{ .reg .f32 y; .reg .pred p; shfl.sync." direction ".b32 y|p, %1, %2, " last                          \
                ", 0xffffffff; @p add.rn.f32 y, y, %1; mov.f32 %0, y; }"                                               \
                : "=f"(x) : "f"(x), "r"(distance));                                                                    \
        return x;                                                                                                      \
    }
SHOAL_WARP_SCAN(SHOAL_WARP_SUMS, "up", "0")
SHOAL_WARP_SCAN(SHOAL_WARP_SUMS_BACK, "down", "31")
#undef SHOAL_WARP_SCAN
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
