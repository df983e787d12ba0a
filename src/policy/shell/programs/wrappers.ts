import type { OptionGrammar } from './options.ts';

/** The command-line syntax of a program that runs the command in its operands. */
export interface Wrapper extends OptionGrammar {
  /** The number of operands before the command. */
  readonly operands?: number;
  /** Options that take the place of the operands before the command. */
  readonly operandOptions?: readonly string[];
  /** An operand may come before the options. */
  readonly leadingOperand?: true;
  /** `NAME=value` words may come before the command. */
  readonly assignments?: true;
  /** The program appends operands, for example from its input. */
  readonly appends?: true;
  /** The command is one script if it has spaces, and standard input or words after `:::` are its arguments. */
  readonly templates?: true;
  /** The operands are one script for the shell. */
  readonly joins?: true;
  /** The command is the name of a package, which may have a version: `rimraf@5`. */
  readonly packages?: true;
  /** Options with which the command is only looked up, not run. */
  readonly lookupOnly?: string;
  /** Options whose value is a script. */
  readonly script?: readonly string[];
  /** Options whose value is the directory that the command runs in. */
  readonly directory?: readonly string[];
}

const ARCHITECTURE: OptionGrammar = {
  short: 'BFILRSTXZv3',
  long: '32bit fdpic-funcptrs short-inode addr-compat-layout addr-no-randomize whole-seconds sticky-timeouts read-implies-exec mmap-page-zero 3gb 4gb uname-2.6 verbose',
};
const NPM: Wrapper = {
  short: 'yqsdgvp:c:w:C:',
  long: 'yes version no-install package= call= workspace= workspaces ws include-workspace-root prefix= silent quiet loglevel= offline prefer-offline prefer-online ignore-existing ignore-scripts registry= userconfig= cache= global',
  script: ['c', 'call'],
  directory: ['C', 'prefix'],
  packages: true,
};
const PNPM: Wrapper = {
  short: 'rswC:F:',
  long: 'recursive parallel filter= dir= silent package= workspace-root workspace-concurrency= aggregate-output stream if-present',
  directory: ['C', 'dir'],
  packages: true,
};
const YARN: Wrapper = { short: 'qsp:', long: 'package= quiet silent cwd=', directory: ['cwd'], packages: true };
const BUN: Wrapper = {
  short: 'p:',
  long: 'bun package= no-install verbose silent cwd=',
  directory: ['cwd'],
  packages: true,
};
const UV: Wrapper = {
  short: 'qvsmnp:w:',
  long: 'python= with-requirements= with-editable= from= project= directory= extra= all-extras group= only-group= no-group= all-groups env-file= no-env-file package= all-packages no-project isolated frozen locked no-sync dev no-dev only-dev active offline refresh no-cache quiet verbose module script',
  directory: ['directory'],
  packages: true,
};

/** The loader of dynamic programs, which has a name for each processor. */
const LOADER: Wrapper = {
  short: '',
  long: 'list verify inhibit-cache library-path= glibc-hwcaps-prepend= glibc-hwcaps-mask= inhibit-rpath= audit= preload= argv0=',
};

/** The programs that run the command in their operands. */
export const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  builtin: { short: '', long: '' },
  bunx: BUN,
  busybox: { short: '', long: '' },
  caffeinate: { short: 'disut:w:', long: '' },
  chroot: { short: '', long: 'groups= userspec= skip-chdir', operands: 1 },
  chrt: { short: 'abdfiormpRT:P:D:v', long: '', operands: 1 },
  command: { short: 'pvV', long: '', lookupOnly: 'vV' },
  corepack: { short: '', long: '' },
  cpulimit: { short: 'bfivzl:', long: 'limit= background foreground include-children verbose lazy' },
  'cross-env': { short: '', long: '', assignments: true },
  'dbus-run-session': { short: '', long: 'config-file= dbus-daemon=' },
  dotenv: { short: 'coe:v:p:', long: 'quiet', assignments: true },
  entr: { short: 'acdnprsxz', long: '', joins: true },
  env: {
    short: 'i0vu:C:P:S:a:',
    long: 'ignore-environment null debug unset= chdir= split-string= argv0= list-signal-handling',
    assignments: true,
    script: ['S', 'split-string'],
    directory: ['C', 'chdir'],
  },
  exec: { short: 'cla:', long: '' },
  fakeroot: { short: 'ul:s:i:b:', long: 'lib= faked= unknown-is-real fd-base=' },
  firejail: { short: '', long: 'quiet noprofile profile= net= private' },
  flock: {
    short: 'sexnuoFE:w:c:',
    long: 'shared exclusive nonblock unlock close timeout= conflict-exit-code= command= no-fork verbose',
    operands: 1,
    script: ['c', 'command'],
  },
  gosu: { short: '', long: '', operands: 1 },
  i386: ARCHITECTURE,
  ionice: { short: 'tc:n:p:P:u:', long: 'ignore classdata= pid= pgid= uid=' },
  'ld-linux-aarch64.so.1': LOADER,
  'ld-linux-x86-64.so.2': LOADER,
  'ld-linux.so.2': LOADER,
  'ld-musl-aarch64.so.1': LOADER,
  'ld-musl-x86_64.so.1': LOADER,
  'ld.so': LOADER,
  jobs: { short: 'lnprsx', long: '' },
  linux32: ARCHITECTURE,
  linux64: ARCHITECTURE,
  ltrace: { short: 'bcCfiLrStTa:A:D:e:F:l:n:o:p:s:u:w:x:X:', long: '' },
  nice: { short: '0123456789n:', long: 'adjustment=' },
  nohup: { short: '', long: '' },
  npx: NPM,
  nsenter: {
    short: 'aFZect:S:G:m::u::i::n::p::C::U::T::r::w::W:',
    long: 'all target= mount uts ipc net pid cgroup user time setuid= setgid= root wd wdns= no-fork preserve-credentials follow-context keep-caps env',
  },
  numactl: {
    short: 'abli:p:P:m:N:c:C:w:',
    long: 'all balancing localalloc interleave= preferred-many= membind= cpunodebind= physcpubind= weighted-interleave=',
  },
  parallel: {
    short: '0kuXmj:n:N:I:a:d:P:S:',
    long: 'jobs= halt= keep-group keep-order line-buffer tag',
    templates: true,
  },
  pnpx: PNPM,
  prlimit: {
    short: 'p:o:c::d::e::f::i::l::m::n::q::r::s::t::u::v::x::y::',
    long: 'pid= output= noheadings raw verbose core data nice fsize sigpending memlock rss nofile msgqueue rtprio stack cpu nproc as locks rttime',
  },
  proot: {
    short: '0nlHLr:b:m:q:w:k:i:v:R:S:p:',
    long: 'rootfs= bind= mount= qemu= pwd= cwd= kernel-release= root-id change-id= verbose= kill-on-exit link2symlink netcoop port=',
  },
  proxychains: { short: 'qf:', long: '' },
  proxychains4: { short: 'qf:', long: '' },
  runuser: {
    short: 'lmpfPTu:g:G:c:s:w:',
    long: 'user= group= supp-group= command= session-command= shell= login preserve-environment fast pty no-pty whitelist-environment=',
    operands: 1,
    operandOptions: ['u', 'user'],
    script: ['c', 'command', 'session-command'],
  },
  script: {
    short: 'aefqc:O:I:B:E:T:m:o:',
    long: 'command= quiet append flush return',
    operands: 1,
    script: ['c', 'command'],
  },
  setarch: { ...ARCHITECTURE, leadingOperand: true },
  setpriv: {
    short: 'd',
    long: 'dump clear-groups groups= init-groups keep-groups inh-caps= ambient-caps= bounding-set= no-new-privs pdeathsig= rgid= ruid= regid= reuid= egid= euid= reset-env securebits= selinux-label= apparmor-profile= landlock-access= landlock-rule= seccomp-filter= ptracer=',
  },
  setsid: { short: 'cfw', long: 'ctty fork wait' },
  sg: { short: '', long: '', operands: 1, joins: true },
  shx: { short: '', long: '' },
  'ssh-agent': { short: 'csDda:E:P:t:', long: '' },
  stdbuf: { short: 'i:o:e:', long: 'input= output= error=' },
  strace: { short: 'fFcCkvqrtTxywa:b:e:o:O:p:P:s:S:u:E:I:', long: '' },
  'su-exec': { short: '', long: '', operands: 1 },
  sudo: {
    short: 'AbEeHnPSkKVisu:g:C:c:D:h:p:R:r:T:t:U:',
    long: 'user= group= host= prompt= chdir= preserve-env login shell non-interactive stdin background set-home askpass',
    assignments: true,
  },
  'systemd-inhibit': { short: '', long: 'what= who= why= mode= list no-pager no-legend no-ask-password' },
  'systemd-run': {
    short: 'rdtPSqGvu:p:E:H:M:',
    long: 'user system scope unit= property= description= slice= slice-inherit remain-after-exit send-sighup service-type= uid= gid= nice= working-directory= same-dir setenv= pty pipe shell quiet collect wait no-block no-ask-password host= machine= on-active= on-boot= on-calendar= timer-property= expand-environment=',
    directory: ['working-directory'],
  },
  taskset: { short: 'apc', long: 'all-tasks pid cpu-list', operands: 1 },
  time: { short: 'apvqf:o:', long: 'portability append verbose quiet format= output=' },
  timeout: {
    short: 'fvps:k:',
    long: 'foreground verbose preserve-status signal= kill-after=',
    operands: 1,
  },
  torsocks: { short: 'diqu:p:P:a:', long: 'quiet isolate debug user= pass= address= port=' },
  toybox: { short: '', long: '' },
  unbuffer: { short: 'p', long: '' },
  uname26: ARCHITECTURE,
  unshare: { short: 'mupiUCnTrcfR:w:S:G:', long: 'fork map-root-user net pid mount root= wd=', directory: ['w', 'wd'] },
  uvx: UV,
  watch: {
    short: 'bcdegprtwxn:q:',
    long: 'interval= differences errexit chgexit exec no-title precise',
    joins: true,
  },
  x86_64: ARCHITECTURE,
  xargs: {
    short: '0rtpoxi::l::e::I:n:P:L:s:d:a:E:J:R:S:',
    long: 'null no-run-if-empty verbose interactive exit open-tty arg-file= delimiter= max-args= max-procs= max-lines= max-chars= process-slot-var= replace show-limits',
    appends: true,
  },
  'xvfb-run': {
    short: 'adle:f:n:p:s:w:',
    long: 'auto-servernum auto-display listen-tcp error-file= auth-file= server-num= xauth-protocol= server-args= wait=',
  },
};

const CONDA: WrapperSubcommands = {
  names: ['run'],
  wrapper: {
    short: 'n:p:v',
    long: 'name= prefix= cwd= verbose no-capture-output live-stream',
    directory: ['cwd'],
  },
};

/** Subcommands of a program that run the command in their operands. */
export interface WrapperSubcommands {
  readonly names: readonly string[];
  /** The options, which may stand before the subcommand, too. */
  readonly wrapper: Wrapper;
}

/** The programs with such subcommands. */
export const WRAPPER_SUBCOMMANDS: Readonly<Record<string, WrapperSubcommands>> = {
  npm: { names: ['exec', 'x'], wrapper: NPM },
  pnpm: { names: ['exec', 'dlx'], wrapper: PNPM },
  yarn: { names: ['exec', 'dlx'], wrapper: YARN },
  bun: { names: ['x'], wrapper: BUN },
  uv: { names: ['run'], wrapper: UV },
  poetry: {
    names: ['run'],
    wrapper: {
      short: 'nqvC:P:',
      long: 'directory= project= no-interaction quiet verbose',
      directory: ['C', 'directory'],
    },
  },
  pipenv: { names: ['run'], wrapper: { short: 'qv', long: 'quiet verbose' } },
  bundle: { names: ['exec'], wrapper: { short: '', long: 'gemfile= keep-file-descriptors' } },
  asdf: { names: ['exec'], wrapper: { short: '', long: '' } },
  mise: {
    names: ['exec', 'x'],
    wrapper: { short: 'C:E:j:qvy', long: 'cd= env= jobs= quiet verbose yes', directory: ['C', 'cd'] },
  },
  conda: CONDA,
  mamba: CONDA,
  micromamba: CONDA,
  pixi: {
    names: ['run'],
    wrapper: { short: 'e:qvx', long: 'environment= manifest-path= frozen locked as-is quiet verbose executable' },
  },
  pyenv: { names: ['exec'], wrapper: { short: '', long: '' } },
  rbenv: { names: ['exec'], wrapper: { short: '', long: '' } },
  direnv: { names: ['exec'], wrapper: { short: '', long: '', operands: 1 } },
};

/** Builtins with an option that runs code, or has the name of a program mean another one. */
export const HIDING = /^(?:bind -\w*x|enable -\w*f|fc -(?!\w*l)|hash -\w*p|(?:mapfile|readarray) -\w*C)/;
