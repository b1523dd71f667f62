/* How the threads of the host wait for each other. */
#ifndef SHOAL_TOOLS_WAITING_H
#define SHOAL_TOOLS_WAITING_H

/* Where other programs run, threads sleep while they wait: one that spins takes the core that the thread it
 * waits for needs. OpenMP reads its environment when it is loaded, before main, so the program starts itself
 * anew with OMP_WAIT_POLICY=passive. Returns if nothing else runs, if the user has chosen a policy, or if the
 * start fails. Called first in main. */
void cli_wait_passively(char **argv);

#endif
