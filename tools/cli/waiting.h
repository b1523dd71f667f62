/* How the threads of the host wait for each other. */
#ifndef SHOAL_TOOLS_WAITING_H
#define SHOAL_TOOLS_WAITING_H

/* Where other programs run, threads sleep while they wait: one that spins takes the core that the thread it
 * waits for needs. OpenMP reads its environment when it is loaded, before main, so the program starts itself
 * anew with OMP_WAIT_POLICY=passive; it returns where nothing else runs, the user has chosen a policy, or
 * that fails. First in main. */
void cli_wait_passively(char **argv);

#endif
