/* Sums a million numbers with one of shoal's kernels from a plain OpenCL program; libshoal is not needed.
 *
 *     shoal kernels --dump kernels
 *     cc plain_opencl.c -lOpenCL -o plain_opencl
 *     ./plain_opencl kernels/lib/reduce.cl
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000000, GROUPS = 64 };

static void check(cl_int code, const char *call)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "%s failed with code %d\n", call, code);
    exit(1);
}

static char *read_file(const char *path)
{
    char *text = calloc(1, 1 << 20);
    FILE *file = fopen(path, "r");
    if (!text || !file || !fread(text, 1, (1 << 20) - 1, file)) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return text;
}

/* Writes to out[0 .. groups - 1] the partial sums, one for each work-group, of data[0 .. count - 1]. */
static void sum(cl_command_queue queue, cl_kernel kernel, cl_mem data, cl_mem out, cl_uint count,
                size_t groups)
{
    cl_device_id device;
    size_t group[3];
    const cl_ulong start = 0;
    check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL),
          "clGetCommandQueueInfo");
    check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof group, group,
                                   NULL),
          "clGetKernelWorkGroupInfo");
    check(clSetKernelArg(kernel, 0, sizeof data, &data), "clSetKernelArg");
    check(clSetKernelArg(kernel, 1, sizeof out, &out), "clSetKernelArg");
    check(clSetKernelArg(kernel, 2, sizeof start, &start), "clSetKernelArg");
    check(clSetKernelArg(kernel, 3, sizeof start, &start), "clSetKernelArg");
    check(clSetKernelArg(kernel, 4, sizeof count, &count), "clSetKernelArg");
    const size_t items = groups * group[0];
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, group, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
}

int main(int argc, char **argv)
{
    static float numbers[COUNT];
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)(i % 10);
    char *text = read_file(argc > 1 ? argv[1] : "kernels/lib/reduce.cl");

    cl_platform_id platform;
    cl_device_id device;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");

    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "-D WG=128", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "reduce_sum", &code);
    check(code, "clCreateKernel");

    cl_mem data = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    check(code, "clCreateBuffer");
    cl_mem partial = clCreateBuffer(context, 0, GROUPS * sizeof(float), NULL, &code);
    check(code, "clCreateBuffer");
    cl_mem total = clCreateBuffer(context, 0, sizeof(float), NULL, &code);
    check(code, "clCreateBuffer");
    float result = 0;
    sum(queue, kernel, data, partial, COUNT, GROUPS);
    sum(queue, kernel, partial, total, GROUPS, 1);
    check(clEnqueueReadBuffer(queue, total, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    printf("sum %.0f\n", result);

    clReleaseMemObject(total);
    clReleaseMemObject(partial);
    clReleaseMemObject(data);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(text);
    return 0;
}
