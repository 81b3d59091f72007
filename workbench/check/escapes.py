"""Ways out of the sandbox, as a script tries them: each must be refused by the system.

One table: a name, and the code that succeeds only where the way is open. What is tried exists: a
refusal must not be mistaken for something that is not there.
"""

from __future__ import annotations

from collections.abc import Mapping

from workbench.walls.syscalls import KERNEL, MACHINES

# The names that the code may use; a probe fills them in.
PLACES = ("data", "records", "snapshots", "snapshot", "result", "secret", "key")

_LIBC = "ctypes.CDLL(None, use_errno=True)"


def _call(name: str, *arguments: str) -> str:
    """Return code that makes a system call whose number differs by machine."""
    numbers = {machine: KERNEL[name][at] for at, machine in enumerate(MACHINES)}
    words = ", ".join(arguments)
    return f"checked({_LIBC}.syscall({numbers!r}[os.uname().machine], {words}))"


ESCAPES: Mapping[str, str] = {
    "a descriptor that was left open": "os.fstat(3)",
    # Ways to send something out.
    "a connection": "socket.create_connection(('127.0.0.1', 9), 1)",
    "a datagram": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
    "a raw socket": "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
    "an abstract socket": "socket.socket(socket.AF_UNIX).bind('\\0a-name-of-nobody')",
    "a pair of sockets": "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    # Files that are none of its business.
    "a file elsewhere": "open(secret).read()",
    "a listing of the root": "os.listdir('/')",
    "accounts": "open('/etc/passwd').read()",
    "requests of a run": "os.listdir(os.path.join(records, 'requests'))",
    "the ledger of a run": "open(os.path.join(records, 'events.jsonl')).read()",
    "the view of a run": "open(os.path.join(records, 'run.json')).read()",
    "kept texts of a run": "os.listdir(os.path.join(records, 'full'))",
    "snapshots": "os.listdir(snapshots)",
    "a table that was not lent": "open(snapshot, 'rb').read()",
    "word of what others write": f"checked({_LIBC}.inotify_init())",
    "older word of what others write": "fcntl.fcntl(os.open('.', 0), 1026, 4)",
    # Data and results are to read only.
    "appending to the data": "open(data, 'a')",
    "truncating the data": "os.truncate(data, 0)",
    "renaming the data": "os.rename(data, data + '.old')",
    "taking the data away": "os.rename(data, 'mine.csv')",
    "removing the data": "os.remove(data)",
    "a second name for the data": "os.link(data, 'second.csv')",
    "the mode of the data": "os.chmod(data, 0o777)",
    "the times of the data": "os.utime(data, (0, 0))",
    "the owner of the data": "os.chown(data, 1, 1)",
    "a mark on the data": "os.setxattr(data, 'user.x', b'y')",
    "the flags of the data": "fcntl.ioctl(open(data), 0x40086602, bytes(8))",
    "a lease of the data": "fcntl.fcntl(open(data), fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "another result": "open(result, 'a')",
    "a new file beside the data": "open(data + '.new', 'w')",
    # Links and devices that would lead a later reader astray.
    "a link": "os.symlink('/etc/passwd', 'way-out')",
    "a pipe with a name": "os.mkfifo('pipe')",
    "a device": "os.mknod('device', 0o020600, os.makedev(1, 5))",
    # Other processes.
    "the parent's environment": "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    "the first process": "open('/proc/1/environ', 'rb').read()",
    "a signal to the parent": "os.kill(os.getppid(), 0)",
    "tracing the parent": f"checked({_LIBC}.ptrace(16, os.getppid(), 0, 0))",
    "a handle of the parent": "os.pidfd_open(os.getppid())",
    "the parent's priority": "os.setpriority(os.PRIO_PROCESS, os.getppid(), 19)",
    "the parent's limits": ("resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (9, 9))"),
    "the parent's processors": "os.sched_setaffinity(os.getppid(), {0})",
    "the parent's memory": "open(f'/proc/{os.getppid()}/mem', 'rb')",
    "reading the parent": f"checked({_LIBC}.process_vm_readv(os.getppid(), None, 0, None, 0, 0))",
    "a list of processes": "os.listdir('/proc')",
    "a terminal": "open('/dev/tty')",
    # Memory shared with others.
    "a semaphore": f"checked({_LIBC}.semget(78, 1, 0o1600))",
    "a queue": f"checked({_LIBC}.mq_open(b'/a-name-of-nobody', 64, 0o600, None))",
    "shared memory": "open('/dev/shm/a-name-of-nobody', 'w')",
    "older shared memory": f"checked({_LIBC}.shmget(77, 4096, 0o1600))",
    # The system.
    "a ring of calls": f"checked({_LIBC}.syscall(425, 8, ctypes.create_string_buffer(200)))",
    "faults of pages": _call("userfaultfd", "0"),
    "a program in the kernel": _call("bpf", "0", "None", "0"),
    "keys of the kernel": _call("keyctl", "0", "-3", "1"),
    "the clock": "time.clock_settime(time.CLOCK_REALTIME, time.time())",
    "the name of the machine": "socket.sethostname(socket.gethostname())",
    "a user namespace": f"checked({_LIBC}.unshare(0x10000000))",
    "a network namespace": f"checked({_LIBC}.unshare(0x40000000))",
    "a mount": f"checked({_LIBC}.mount(b'none', b'.', b'tmpfs', 0, None))",
    "another root": "os.chroot('.')",
    "another user": "os.setuid(12345) if os.getuid() == 0 else checked(-1)",
    # More of the machine than it may have.
    "eight gigabytes": "bytearray(8_000_000_000)",
    "a large file": "os.truncate(made('large'), 3_000_000_000)",
    "a thousand open files": "[open(os.devnull) for _ in range(1000)]",
    "higher limits": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
    # The key.
    "the key": "[1 for value in os.environ.values() if key in value][0]",
}

_FRAME = """
import ctypes, errno, fcntl, os, resource, socket, time
{places}
def checked(result):
    if result == -1:
        raise OSError(ctypes.get_errno() or 1, "refused")
def made(name):
    open(name, "w").close()
    return name
tries = {tries}
for name, code in tries.items():
    try:
        eval(code)
    except (OSError, MemoryError, IndexError, ValueError) as error:
        said = errno.errorcode.get(getattr(error, "errno", None) or 0, type(error).__name__)
        said = "refused " + said
    except Exception as error:
        said = "broke " + repr(error)
    else:
        said = "OPEN"
    with open("tmp/tries", "a") as file:
        file.write(name + ": " + said + chr(10))
if os.path.exists("large"):
    os.remove("large")
"""


def script(places: Mapping[str, str], names: object = None) -> str:
    """Return a script that tries every way and notes in ``tmp/tries`` what came of each.

    Parameters
    ----------
    places : mapping
        For each name in `PLACES`: a path that exists; for ``key`` a text that must not be found.
    names : collection of str, optional
        Which ways; all if left out.
    """
    wanted = set(ESCAPES) if names is None else set(names)  # type: ignore[call-overload]
    tries = {name: code for name, code in ESCAPES.items() if name in wanted}
    lines = "\n".join(f"{name} = {places[name]!r}" for name in PLACES)
    return _FRAME.format(places=lines, tries=repr(tries))
