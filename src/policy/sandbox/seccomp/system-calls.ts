/** The processors whose system calls the filter knows, by the names of Node.js. */
export type Processor = 'x64' | 'arm64';

/** `AUDIT_ARCH_*` of linux/audit.h: the entry that 64-bit programs use. The 32-bit entries have other values. */
export const ARCHITECTURES: Readonly<Record<Processor, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 };

/** The bit of the numbers of x32, the other entry of x86-64: `__X32_SYSCALL_BIT`. */
export const X32_BIT = 0x4000_0000;

/**
 * The numbers of the system calls that the filter names: of arch/x86 unistd_64.h, and of asm-generic/unistd.h, which leaves
 * out some older calls.
 */
export const SYSTEM_CALLS = {
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
  ioctl: { x64: 16, arm64: 29 },
  clone: { x64: 56, arm64: 220 },
  clone3: { x64: 435, arm64: 435 },
  unshare: { x64: 272, arm64: 97 },
  setns: { x64: 308, arm64: 268 },
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  keyctl: { x64: 250, arm64: 219 },
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  userfaultfd: { x64: 323, arm64: 282 },
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  mount_setattr: { x64: 442, arm64: 442 },
  chmod: { x64: 90, arm64: undefined },
  fchmod: { x64: 91, arm64: 52 },
  fchmodat: { x64: 268, arm64: 53 },
  fchmodat2: { x64: 452, arm64: 452 },
  open: { x64: 2, arm64: undefined },
  creat: { x64: 85, arm64: undefined },
  openat: { x64: 257, arm64: 56 },
  openat2: { x64: 437, arm64: 437 },
  mknod: { x64: 133, arm64: undefined },
  mknodat: { x64: 259, arm64: 33 },
} as const satisfies Readonly<Record<string, Readonly<Record<Processor, number | undefined>>>>;

export type SystemCall = keyof typeof SYSTEM_CALLS;
