/** The paths and servers of the machine that a probe tries to reach. All belong to the test. */
export interface ProbeTargets {
  /** The home directory of the command, with secrets. */
  readonly home: string;
  /** The workspace, a repository. */
  readonly workspace: string;
  /** A directory outside the workspace, only for this attempt. */
  readonly outside: string;
  /** A TCP server that answers ESCAPED, and a UDP socket that listens. */
  readonly tcpPort: number;
  readonly udpPort: number;
  /** Servers on sockets that answer ESCAPED: beside the workspace, in it, and with an abstract name. */
  readonly outsideSocket: string;
  readonly workspaceSocket: string;
  readonly abstractSocket: string;
  /** A sleeping process, only for this attempt. */
  readonly pid: number;
}

/** The state of the machine after a probe. */
export interface ProbeEffects {
  /** The text of a file; empty if there is none. */
  read(file: string): string;
  exists(file: string): boolean;
  mode(file: string): number;
  readonly datagrams: number;
  readonly pidRuns: boolean;
}

/** One attempt to get out of the sandbox. It succeeds if its output contains ESCAPED, or by its effect. */
export interface Probe {
  readonly name: string;
  readonly command: (targets: ProbeTargets) => string;
  readonly effect?: (effects: ProbeEffects, targets: ProbeTargets) => boolean;
  /** Its group runs with a terminal as the standard input and output. */
  readonly hasTerminal?: true;
  /** False for root, whose processes no limit counts. */
  readonly forRoot?: false;
  /** Disturbs the whole machine, so that only the long tests try it. */
  readonly isLong?: true;
}

/** The attempts of a user. One command makes those of a group, one after the other. */
export function probeGroups(isRoot: boolean, isLong: boolean): readonly (readonly Probe[])[] {
  return GROUPS.map((group) =>
    group.filter(({ forRoot, isLong: onlyLong }) => (forRoot !== false || !isRoot) && (isLong || !onlyLong)),
  ).filter((group) => group.length > 0);
}

/** Prints what a socket answers. Perl starts in a tenth of the time of Node. */
const connect = (where: string): string =>
  `perl -MIO::Socket::UNIX -e 'alarm 8; print IO::Socket::UNIX->new(Peer => "${where}")->getline'`;

/** Attempts that need an attached process, by `ptrace`; the number of the call is that of the machine. */
const PTRACE = process.arch === 'arm64' ? 117 : 101;

/** The numbers of other calls of this machine. */
const CALLS =
  process.arch === 'arm64'
    ? { keyctl: 219, addKey: 217, ring: 425, readMemory: 270 }
    : { keyctl: 250, addKey: 248, ring: 425, readMemory: 310 };

/** Makes a call of the kernel, which escapes unless it fails. */
function systemCall(number: number, args: string): string {
  return `perl -e 'print "ESCAPED" if syscall(${number}, ${args}) >= 0'`;
}

/**
 * The attempts: each must succeed without the sandbox, and none within it. No attempt affects the others of its group.
 */
const GROUPS: readonly (readonly Probe[])[] = [
  // Writes outside the workspace, processes and the kernel, limits.
  [
    {
      name: 'write outside: a new file',
      command: ({ outside }) => `echo evil > ${outside}/new`,
      effect: ({ exists }, { outside }) => exists(`${outside}/new`),
    },
    {
      name: 'write outside: through a link in the workspace',
      command: ({ outside }) => `ln -s ${outside}/file link; echo evil >> link`,
      effect: ({ read }, { outside }) => read(`${outside}/file`).includes('evil'),
    },
    {
      name: 'write outside: through a hard link in the workspace',
      command: ({ outside }) => `ln ${outside}/file hard && echo evil >> hard`,
      effect: ({ read }, { outside }) => read(`${outside}/file`).includes('evil'),
    },
    {
      name: 'write outside: through /proc/self/root',
      command: ({ outside }) => `echo evil >> /proc/self/root${outside}/file`,
      effect: ({ read }, { outside }) => read(`${outside}/file`).includes('evil'),
    },
    {
      name: 'write outside: a rename',
      command: ({ outside }) => `mv ${outside}/file ${outside}/moved`,
      effect: ({ exists }, { outside }) => exists(`${outside}/moved`),
    },
    {
      name: 'write outside: permissions',
      command: ({ outside }) => `chmod 777 ${outside}/file`,
      effect: ({ mode }, { outside }) => (mode(`${outside}/file`) & 0o777) === 0o777,
    },
    {
      name: 'write outside: the settings of the shell',
      command: () => 'echo evil >> "$HOME/.bashrc"',
      effect: ({ read }, { home }) => read(`${home}/.bashrc`).includes('evil'),
    },
    { name: 'signal a process', command: ({ pid }) => `kill -KILL ${pid}`, effect: ({ pidRuns }) => !pidRuns },
    { name: 'see a process', command: ({ pid }) => `test -d /proc/${pid} && echo ESCAPED` },
    {
      name: 'ptrace a process',
      command: ({ pid }) => `perl -e 'print "ESCAPED" if syscall(${PTRACE}, 16, ${pid}, 0, 0) == 0'`,
    },
    {
      name: 'mount',
      command: () =>
        'mkdir -p m; { mount -t tmpfs none m && umount m || unshare -rm mount -t tmpfs none m; } && echo ESCAPED',
    },
    { name: 'read the keys of the kernel', command: () => systemCall(CALLS.keyctl, '0, -3, 1') },
    {
      name: 'add a key of the kernel',
      command: () => systemCall(CALLS.addKey, '(my $t = "user"), (my $n = "ybs"), (my $v = "x"), 1, -3'),
    },
    { name: 'open a ring of the kernel', command: () => systemCall(CALLS.ring, '1, my $p = chr(0) x 120') },
    { name: 'read the memory of a process', command: () => systemCall(CALLS.readMemory, '$$, 0, 0, 0, 0, 0') },
    { name: 'a nested user namespace', command: () => 'unshare -Ur true && echo ESCAPED' },
    {
      name: 'a program with the rights of the user, for others',
      command: () => `cp /bin/true own; chmod u+s own; perl -MFcntl -e 'sysopen(F, "made", O_CREAT | O_WRONLY, 06755)'`,
      effect: ({ exists, mode }, { workspace }) =>
        ['own', 'made']
          .map((name) => `${workspace}/${name}`)
          .some((file) => exists(file) && (mode(file) & 0o6000) !== 0),
    },
    {
      name: 'the right to more than 1100 processes',
      command: () => '[ "$(ulimit -Hu)" = unlimited ] || [ "$(ulimit -Hu)" -gt 1100 ] && echo ESCAPED',
      forRoot: false,
    },
    { name: 'fill /tmp', command: () => '[ "$(df -k --output=size /tmp | tail -1)" -gt 1048576 ] && echo ESCAPED' },
    { name: 'a file of 9 GB', command: () => 'truncate -s 9G big && echo ESCAPED; rm -f big' },
  ],
  // Reads of secrets.
  [
    { name: 'read a secret: a key', command: () => 'cat "$HOME/.ssh/id_rsa"' },
    { name: 'read a secret: passwords', command: () => 'cat "$HOME/.netrc"' },
    { name: 'read a secret: through /proc/self/root', command: ({ home }) => `cat /proc/self/root${home}/.ssh/id_rsa` },
    { name: 'read a secret: through a hard link', command: () => 'ln "$HOME/.netrc" hard; cat hard' },
    { name: 'read a secret: in the workspace', command: () => 'cat .env' },
    { name: 'read a secret: the target of a link with its name', command: () => 'cat settings.txt' },
    { name: 'read a secret: of a shell', command: () => 'cat .envrc' },
    { name: 'read a secret: in a moved directory', command: () => 'mv keys moved; cat moved/server.pem' },
    { name: 'read a secret: a blocked path', command: () => 'cat "$HOME/.config/token"' },
    {
      name: 'read a secret: environments of processes',
      command: ({ pid }) =>
        `cat /proc/1/environ /proc/$PPID/environ /proc/${pid}/environ /proc/[0-9]*/environ | tr '\\0' '\\n' | grep '^PROBE_SECRET='`,
    },
  ],
  // The network.
  [
    { name: 'network: tcp', command: ({ tcpPort }) => `cat < /dev/tcp/127.0.0.1/${tcpPort}` },
    {
      name: 'network: udp',
      command: ({ udpPort }) => `echo evil > /dev/udp/127.0.0.1/${udpPort}; sleep 0.1`,
      effect: ({ datagrams }) => datagrams > 0,
    },
    { name: 'network: a socket outside', command: ({ outsideSocket }) => connect(outsideSocket) },
    { name: 'network: a socket in the workspace', command: () => connect('server.sock') },
    {
      name: 'network: a socket bound by a relative name, renamed',
      command: ({ workspaceSocket }) => `mv ${workspaceSocket}.relative renamed.sock; ${connect('renamed.sock')}`,
    },
    {
      name: 'network: a socket through a hard link',
      command: ({ workspaceSocket }) => `ln ${workspaceSocket}.linked hard.sock; ${connect('hard.sock')}`,
    },
    {
      name: 'network: a socket of datagrams',
      // Such a pair can send to the address of any server.
      command: () => `perl -MSocket -e 'socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) and print "ESCAPED"'`,
    },
    {
      name: 'network: a socket of virtual machines',
      command: () => `perl -MSocket -e 'socket(my $s, 40, SOCK_STREAM, 0) and print "ESCAPED"'`,
    },
    {
      name: 'network: an abstract socket',
      command: ({ abstractSocket }) => connect(`\\0${abstractSocket}`),
    },
  ],
  // Files that other programs run or use as settings. An attempt that replaces a directory is in another group than
  // those below it.
  [
    {
      name: 'replace .git',
      command: () => 'mv .git old && mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit',
      effect: ({ read }, { workspace }) => read(`${workspace}/.git/hooks/pre-commit`).includes('evil'),
    },
    {
      name: 'write a hook in the directory that the repository names',
      command: () => 'echo evil >> scripts/checks/pre-commit',
      effect: ({ read }, { workspace }) => read(`${workspace}/scripts/checks/pre-commit`).includes('evil'),
    },
    {
      name: 'change the configuration of ybs',
      command: () => 'echo evil > .ybs.json; rm -f .ybs.json; echo evil > .ybs.json',
      effect: ({ read }, { workspace }) => read(`${workspace}/.ybs.json`).includes('evil'),
    },
    {
      name: 'change a tool of the project',
      command: () => 'echo evil > tools/lint; mv tools old; mkdir tools; echo evil > tools/lint',
      effect: ({ read }, { workspace }) => read(`${workspace}/tools/lint`).includes('evil'),
    },
    {
      name: 'change a workflow',
      command: () => 'mv .github old; mkdir -p .github/workflows; echo evil > .github/workflows/ci.yml',
      effect: ({ read }, { workspace }) => read(`${workspace}/.github/workflows/ci.yml`).includes('evil'),
    },
    {
      name: 'change the tasks of an editor',
      command: () => 'echo evil > .vscode/tasks.json',
      effect: ({ read }, { workspace }) => read(`${workspace}/.vscode/tasks.json`).includes('evil'),
    },
  ],
  [
    {
      name: 'write a hook',
      command: () => 'echo evil > .git/hooks/pre-commit',
      effect: ({ read }, { workspace }) => read(`${workspace}/.git/hooks/pre-commit`).includes('evil'),
    },
    {
      name: 'change the settings of git',
      command: () => 'git config core.hooksPath evil',
      effect: ({ read }, { workspace }) => read(`${workspace}/.git/config`).includes('evil'),
    },
    {
      name: 'replace the parent of that directory',
      command: () => 'mv scripts old && mkdir -p scripts/checks && echo evil > scripts/checks/pre-commit',
      effect: ({ read }, { workspace }) => read(`${workspace}/scripts/checks/pre-commit`).includes('evil'),
    },
  ],
  [
    {
      name: 'replace the directory of hooks',
      command: () => 'mv .git/hooks old && mkdir .git/hooks && echo evil > .git/hooks/pre-commit',
      effect: ({ read }, { workspace }) => read(`${workspace}/.git/hooks/pre-commit`).includes('evil'),
    },
  ],
  // The terminal.
  [
    {
      name: 'type into the terminal',
      // TIOCSTI; some kernels refuse it, so that the open terminal counts.
      command: () =>
        `perl -e 'open(T, "+<", "/dev/tty") or exit 1; my $c = "x"; ioctl(T, 0x5412, $c); print "ESCAPED"'`,
      hasTerminal: true,
    },
  ],
  [
    {
      name: 'a fork bomb of 1100 processes',
      isLong: true,
      command: () =>
        `perl -e 'for (1..1100) { my $p = fork; exit 1 unless defined $p; if (!$p) { sleep 2; exit } } print "ESCAPED"'`,
      forRoot: false,
    },
  ],
];

/** Ways of a command to start a process that may outlive it. `mark` is the argument by which the test finds it. */
export const SURVIVORS: readonly (readonly [name: string, command: (mark: string) => string])[] = [
  ['in the background', (mark) => `sleep ${mark} &`],
  ['with nohup', (mark) => `nohup sleep ${mark} > /dev/null 2>&1 &`],
  ['with setsid', (mark) => `setsid sleep ${mark} > /dev/null 2>&1 &`],
  ['that ignores signals', (mark) => `(trap '' TERM HUP INT; setsid sleep ${mark}) &`],
  ['that keeps the output', (mark) => `setsid sh -c 'sleep ${mark}; true' &`],
  [
    'forked twice',
    (mark) => `perl -e 'use POSIX; exit 0 if fork; POSIX::setsid(); exit 0 if fork; exec "sleep", "${mark}"'`,
  ],
];

/** The ways that are tried while the agent itself is killed, each with a process of Node.js; the long tests try more. */
export function killedAgents(isLong: boolean): typeof SURVIVORS {
  return SURVIVORS.slice(isLong ? -2 : -1);
}
