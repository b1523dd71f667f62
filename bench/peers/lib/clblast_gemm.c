/* Products of square matrices by CLBlast's sgemm on the sizes of lib.gemm.sgemm-*, on the first GPU of
 * OpenCL, or the first device where there is no GPU.
 *
 *     bench/peers/run.py --device opencl:0 clblast        (libclblast-dev)
 *
 * Matrices are on the device; the time is that of a few products in the queue, until it is empty. The check
 * compares some rows with sums in double precision.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 7, CHECKED = 8, MOST = 4096, PLATFORMS = 16, DEVICES = 16 };

static void check(cl_int code, const char *what)
{
    if (code) {
        fprintf(stderr, "clblast_gemm: %s: error %d\n", what, code);
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static cl_device_id choose(cl_device_type type)
{
    cl_platform_id platforms[PLATFORMS];
    cl_device_id devices[DEVICES];
    cl_uint platform_count = 0, device_count = 0;
    check(clGetPlatformIDs(PLATFORMS, platforms, &platform_count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < platform_count; i++)
        if (!clGetDeviceIDs(platforms[i], type, DEVICES, devices, &device_count) && device_count)
            return devices[0];
    return NULL;
}

struct products {
    cl_command_queue queue;
    cl_mem a, b, c;
    size_t n;
};

static void multiply(struct products *products, int count)
{
    const size_t n = products->n;
    for (int i = 0; i < count; i++)
        check((cl_int)CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, n, n, n, 1,
                                   products->a, 0, n, products->b, 0, n, 0, products->c, 0, n,
                                   &products->queue, NULL),
              "CLBlastSgemm");
    check(clFinish(products->queue), "clFinish");
}

/* The error of the first rows of c, over their magnitude. */
static double error_of(const float *a, const float *b, const float *c, size_t n)
{
    double wrong = 0, all = 0;
    for (size_t i = 0; i < CHECKED; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += (double)a[i * n + k] * b[k * n + j];
            wrong += (sum - c[i * n + j]) * (sum - c[i * n + j]);
            all += sum * sum;
        }
    return sqrt(wrong / all);
}

static void measure(cl_context context, struct products *products, const char *name, const char *driver)
{
    const size_t n = products->n, bytes = sizeof(float) * n * n;
    float *host[3];
    cl_mem *const buffers[] = {&products->a, &products->b, &products->c};
    cl_int code;
    for (int m = 0; m < 3; m++) {
        host[m] = malloc(bytes);
        for (size_t i = 0; host[m] && i < n * n; i++)
            host[m][i] = (float)rand() / (float)RAND_MAX - 0.5f;
        *buffers[m] =
            clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, host[m], &code);
        check(code, "clCreateBuffer");
    }
    multiply(products, 1); /* builds the kernels */
    double begin = now();
    multiply(products, 1);
    const double once = now() - begin;
    const int count = once < 0.25 ? (int)(0.5 / once) : 2;
    printf("{\"case\": \"peer.clblast.sgemm-%zu\", \"device\": \"gpu\", \"device_name\": \"%s\", "
           "\"device_driver\": \"%s\", "
           "\"variant\": \"clblast\", \"precision\": \"fp32\", \"unit\": \"flop/s\", \"better\": \"higher\", "
           "\"samples\": [",
           n, name, driver);
    for (int sample = 0; sample < SAMPLES; sample++) {
        begin = now();
        multiply(products, count);
        printf("%s%.9g", sample ? ", " : "", 2.0 * (double)(n * n * n) * count / (now() - begin));
    }
    check(clEnqueueReadBuffer(products->queue, products->c, CL_TRUE, 0, bytes, host[2], 0, NULL, NULL),
          "a read");
    const double error = error_of(host[0], host[1], host[2], n);
    printf("], \"check\": \"%s\", \"error\": %.3g}\n", error <= 1e-5 ? "pass" : "fail", error);
    for (int m = 0; m < 3; m++) {
        clReleaseMemObject(*buffers[m]);
        free(host[m]);
    }
}

int main(void)
{
    cl_device_id device = choose(CL_DEVICE_TYPE_GPU);
    const size_t most = device ? MOST : MOST / 2; /* processors take seconds for the larger one */
    char name[256], driver[256];
    cl_int code;
    if (!device)
        device = choose(CL_DEVICE_TYPE_ALL);
    if (!device) {
        fprintf(stderr, "clblast_gemm: there is no OpenCL device\n");
        return 1;
    }
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    check(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL), "clGetDeviceInfo");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
    for (size_t n = MOST / 4; n <= most; n *= 2) {
        struct products products = {.queue = queue, .n = n};
        measure(context, &products, name, driver);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
