/* The source itself, as a module of its own. */
#include "../../src/compute/program/host/signal_stack.c"
