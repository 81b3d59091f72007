"""The numbers of the system calls that a child is denied, on x86-64 and on aarch64.

Written ``name:x86-64:aarch64``; a dash where that architecture lacks the call. The numbers are
those of the kernel's own tables (``unistd_64.h`` and ``asm-generic/unistd.h``) and never change.
"""

from __future__ import annotations

MACHINES = ("x86_64", "aarch64")
# The newest call that was looked at (mseal); a child is told that anything above does not exist.
NEWEST = 462

Numbers = tuple[int | None, int | None]


def _table(text: str) -> dict[str, Numbers]:
    rows = (entry.split(":") for entry in text.split())
    return {name: (_number(first), _number(second)) for name, first, second in rows}


def _number(text: str) -> int | None:
    return None if text == "-" else int(text)


# No socket at all: UDP and local sockets are ways out that Landlock does not close.
SOCKETS = _table(
    """
    socket:41:198 socketpair:53:199 connect:42:203 bind:49:200 listen:50:201 accept:43:202
    accept4:288:242 sendto:44:206 sendmsg:46:211 sendmmsg:307:269
    """
)
PROGRAMS = _table(
    """
    execve:59:221 execveat:322:281
    """
)
PROCESSES = _table(
    """
    fork:57:- vfork:58:-
    """
)
# Reaching into other processes of the same account, or sharing memory with them.
OTHER_PROCESSES = _table(
    """
    ptrace:101:117 process_vm_readv:310:270 process_vm_writev:311:271 process_madvise:440:440
    process_mrelease:448:448 kcmp:312:272 pidfd_open:434:434 pidfd_getfd:438:438
    pidfd_send_signal:424:424 rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240 tkill:200:130
    setpriority:141:140 ioprio_set:251:30 sched_setscheduler:144:119 sched_setparam:142:118
    sched_setattr:314:274 migrate_pages:256:238 move_pages:279:239 shmget:29:194 shmat:30:196
    shmctl:31:195 msgget:68:186 msgsnd:69:189 msgrcv:70:188 msgctl:71:187 semget:64:190
    semop:65:193 semtimedop:220:192 semctl:66:191 mq_open:240:180 mq_unlink:241:181
    """
)
# Changing the machine; and rings, which carry out calls that no filter sees.
KERNEL = _table(
    """
    bpf:321:280 perf_event_open:298:241 userfaultfd:323:282 io_uring_setup:425:425
    io_uring_enter:426:426 io_uring_register:427:427 mount:165:40 umount2:166:39
    pivot_root:155:41 chroot:161:51 move_mount:429:429 open_tree:428:428 fsopen:430:430
    fsconfig:431:431 fsmount:432:432 fspick:433:433 mount_setattr:442:442 unshare:272:97
    setns:308:268 name_to_handle_at:303:264 open_by_handle_at:304:265 fanotify_init:300:262
    kexec_load:246:104 kexec_file_load:320:294 init_module:175:105 finit_module:313:273
    delete_module:176:106 reboot:169:142 swapon:167:224 swapoff:168:225 acct:163:89
    quotactl:179:60 quotactl_fd:443:443 syslog:103:116 vhangup:153:58 sethostname:170:161
    setdomainname:171:162 settimeofday:164:170 clock_settime:227:112 clock_adjtime:305:266
    adjtimex:159:171 iopl:172:- ioperm:173:- modify_ldt:154:- personality:135:92
    lookup_dcookie:212:18 add_key:248:217 request_key:249:218 keyctl:250:219 seccomp:317:277
    memfd_secret:447:447 inotify_init:253:- inotify_init1:294:26 inotify_add_watch:254:27
    """
)
# Landlock does not cover these: a child could change mode, owner or times of the raw data.
ATTRIBUTES = _table(
    """
    chmod:90:- fchmod:91:52 fchmodat:268:53 fchmodat2:452:452 chown:92:- fchown:93:55
    lchown:94:- fchownat:260:54 setxattr:188:5 lsetxattr:189:6 fsetxattr:190:7
    removexattr:197:14 lremovexattr:198:15 fremovexattr:199:16 utime:132:- utimes:235:-
    futimesat:261:- utimensat:280:88
    """
)
# Allowed with the right first argument only.
GUARDED = _table(
    """
    clone:56:220 clone3:435:435 kill:62:129 tgkill:234:131 prlimit64:302:261
    sched_setaffinity:203:122 ioctl:16:29 fcntl:72:25
    """
)
# Requests on an open file that no reader needs: the flags of a file that may only be read (as
# FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR set them), words put into a terminal (TIOCSTI, TIOCLINUX).
FILE_REQUESTS = (0x40086602, 0x401C5820, 0x5412, 0x541C)
# A lease that holds up whoever opens the file, and word of what happens in a folder (F_NOTIFY).
FILE_CONTROLS = (1024, 1026)
