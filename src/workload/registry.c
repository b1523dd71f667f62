/* What the library holds: its workloads and the contracts of its kernel files. Each list ends with NULL, so a
 * line can be added or taken out without touching another. */
#include <shoal/workload.h>
#include <string.h>

extern const struct shoal_workload gas_workload, pso_workload;

static const struct shoal_workload *const workloads[] = {
    &pso_workload,
    &gas_workload,
    NULL,
};

extern const struct shoal_program_desc pso_best_program, pso_fused_program, pso_island_program,
    pso_move_program, pso_onchip_program;

extern const struct shoal_program_desc philox_program, reduce_program, scan_program, scan_blocks_program,
    scan_serial_program, sort_program, sort_serial_program;

extern const struct shoal_program_desc measure_copy_program, measure_empty_program, measure_fma_program,
    measure_sfu_program;

extern const struct shoal_program_desc eval_data_program, eval_dimension_program, eval_rows_program,
    eval_whole_program;

extern const struct shoal_program_desc gas_allpairs_program, gas_motion_program, gas_observe_program;
extern const struct shoal_program_desc gas_list_build_program, gas_list_build_serial_program,
    gas_list_run_program, gas_list_step_program, gas_sort_program, gas_sort_group_program,
    gas_sort_serial_program;
extern const struct shoal_program_desc gas_ladder_program;
extern const struct shoal_program_desc gas_cells_far_program, gas_cells_near_program, gas_cells_sort_program;

static const struct shoal_program_desc *const programs[] = {
    &gas_ladder_program,
    &gas_allpairs_program,
    &gas_cells_far_program,
    &gas_cells_near_program,
    &gas_cells_sort_program,
    &gas_list_build_program,
    &gas_list_build_serial_program,
    &gas_list_run_program,
    &gas_list_step_program,
    &gas_motion_program,
    &gas_observe_program,
    &gas_sort_program,
    &gas_sort_group_program,
    &gas_sort_serial_program,
    &eval_data_program,
    &eval_dimension_program,
    &eval_rows_program,
    &eval_whole_program,
    &philox_program,
    &reduce_program,
    &scan_program,
    &scan_blocks_program,
    &scan_serial_program,
    &sort_program,
    &sort_serial_program,
    &pso_best_program,
    &pso_fused_program,
    &pso_island_program,
    &pso_move_program,
    &pso_onchip_program,
    &measure_copy_program,
    &measure_empty_program,
    &measure_fma_program,
    &measure_sfu_program,
    NULL,
};

size_t shoal_workload_count(void)
{
    return sizeof workloads / sizeof *workloads - 1;
}

const struct shoal_workload *shoal_workload_at(size_t index)
{
    return index < shoal_workload_count() ? workloads[index] : NULL;
}

const struct shoal_workload *shoal_workload_find(const char *name)
{
    for (size_t i = 0; name && i < shoal_workload_count(); i++)
        if (strcmp(workloads[i]->name, name) == 0)
            return workloads[i];
    return NULL;
}

size_t shoal_program_desc_count(void)
{
    return sizeof programs / sizeof *programs - 1;
}

const struct shoal_program_desc *shoal_program_desc_at(size_t index)
{
    return index < shoal_program_desc_count() ? programs[index] : NULL;
}
