/* cub::DeviceRadixSort::SortPairs on the size of lib.sort.u32-pairs-64mi, as a peer that shoal is compared with.
 *
 *     bench/peers/run.py cub        (nvcc)
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>
#include <vector>

static void check(cudaError_t code)
{
    if (code != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
        std::exit(1);
    }
}

__global__ void fill(unsigned *keys, unsigned *values, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned h = i * 0x9e3779b1u; /* a bijection whose digits are well mixed */
        h = (h ^ (h >> 16)) * 0x85ebca6bu;
        h = (h ^ (h >> 13)) * 0xc2b2ae35u;
        keys[i] = h ^ (h >> 16);
        values[i] = i;
    }
}

int main()
{
    const unsigned n = 64u << 20;
    const int samples = 31;
    unsigned *keys, *values, *keys_out, *values_out;
    void *scratch = nullptr;
    size_t bytes = 0;
    check(cudaMalloc(&keys, 4ull * n));
    check(cudaMalloc(&values, 4ull * n));
    check(cudaMalloc(&keys_out, 4ull * n));
    check(cudaMalloc(&values_out, 4ull * n));
    fill<<<1024, 256>>>(keys, values, n);
    check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, keys_out, values, values_out, n));
    check(cudaMalloc(&scratch, bytes));
    cudaEvent_t start, end;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    std::vector<float> times;
    for (int i = 0; i < samples + 3; i++) {
        check(cudaEventRecord(start));
        check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, keys_out, values, values_out, n));
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds;
        check(cudaEventElapsedTime(&milliseconds, start, end));
        if (i >= 3) /* the first three runs only warm up */
            times.push_back(milliseconds);
    }
    std::vector<unsigned> sorted(n);
    check(cudaMemcpy(sorted.data(), keys_out, 4ull * n, cudaMemcpyDeviceToHost));
    if (!std::is_sorted(sorted.begin(), sorted.end())) {
        std::fprintf(stderr, "not sorted\n");
        return 1;
    }
    /* The roof of lib.sort: the keys are read once, then keys and values are read and written in each of four
     * passes. */
    std::printf("{\"case\": \"peer.cub-%d.%d.%d.sort-pairs-64mi\", \"device\": \"gpu\", \"variant\": \"cub\", "
                "\"precision\": \"u32\", \"unit\": \"pairs/s\", \"better\": \"higher\", \"check\": \"pass\", "
                "\"bound\": \"copy_bytes\", \"roof_work\": 80, \"samples\": [",
                CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
    for (size_t i = 0; i < times.size(); i++)
        std::printf("%s%.9g", i ? ", " : "", n / (times[i] * 1e-3));
    std::printf("]}\n");
    return 0;
}
