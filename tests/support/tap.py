"""Test cases in the Test Anything Protocol, which meson counts one by one."""
import shutil
import subprocess
import sys

count = 0
failures = 0


def case(name, problem=None):
    """Records a case; `problem` says what is wrong, None or "" that nothing is."""
    global count, failures
    count += 1
    print(f"{'not ok' if problem else 'ok'} {count} - {name}", flush=True)
    if problem:
        failures += 1
        for line in str(problem).rstrip().splitlines():
            print(f"# {line}", flush=True)


def skip(name, reason):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {reason}", flush=True)


def run(command, **options):
    """Runs a command: (its stdout, None) or (None, what went wrong)."""
    options = {"timeout": 300, **options}
    try:
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, errors="replace", check=False, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        return None, str(error)
    if done.returncode:
        words = " ".join(str(word) for word in command)
        return None, f"{words}\nended with {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    return done.stdout, None


def have(program):
    return shutil.which(program) is not None


def done():
    print(f"1..{count}")
    sys.exit(1 if failures else 0)
