/* Rate of the matrix units. OpenCL C has no words for them, so this text only says so: out[0] is 0. matrix.cu measures
 * them: there out[0] is 1, and out[1 + i] is the sum of the numbers of work-item i after 4 * blocks steps.
 */
#ifndef WG
#define WG 256
#endif
/* Format of the factors: 0 tf32, 1 bf16, 2 fp16, with sums in fp32; 3 int8, with sums in int32. */
#ifndef FORMAT
#define FORMAT 2
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void measure_matrix(__global uint *out, uint ones, uint blocks)
{
    if (get_global_id(0) == 0)
        out[0] = 0;
}
