import {
  assemble,
  end,
  type Instruction,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  keepBits,
  loadArchitecture,
  loadArgument,
  loadNumber,
  unlessEqual,
} from './bpf.ts';
import { ARCHITECTURES, type Processor, SYSTEM_CALLS, type SystemCall, X32_BIT } from './system-calls.ts';

/** The actions of linux/seccomp.h. */
const ACTIONS = { allow: 0x7fff_0000, refuse: 0x0005_0000, kill: 0x8000_0000 } as const;

/** The numbers of errors, equal on both processors. */
const ERRORS = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const;

function refuse(error: keyof typeof ERRORS): Instruction {
  return end(ACTIONS.refuse | ERRORS[error]);
}

/** The families of sockets: `AF_UNIX`, and those that a command may use: `AF_INET`, `AF_INET6` and `AF_NETLINK`. */
const UNIX = 1;
const NETWORK_FAMILIES = [2, 10, 16];

/** The bits of the type of a socket without its flags, and the types whose pairs can never be connected elsewhere. */
const TYPE_BITS = 0xf;
const STREAM = 1;
const SEQUENCED = 5;

/** `CLONE_NEW*` of new namespaces. In the flags of `clone`, the bit of time namespaces belongs to a signal. */
const NAMESPACES = 0x7e02_0000;
const TIME_NAMESPACE = 0x80;

/**
 * `ioctl` requests that type into a terminal (`TIOCSTI` and `TIOCLINUX`), or that copy a volume with the files that mounts
 * hide: two forms of `BTRFS_IOC_SNAP_CREATE`, and `BCH_IOCTL_SUBVOLUME_CREATE`.
 */
const REQUESTS = [0x5412, 0x541c, 0x5000_9401, 0x5000_9417, 0x4020_bc10];

/**
 * `S_ISUID` and `S_ISGID`: a program with one of them would run with the rights of the user or of a group of the user,
 * whoever starts it, and so would outlive the sandbox. Directories have the second one, too, so that it can be changed.
 */
const SET_USER_ID = 0o4000;
const SET_ID = 0o6000;

/** `O_CREAT` and `O_TMPFILE`. Without them, the mode of `open` is whatever the register contains. */
const CREATES = 0o20000100;

/** The calls that set a mode, with the index of their argument for it and the bits that it may not have. */
const MODES: readonly (readonly [name: SystemCall, index: number, bits: number])[] = [
  ['chmod', 1, SET_USER_ID],
  ['fchmod', 1, SET_USER_ID],
  ['fchmodat', 2, SET_USER_ID],
  ['fchmodat2', 2, SET_USER_ID],
  ['creat', 1, SET_ID],
  ['mknod', 1, SET_ID],
  ['mknodat', 2, SET_ID],
];

/** The calls that may create a file, with the index of their flags, which their mode follows. */
const OPENS = [
  ['open', 1],
  ['openat', 2],
] as const;

/** System calls that reach other processes, the keys of the user, mounts, or the kernel beside this filter. */
const REFUSED: readonly SystemCall[] = [
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd'] as const),
  ...(['add_key', 'request_key', 'keyctl'] as const),
  // Its operations, such as opening a socket, pass no filter.
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['userfaultfd', 'bpf', 'perf_event_open', 'open_by_handle_at'] as const),
  ...(['setns', 'mount', 'umount2', 'pivot_root'] as const),
  ...(['open_tree', 'move_mount', 'fsopen', 'fsmount', 'fspick', 'mount_setattr'] as const),
];

/**
 * The filter of the system calls of a sandboxed command. It refuses every socket that could reach a server of this machine
 * beside the network: those of D-Bus, agents, containers and screens, also without a path. With `localSockets`, a command
 * may have such sockets, and everything else stays refused. No file gets `S_ISUID`, and no new file `S_ISGID`. A program of another entry of
 * the kernel, such as a 32-bit one, is killed, because its calls have other numbers.
 */
export function socketFilter(processor: Processor, localSockets: boolean): Uint8Array {
  const on = (name: SystemCall, body: readonly Instruction[]): readonly Instruction[] => {
    const number = SYSTEM_CALLS[name][processor];
    return number === undefined ? [] : ifEqual(number, body);
  };
  const without = (bits: number, index: number): readonly Instruction[] => [
    loadArgument(index),
    ...ifAnyBit(bits, [refuse('EPERM')]),
  ];
  const allow = [end(ACTIONS.allow)];
  const families = localSockets ? [UNIX, ...NETWORK_FAMILIES] : NETWORK_FAMILIES;
  const pairTypes = [STREAM, SEQUENCED].flatMap((type) => ifEqual(type, allow));
  return assemble([
    loadArchitecture(),
    ...unlessEqual(ARCHITECTURES[processor], [end(ACTIONS.kill)]),
    loadNumber(),
    ...(processor === 'x64' ? ifAtLeast(X32_BIT, [refuse('ENOSYS')]) : []),
    ...on('socket', [loadArgument(0), ...families.flatMap((family) => ifEqual(family, allow)), refuse('EAFNOSUPPORT')]),
    // Node.js needs stream pairs as pipes. One of datagrams could send to any address.
    ...on('socketpair', [
      loadArgument(0),
      ...unlessEqual(UNIX, [refuse('EAFNOSUPPORT')]),
      ...(localSockets ? allow : [loadArgument(1), keepBits(TYPE_BITS), ...pairTypes, refuse('EAFNOSUPPORT')]),
    ]),
    ...on('ioctl', [loadArgument(1), ...REQUESTS.flatMap((request) => ifEqual(request, [refuse('EPERM')])), ...allow]),
    ...on('clone', [loadArgument(0), ...ifAnyBit(NAMESPACES, [refuse('EPERM')]), ...allow]),
    // Its flags are in memory, which a filter cannot read. The libraries of C then use `clone`.
    ...on('clone3', [refuse('ENOSYS')]),
    ...on('unshare', [loadArgument(0), ...ifAnyBit(NAMESPACES | TIME_NAMESPACE, [refuse('EPERM')]), ...allow]),
    ...OPENS.flatMap(([name, index]) =>
      on(name, [loadArgument(index), ...ifAnyBit(CREATES, without(SET_ID, index + 1)), ...allow]),
    ),
    ...MODES.flatMap(([name, index, bits]) => on(name, [...without(bits, index), ...allow])),
    // Its flags and mode are in memory. Programs then use `openat`.
    ...on('openat2', [refuse('ENOSYS')]),
    ...REFUSED.flatMap((name) => on(name, [refuse('EPERM')])),
    ...allow,
  ]);
}
