/* In place of NVML: one GPU at 0000:65:00.0, which takes 2.5 J between two readings. */
int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);

enum { NOT_FOUND = 6, NOT_BEGUN = 1 };
static int users;
static unsigned long long counter = 7000;

int nvmlInit_v2(void)
{
    users++;
    return 0;
}

int nvmlShutdown(void)
{
    users--;
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device)
{
    static const char own[] = "00000000:65:00.0";
    for (unsigned i = 0; i < sizeof own; i++)
        if (address[i] != own[i])
            return NOT_FOUND;
    *device = &counter;
    return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules)
{
    if (users != 1 || device != &counter)
        return NOT_BEGUN;
    *millijoules = counter;
    counter += 2500;
    return 0;
}
