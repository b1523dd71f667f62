/* Values that approach their own numbers: in each step value i comes nearer to i by a part of what is missing. */
#ifndef WG
#define WG 64
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1)))
void toy_approach(__global float *values, uint count, float rate, uint steps)
{
    const uint i = (uint)get_global_id(0);
    if (i >= count)
        return;
    float value = values[i];
    for (uint s = 0; s < steps; s++)
        value += rate * ((float)i - value);
    values[i] = value;
}
