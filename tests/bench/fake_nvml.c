/* In place of NVML: one GPU at 0000:65:00.0, which takes 2.5 J between two readings, and 350 W at 1.2 GHz,
 * since it has 83 degrees. */
int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *millijoules);
int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *megahertz);
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts);
int nvmlDeviceGetTemperature(void *device, int kind, unsigned *celsius);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons);

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

/* Sets a number if the device is the GPU and the kind, if any, the right one. */
static int give(const void *device, int kind, int wanted, unsigned number, unsigned *out)
{
    if (users != 1 || device != &counter || kind != wanted)
        return NOT_BEGUN;
    *out = number;
    return 0;
}

int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *megahertz)
{
    return give(device, kind, 1, 1200, megahertz);
}

int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts)
{
    return give(device, 0, 0, 350000, milliwatts);
}

int nvmlDeviceGetTemperature(void *device, int kind, unsigned *celsius)
{
    return give(device, kind, 0, 83, celsius);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *reasons)
{
    unsigned bits = 0;
    const int code = give(device, 0, 0, 0x24, &bits);
    *reasons = bits;
    return code;
}
