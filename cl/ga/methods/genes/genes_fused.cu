/* Native version of ga/methods/genes/genes_fused.cl: the same text, with the instructions of
 * ga/methods/genes/genes_native.cuh. */
#include "ga/methods/genes/genes_native.cuh"
#include "ga/methods/genes/genes_fused.cl"
