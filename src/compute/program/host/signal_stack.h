/* Private: a stack for signal handlers of the calling thread. */
#ifndef SHOAL_COMPUTE_SIGNAL_STACK_H
#define SHOAL_COMPUTE_SIGNAL_STACK_H

/* Gives the calling thread a signal stack (sigaltstack), unless it has one. A handler with SA_ONSTACK then
 * runs even if the stack of the thread is full, as after an endless recursion. To be called before code of a
 * user; only the first call of a thread takes time. */
void signal_stack_provide(void);

#endif
