/* Programs that belong to no workload. */
#include "workload/workload.h"

extern const struct shoal_program_desc eval_data_program, eval_dimension_program, eval_genes_program,
    eval_rows_program, eval_whole_program, search_decode_program, search_island_program, search_round_program;
extern const struct shoal_program_desc fmm_cells_program, fmm_targets_program, fmm_tree_program;
extern const struct shoal_program_desc gather_program, gemm_program, gemm_serial_program, philox_program,
    reduce_program, scan_program, scan_blocks_program, scan_serial_program, sort_program, sort_serial_program,
    sort_sweep_program;
extern const struct shoal_program_desc measure_atomics_program, measure_chains_program, measure_copy_program,
    measure_empty_program, measure_fma_program, measure_local_program, measure_matrix_program,
    measure_memory_program, measure_sfu_program;

const struct shoal_program_desc *const shared_programs[] = {
    &eval_data_program,      &eval_dimension_program, &eval_genes_program,      &eval_rows_program,
    &eval_whole_program,     &search_decode_program,  &search_island_program,   &search_round_program,
    &fmm_cells_program,      &fmm_targets_program,    &fmm_tree_program,        &gather_program,
    &gemm_program,           &gemm_serial_program,    &philox_program,          &reduce_program,
    &scan_program,           &scan_blocks_program,    &scan_serial_program,     &sort_program,
    &sort_serial_program,    &sort_sweep_program,     &measure_atomics_program, &measure_chains_program,
    &measure_copy_program,   &measure_empty_program,  &measure_fma_program,     &measure_local_program,
    &measure_matrix_program, &measure_memory_program, &measure_sfu_program,     NULL,
};
