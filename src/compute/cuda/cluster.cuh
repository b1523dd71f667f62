/* For native versions: a cluster of GROUPS work-groups (compute capability 9.0 on), whose local memory all of them can
 * write to. The kernel defines GROUPS before; with 1 there is no cluster. It may define CLUSTER_BOUNDS, which says
 * how many groups of a cluster share a multiprocessor, and so how many registers a work-item may have. */
#ifndef SHOAL_CLUSTER_CUH
#define SHOAL_CLUSTER_CUH

#ifndef CLUSTER_BOUNDS
#define CLUSTER_BOUNDS(items) launch_bounds(items)
#endif

#if GROUPS > 1
#undef reqd_work_group_size
#define reqd_work_group_size(x, y, z) CLUSTER_BOUNDS((x) * (y) * (z)), cluster_dims(GROUPS, 1, 1)

static void wait_for_all()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
#define WAIT_FOR_ALL() wait_for_all()
#else
#define WAIT_FOR_ALL() __syncthreads()
#endif

#endif
