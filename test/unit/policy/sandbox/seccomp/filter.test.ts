import { describe, expect, it } from 'vitest';
import { assemble, end, ifEqual, loadNumber } from '../../../../../src/policy/sandbox/seccomp/bpf.ts';
import { socketFilter } from '../../../../../src/policy/sandbox/seccomp/filter.ts';
import { SOCKET_FILTERS } from '../../../../../src/policy/sandbox/seccomp/filters.data.ts';
import { disassemble, runFilter } from '../../../../support/sandbox/bpf-machine.ts';

/** `AUDIT_ARCH_X86_64`, `AUDIT_ARCH_AARCH64`, and those of their 32-bit entries, of linux/audit.h. */
const ARCH = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003, arm: 0x40000028 } as const;

/** The numbers of the calls here, of Linux 6.12: arch/x86/entry/syscalls/syscall_64.tbl and scripts/syscall.tbl. */
const CALLS = {
  read: [0, 63],
  write: [1, 64],
  execve: [59, 221],
  connect: [42, 203],
  openat: [257, 56],
  futex: [202, 98],
  socket: [41, 198],
  socketpair: [53, 199],
  ioctl: [16, 29],
  clone: [56, 220],
  clone3: [435, 435],
  unshare: [272, 97],
  setns: [308, 268],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  userfaultfd: [323, 282],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  open_by_handle_at: [304, 265],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  mknodat: [259, 33],
  openat2: [437, 437],
} as const satisfies Record<string, readonly [x64: number, arm64: number]>;

const ANSWERS = { allow: 0x7fff0000, EPERM: 0x50001, ENOSYS: 0x50026, EAFNOSUPPORT: 0x50061, kill: 0x80000000 };
type Answer = keyof typeof ANSWERS;
type Row = readonly [call: keyof typeof CALLS, args: readonly number[], answer: Answer];

const [UNIX, INET, INET6, NETLINK, PACKET, BLUETOOTH, ALG, VSOCK] = [1, 2, 10, 16, 17, 31, 38, 40];
const [STREAM, DATAGRAM, RAW, SEQPACKET, CLOEXEC, NONBLOCK] = [1, 2, 3, 5, 0x80000, 0x800];
/** Bits that the kernel drops, because the argument is an `int`. */
const HIGH = 2 ** 32;

/** The limits of every command. */
const ROWS: readonly Row[] = [
  ...(['read', 'write', 'execve', 'connect', 'openat', 'futex'] as const).map((name): Row => [name, [], 'allow']),
  ['socket', [INET, STREAM | CLOEXEC], 'allow'],
  ['socket', [INET6, DATAGRAM], 'allow'],
  ['socket', [NETLINK, RAW], 'allow'],
  ...[PACKET, BLUETOOTH, ALG, VSOCK, 0, -1].map((family): Row => ['socket', [family, STREAM], 'EAFNOSUPPORT']),
  ['socketpair', [UNIX, STREAM], 'allow'],
  ['socketpair', [UNIX, STREAM | CLOEXEC | NONBLOCK], 'allow'],
  ['socketpair', [UNIX, SEQPACKET], 'allow'],
  ['socketpair', [INET, STREAM], 'EAFNOSUPPORT'],
  ['ioctl', [0, 0x5401], 'allow'],
  ['ioctl', [0, 0x5412], 'EPERM'],
  ['ioctl', [0, HIGH + 0x5412], 'EPERM'],
  ['ioctl', [0, 0x541c], 'EPERM'],
  ...[0x5000_9401, 0x5000_9417, 0x4020_bc10].map((snapshot): Row => ['ioctl', [0, snapshot], 'EPERM']),
  // A thread of glibc; a fork; and each CLONE_NEW*.
  ['clone', [0x3d0f00], 'allow'],
  ['clone', [0x1200011], 'allow'],
  ...[0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000].flatMap((flag): Row[] => [
    ['clone', [flag | 17], 'EPERM'],
    ['unshare', [flag], 'EPERM'],
  ]),
  ['unshare', [0x80], 'EPERM'],
  ['unshare', [0x600], 'allow'],
  ['clone3', [], 'ENOSYS'],
  ['openat2', [], 'ENOSYS'],
  // S_ISUID and S_ISGID, with O_CREAT, with O_TMPFILE, and where the mode means nothing
  ...[0o4000, 0o2000, 0o6755].flatMap((mode): Row[] => [
    ['mknodat', [0, 0, mode], 'EPERM'],
    ['openat', [0, 0, 0o101, mode], 'EPERM'],
    ['openat', [0, 0, 0o20200002, HIGH + mode], 'EPERM'],
    ['openat', [0, 0, 0o1, mode], 'allow'],
  ]),
  ...(['fchmodat', 'fchmodat2'] as const).map((name): Row => [name, [0, 0, 0o6755], 'EPERM']),
  ['fchmod', [0, HIGH + 0o4000], 'EPERM'],
  ['fchmod', [0, 0o3777], 'allow'],
  ['fchmodat', [0, 0, 0o755], 'allow'],
  ['openat', [0, 0, 0o101, 0o666], 'allow'],
  ...(
    [
      ...(['setns', 'ptrace', 'process_vm_readv', 'process_vm_writev', 'pidfd_getfd', 'add_key'] as const),
      ...(['request_key', 'keyctl', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
      ...(['userfaultfd', 'bpf', 'perf_event_open', 'open_by_handle_at', 'mount', 'umount2'] as const),
      ...(['pivot_root', 'open_tree', 'move_mount', 'fsopen', 'fsmount', 'fspick', 'mount_setattr'] as const),
    ] as const
  ).map((name): Row => [name, [], 'EPERM']),
];

/** The differences without and with sockets of this machine. */
const LOCAL_ROWS: readonly (readonly [...row: Row, granted: Answer])[] = [
  ['socket', [UNIX, STREAM], 'EAFNOSUPPORT', 'allow'],
  ['socket', [UNIX, DATAGRAM | CLOEXEC], 'EAFNOSUPPORT', 'allow'],
  ['socket', [HIGH + 1, STREAM], 'EAFNOSUPPORT', 'allow'],
  ['socketpair', [UNIX, DATAGRAM], 'EAFNOSUPPORT', 'allow'],
  ['socketpair', [UNIX, RAW | NONBLOCK], 'EAFNOSUPPORT', 'allow'],
];

describe.each(['x64', 'arm64'] as const)('the filter of system calls on %s', (processor) => {
  const answerOf = (
    local: boolean,
    number: number,
    args: readonly number[],
    architecture: number = ARCH[processor],
  ) => {
    const answer = runFilter(socketFilter(processor, local), { number, architecture, args: args.map(BigInt) });
    return Object.entries(ANSWERS).find(([, value]) => value === answer)?.[0] ?? answer;
  };
  const numberOf = (name: keyof typeof CALLS): number => CALLS[name][processor === 'x64' ? 0 : 1];

  it.each(ROWS)('answers %s %j with %s', (name, args, answer) => {
    expect([false, true].map((local) => answerOf(local, numberOf(name), args))).toEqual([answer, answer]);
  });

  it.each(LOCAL_ROWS)('answers %s %j with %s, and with %s if local sockets are granted', (name, args, ...answers) => {
    expect([false, true].map((local) => answerOf(local, numberOf(name), args))).toEqual(answers);
  });

  it('kills a call of another architecture, whose numbers mean other calls', () => {
    const others = Object.values(ARCH).filter((each: number) => each !== ARCH[processor]);
    expect(others.map((each) => answerOf(false, numberOf('read'), [], each))).toEqual(['kill', 'kill', 'kill']);
  });

  it('is the stored one, and a program that the kernel accepts', () => {
    for (const [name, isLocal] of [
      ['closed', false],
      ['local', true],
    ] as const) {
      const bytes = Buffer.from(SOCKET_FILTERS[processor][name], 'hex');
      expect([...bytes]).toEqual([...socketFilter(processor, isLocal)]);
      const lines = disassemble(bytes);
      expect(lines.length).toBeLessThan(160);
      expect(lines.slice(0, 3)).toEqual([
        '0: ld 0x4',
        `1: jeq 0x${ARCH[processor].toString(16)} ? 3 : 2`,
        '2: ret 0x80000000',
      ]);
      expect(lines.at(-1)).toBe(`${lines.length - 1}: ret 0x7fff0000`);
    }
  });
});

it('the filter of x86-64 knows the older calls that set a mode', () => {
  const architecture = ARCH.x64;
  const answers = [
    [90, [0n, 0o4755n]],
    [85, [0n, 0o4755n]],
    [133, [0n, 0o4755n]],
    [2, [0n, 0o101n, 0o4755n]],
    [2, [0n, 0o1n, 0o4755n]],
  ] as const;
  expect(
    answers.map(([number, args]) => runFilter(socketFilter('x64', false), { number, architecture, args })),
  ).toEqual([...[ANSWERS.EPERM, ANSWERS.EPERM, ANSWERS.EPERM, ANSWERS.EPERM], ANSWERS.allow]);
});

it('the filter of x86-64 accepts no call of x32', () => {
  for (const number of [0x40000000, 0x40000000 + 41, 0x40000000 + 512, 0xffffffff])
    expect(runFilter(socketFilter('x64', true), { number, architecture: ARCH.x64 })).toBe(ANSWERS.ENOSYS);
});

it('a program with a jump or a length that the kernel rejects causes an error', () => {
  const long = Array.from({ length: 256 }, () => end(0));
  expect(() => assemble([loadNumber(), ...ifEqual(1, long), end(0)])).toThrow('A jump is too long.');
  expect(() => assemble(Array.from({ length: 4_097 }, () => end(0)))).toThrow('The program is too long.');
});
