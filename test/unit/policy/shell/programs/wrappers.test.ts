import { describe, expect, it } from 'vitest';
import type { Places } from '../../../../../src/policy/shell/directories.ts';
import { WRAPPER_SUBCOMMANDS, WRAPPERS, type Wrapper } from '../../../../../src/policy/shell/programs/wrappers.ts';
import { checkCommand, parseBlockList } from '../../../../../src/policy/shell/shell-policy.ts';

const PLACES: Places = { workspace: '/w/app', workingDirectory: '/w/app', home: '/home/u', platform: 'posix' };
const BLOCK_LIST = parseBlockList(['forbidden']);
const typeOf = (command: string): string => checkCommand(command, BLOCK_LIST, PLACES).type;

const ARCHITECTURE =
  '-B -F -I -L -R -S -T -X -Z -v -3 --32bit --fdpic-funcptrs --short-inode --addr-compat-layout --addr-no-randomize --whole-seconds --sticky-timeouts --read-implies-exec --mmap-page-zero --3gb --4gb --uname-2.6 --verbose';

const LOADER =
  '--list --verify --inhibit-cache --library-path v --glibc-hwcaps-prepend v --glibc-hwcaps-mask v --inhibit-rpath v --audit v --preload v --argv0 v';
const LOADERS = [
  ...['ld-linux-aarch64.so.1', 'ld-linux-x86-64.so.2', 'ld-linux.so.2'],
  ...['ld-musl-aarch64.so.1', 'ld-musl-x86_64.so.1', 'ld.so'],
];

/**
 * The command lines of each wrapper, with all of its options. COMMAND stands for the command that it runs, and `v` for
 * any value.
 */
const CASES: Readonly<Record<string, readonly string[]>> = {
  builtin: ['builtin COMMAND'],
  bunx: ['bunx -p v --bun --package v --no-install --verbose --silent --cwd v COMMAND'],
  busybox: ['busybox COMMAND'],
  caffeinate: ['caffeinate -d -i -s -u -t v -w v COMMAND'],
  chroot: ['chroot --groups v --userspec v --skip-chdir v COMMAND'],
  chrt: ['chrt -a -b -d -f -i -o -r -m -p -R -T v -P v -D v -v v COMMAND'],
  command: ['command -p COMMAND'],
  corepack: ['corepack COMMAND', 'corepack npx COMMAND'],
  cpulimit: [
    'cpulimit -b -f -i -v -z -l v --limit v --background --foreground --include-children --verbose --lazy COMMAND',
  ],
  'cross-env': ['cross-env A=1 COMMAND'],
  'dbus-run-session': ['dbus-run-session --config-file v --dbus-daemon v COMMAND'],
  dotenv: ['dotenv -c -o -e v -v A=1 -p v --quiet B=1 COMMAND', 'dotenv -- COMMAND'],
  entr: ["entr -a -c -d -n -p -r -s -x -z 'COMMAND'", 'entr COMMAND'],
  env: [
    'env -i -0 -v -u v -C v -P v -a v --ignore-environment --null --debug --unset v --chdir v --argv0 v --list-signal-handling A=1 COMMAND',
    'env -S "COMMAND"',
    'env --split-string "COMMAND"',
  ],
  exec: ['exec -c -l -a v COMMAND'],
  fakeroot: ['fakeroot -u -l v -s v -i v -b v --lib v --faked v --unknown-is-real --fd-base v COMMAND'],
  firejail: ['firejail --quiet --noprofile --profile v --net v --private COMMAND'],
  flock: [
    'flock -s -e -x -n -u -o -F -E v -w v --shared --exclusive --nonblock --unlock --close --timeout v --conflict-exit-code v --no-fork --verbose v COMMAND',
    'flock -c "COMMAND"',
    'flock --command "COMMAND"',
  ],
  gosu: ['gosu v COMMAND'],
  i386: [`i386 ${ARCHITECTURE} COMMAND`],
  ionice: ['ionice -t -c v -n v -p v -P v -u v --ignore --class v --classdata v --pid v --pgid v --uid v COMMAND'],
  ...Object.fromEntries(LOADERS.map((name) => [name, [`/lib/${name} ${LOADER} COMMAND`]])),
  jobs: ['jobs -l -n -p -r -s -x COMMAND'],
  linux32: [`linux32 ${ARCHITECTURE} COMMAND`],
  linux64: [`linux64 ${ARCHITECTURE} COMMAND`],
  ltrace: [
    'ltrace -b -c -C -f -i -L -r -S -t -T -a v -A v -D v -e v -F v -l v -n v -o v -p v -s v -u v -w v -x v -X v COMMAND',
  ],
  nice: ['nice -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -n v --adjustment v COMMAND'],
  nohup: ['nohup COMMAND'],
  npx: [
    'npx -y -q -s -d -g -v -p v -w v -C v --yes --version --no --no-install --package v --workspace v --workspaces --ws --include-workspace-root --prefix v --silent --quiet --loglevel v --offline --prefer-offline --prefer-online --ignore-existing --ignore-scripts --registry v --userconfig v --cache v --global COMMAND',
    'npx -c "COMMAND"',
    'npx --call "COMMAND"',
  ],
  nsenter: [
    'nsenter -a -F -Z -e -c -t v -S v -G v -m -u -i -n -p -C -U -T -r -w -W v --all --target v --mount --uts --ipc --net --pid --cgroup --user --time --setuid v --setgid v --root --wd --wdns v --no-fork --preserve-credentials --follow-context --keep-caps --env COMMAND',
  ],
  numactl: [
    'numactl -a -b -l -i v -p v -P v -m v -N v -c v -C v -w v --all --balancing --localalloc --interleave v --preferred v --preferred-many v --membind v --cpunodebind v --physcpubind v --weighted-interleave v COMMAND',
  ],
  parallel: [
    'parallel -0 -k -u -X -m -j v -n v -N v -I v -a v -d v -P v -S v --jobs v --halt v --keep-group --keep-order --line-buffer --tag COMMAND',
  ],
  pnpx: [
    'pnpx -r -s -w -C v -F v --recursive --parallel --filter v --dir v --silent --package v --workspace-root --workspace-concurrency v --aggregate-output --stream --if-present COMMAND',
  ],
  prlimit: [
    'prlimit -p v -o v -c -d -e -f -i -l -m -n -q -r -s -t -u -v -x -y --pid v --output v --noheadings --raw --verbose --core --data --nice --fsize --sigpending --memlock --rss --nofile --msgqueue --rtprio --stack --cpu --nproc --as --locks --rttime COMMAND',
  ],
  proot: [
    'proot -0 -n -l -H -L -r v -b v -m v -q v -w v -k v -i v -v v -R v -S v -p v --rootfs v --bind v --mount v --qemu v --pwd v --cwd v --kernel-release v --root-id --change-id v --verbose v --kill-on-exit --link2symlink --netcoop --port v COMMAND',
  ],
  proxychains: ['proxychains -q -f v COMMAND'],
  proxychains4: ['proxychains4 -q -f v COMMAND'],
  runuser: [
    'runuser -l -m -p -f -P -T -g v -G v -s v -w v --group v --supp-group v --shell v --login --preserve-environment --fast --pty --no-pty --whitelist-environment v v COMMAND',
    'runuser -u v COMMAND',
    'runuser -c "COMMAND"',
    'runuser --user v COMMAND',
    'runuser --command "COMMAND"',
    'runuser --session-command "COMMAND"',
  ],
  script: [
    'script -a -e -f -q -O v -I v -B v -E v -T v -m v -o v --quiet --append --flush --return v COMMAND',
    'script -c "COMMAND"',
    'script --command "COMMAND"',
  ],
  setarch: [`setarch v ${ARCHITECTURE} COMMAND`, 'setarch v COMMAND', 'setarch -R COMMAND'],
  setpriv: [
    'setpriv -d --dump --clear-groups --groups v --init-groups --keep-groups --inh-caps v --ambient-caps v --bounding-set v --no-new-privs --pdeathsig v --rgid v --ruid v --regid v --reuid v --egid v --euid v --reset-env --securebits v --selinux-label v --apparmor-profile v --landlock-access v --landlock-rule v --seccomp-filter v --ptracer v COMMAND',
  ],
  setsid: ['setsid -c -f -w --ctty --fork --wait COMMAND'],
  sg: ["sg v 'COMMAND'"],
  shx: ['shx COMMAND'],
  'ssh-agent': ['ssh-agent -c -s -D -d -a v -E v -P v -t v COMMAND'],
  stdbuf: ['stdbuf -i v -o v -e v --input v --output v --error v COMMAND'],
  strace: [
    'strace -f -F -c -C -k -v -q -r -t -T -x -y -w -a v -b v -e v -o v -O v -p v -P v -s v -S v -u v -E v -I v COMMAND',
  ],
  'su-exec': ['su-exec v COMMAND'],
  sudo: [
    'sudo -A -b -E -e -H -n -P -S -k -K -V -i -s -u v -g v -C v -c v -D v -h v -p v -R v -r v -T v -t v -U v --user v --group v --host v --prompt v --chdir v --preserve-env --login --shell --non-interactive --stdin --background --set-home --askpass A=1 COMMAND',
  ],
  'systemd-inhibit': [
    'systemd-inhibit --what v --who v --why v --mode v --list --no-pager --no-legend --no-ask-password COMMAND',
  ],
  'systemd-run': [
    'systemd-run -r -d -t -P -S -q -G -v -u v -p v -E v -H v -M v --user --system --scope --unit v --property v --description v --slice v --slice-inherit --remain-after-exit --send-sighup --service-type v --uid v --gid v --nice v --working-directory v --same-dir --setenv v --pty --pipe --shell --quiet --collect --wait --no-block --no-ask-password --host v --machine v --on-active v --on-boot v --on-calendar v --timer-property v --expand-environment v COMMAND',
  ],
  taskset: ['taskset -a -p -c --all-tasks --pid --cpu-list v COMMAND'],
  time: ['/usr/bin/time -a -p -v -q -f v -o v --portability --append --verbose --quiet --format v --output v COMMAND'],
  timeout: ['timeout -f -v -p -s v -k v --foreground --verbose --preserve-status --signal v --kill-after v v COMMAND'],
  torsocks: [
    'torsocks -d -i -q -u v -p v -P v -a v --quiet --isolate --debug --user v --pass v --address v --port v COMMAND',
  ],
  toybox: ['toybox COMMAND'],
  unbuffer: ['unbuffer -p COMMAND'],
  uname26: [`uname26 ${ARCHITECTURE} COMMAND`],
  unshare: [
    'unshare -m -u -p -i -U -C -n -T -r -c -f -R v -w v -S v -G v --fork --map-root-user --net --pid --mount --root v --wd v COMMAND',
  ],
  uvx: [
    'uvx -q -v -s -m -n -p v -w v --python v --with v --with-requirements v --with-editable v --from v --project v --directory v --extra v --all-extras --group v --only-group v --no-group v --all-groups --env-file v --no-env-file --package v --all-packages --no-project --isolated --frozen --locked --no-sync --dev --no-dev --only-dev --active --offline --refresh --no-cache --quiet --verbose --module --script COMMAND',
  ],
  watch: [
    "watch -b -c -d -e -g -p -r -t -w -x -n v -q v --interval v --differences --errexit --chgexit --exec --no-title --precise 'COMMAND'",
  ],
  x86_64: [`x86_64 ${ARCHITECTURE} COMMAND`],
  xargs: [
    'xargs -0 -r -t -p -o -x -i -l -e -I v -n v -P v -L v -s v -d v -a v -E v -J v -R v -S v --null --no-run-if-empty --verbose --interactive --exit --open-tty --arg-file v --delimiter v --max-args v --max-procs v --max-lines v --max-chars v --process-slot-var v --replace --show-limits COMMAND',
  ],
  'xvfb-run': [
    'xvfb-run -a -d -l -e v -f v -n v -p v -s v -w v --auto-servernum --auto-display --listen-tcp --error-file v --auth-file v --server-num v --xauth-protocol v --server-args v --wait v COMMAND',
  ],
  'npm exec': [
    'npm exec -y -q -s -d -g -v -p v -w v -C v --yes --version --no --no-install --package v --workspace v --workspaces --ws --include-workspace-root --prefix v --silent --quiet --loglevel v --offline --prefer-offline --prefer-online --ignore-existing --ignore-scripts --registry v --userconfig v --cache v --global COMMAND',
    'npm exec -c "COMMAND"',
    'npm exec --call "COMMAND"',
  ],
  'npm x': [
    'npm x -y -q -s -d -g -v -p v -w v -C v --yes --version --no --no-install --package v --workspace v --workspaces --ws --include-workspace-root --prefix v --silent --quiet --loglevel v --offline --prefer-offline --prefer-online --ignore-existing --ignore-scripts --registry v --userconfig v --cache v --global COMMAND',
    'npm x -c "COMMAND"',
    'npm x --call "COMMAND"',
  ],
  'pnpm exec': [
    'pnpm exec -r -s -w -C v -F v --recursive --parallel --filter v --dir v --silent --package v --workspace-root --workspace-concurrency v --aggregate-output --stream --if-present COMMAND',
  ],
  'pnpm dlx': [
    'pnpm dlx -r -s -w -C v -F v --recursive --parallel --filter v --dir v --silent --package v --workspace-root --workspace-concurrency v --aggregate-output --stream --if-present COMMAND',
  ],
  'yarn exec': ['yarn exec -q -s -p v --package v --quiet --silent --cwd v COMMAND'],
  'yarn dlx': ['yarn dlx -q -s -p v --package v --quiet --silent --cwd v COMMAND'],
  'bun x': ['bun x -p v --bun --package v --no-install --verbose --silent --cwd v COMMAND'],
  'uv run': [
    'uv run -q -v -s -m -n -p v -w v --python v --with v --with-requirements v --with-editable v --from v --project v --directory v --extra v --all-extras --group v --only-group v --no-group v --all-groups --env-file v --no-env-file --package v --all-packages --no-project --isolated --frozen --locked --no-sync --dev --no-dev --only-dev --active --offline --refresh --no-cache --quiet --verbose --module --script COMMAND',
  ],
  'poetry run': ['poetry run -n -q -v -C v -P v --directory v --project v --no-interaction --quiet --verbose COMMAND'],
  'pipenv run': ['pipenv run -q -v --quiet --verbose COMMAND'],
  'bundle exec': ['bundle exec --gemfile v --keep-file-descriptors COMMAND'],
  'asdf exec': ['asdf exec COMMAND'],
  'direnv exec': ['direnv exec v COMMAND'],
  ...Object.fromEntries(
    ['conda', 'mamba', 'micromamba'].map((name) => [
      `${name} run`,
      [`${name} run -n v -p v -v --name v --prefix v --cwd v --verbose --no-capture-output --live-stream COMMAND`],
    ]),
  ),
  ...Object.fromEntries(
    ['mise exec', 'mise x'].map((words) => [
      words,
      [`${words} -C v -E v -j v -q -v -y --cd v --env v --jobs v --quiet --verbose --yes -- COMMAND`],
    ]),
  ),
  'pixi run': [
    'pixi run -e v -q -v -x --environment v --manifest-path v --frozen --locked --as-is --quiet --verbose --executable COMMAND',
  ],
  'pyenv exec': ['pyenv exec COMMAND'],
  'rbenv exec': ['rbenv exec COMMAND'],
};

const ROWS: Readonly<Record<string, Wrapper>> = {
  ...WRAPPERS,
  ...Object.fromEntries(
    Object.entries(WRAPPER_SUBCOMMANDS).flatMap(([program, { names, wrapper }]) =>
      names.map((name) => [`${program} ${name}`, wrapper]),
    ),
  ),
};

describe('every wrapper', () => {
  it('has a case', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(Object.keys(ROWS).toSorted());
  });

  it.each(Object.entries(ROWS))('has a case for every option of %s', (name, { short, long, lookupOnly = '' }) => {
    const words = new Set(CASES[name]?.join(' ').split(' '));
    const letters = [...short.replaceAll(':', '')].filter((letter) => !lookupOnly.includes(letter));
    const options = [...letters.map((letter) => `-${letter}`), ...optionNames(long)];
    expect(options.filter((option) => !words.has(option))).toEqual([]);
  });

  it.each(Object.values(CASES).flat())('runs the command in %s', (line) => {
    expect(typeOf(line.replace('COMMAND', 'forbidden x'))).toBe('blocked');
    expect(typeOf(line.replace('COMMAND', 'ls'))).toBe('unlisted');
    expect(typeOf(line.replace('COMMAND', 'echo forbidden'))).toBe('unlisted');
  });
});

function optionNames(long: string): readonly string[] {
  return long
    .split(' ')
    .filter((name) => name !== '')
    .map((name) => `--${name.replace('=', '')}`);
}

describe('a wrapper', () => {
  it.each([
    // the directory that the command runs in
    ['bun --cwd / x rm -r etc', 'blocked'],
    ['bun x --cwd / rm -r etc', 'blocked'],
    ['bunx --cwd / rm -r etc', 'blocked'],
    ['env -C / rm -r etc', 'blocked'],
    ['env --chdir=/ rm -r etc', 'blocked'],
    ['npx -C / rm -r etc', 'blocked'],
    ['npx --prefix / rm -r etc', 'blocked'],
    ['npm exec --prefix / -c "rm -r etc"', 'blocked'],
    ['npm --prefix / exec -- rm -r etc', 'blocked'],
    ['pnpm -C / exec rm -r etc', 'blocked'],
    ['pnpm exec --dir / rm -r etc', 'blocked'],
    ['poetry -C / run rm -r etc', 'blocked'],
    ['mise exec --cd / -- rm -r etc', 'blocked'],
    ['conda run --cwd / rm -r etc', 'blocked'],
    ['poetry run --directory / rm -r etc', 'blocked'],
    ['systemd-run --working-directory / rm -r etc', 'blocked'],
    ['unshare -w / rm -r etc', 'blocked'],
    ['unshare --wd / rm -r etc', 'blocked'],
    ['uv run --directory / rm -r etc', 'blocked'],
    ['yarn exec --cwd / rm -r etc', 'blocked'],
    ['env -C / -S "rm -r etc"', 'blocked'],
    ['env -C "$X" rm -r *', 'unclear'],
    ['env -C build rm -r *', 'unlisted'],
    ['env rm -r etc', 'unlisted'],
    // operands that the program appends
    ['xargs rm -r', 'unclear'],
    ['parallel rm -r', 'unclear'],
    ['env rm -r', 'unlisted'],
    // templates
    ['parallel', 'unclear'],
    ['parallel -j 2', 'unclear'],
    ['parallel forbidden ::: a b', 'blocked'],
    ['parallel "forbidden {}" ::: a b', 'blocked'],
    ['parallel "ls; forbidden" ::: a b', 'blocked'],
    ['parallel ls ";" forbidden ::: a b', 'blocked'],
    ['parallel "echo {} | forbidden" ::: a b', 'blocked'],
    ['parallel ::: "ls a" "forbidden b"', 'blocked'],
    ['parallel ::: "ls a" "ls b"', 'unlisted'],
    ['parallel "rm -rf {}" ::: a', 'unclear'],
    ['parallel "cp {1.} build/{2}" ::: a', 'unlisted'],
    ['parallel "gzip {}" ::: a', 'unlisted'],
    ['parallel "{}" ::: a', 'unclear'],
    ['parallel "convert {} {.}.png" ::: *.jpg', 'unlisted'],
    ['parallel "convert {} {.}.png" :::: "$X"', 'unlisted'],
    ['parallel :::+ forbidden', 'blocked'],
    ['parallel "gzip a; $X" ::: a', 'unclear'],
    ['parallel gzip "$X" ::: a', 'unlisted'],
    ['parallel "ls; gzip" "$X" ::: a', 'unclear'],
    // packages with versions
    ['npx forbidden@1', 'blocked'],
    ['npm x forbidden@latest', 'blocked'],
    ['pnpx forbidden@1', 'blocked'],
    ['pnpm dlx forbidden@1', 'blocked'],
    ['yarn dlx forbidden@1', 'blocked'],
    ['bunx forbidden@1', 'blocked'],
    ['bun x forbidden@1', 'blocked'],
    ['uvx forbidden@1', 'blocked'],
    ['npx @scope/forbidden@1', 'blocked'],
    ['npx @forbidden/x', 'unlisted'],
    ['npx "$TOOL"', 'unclear'],
    ['npx --version', 'unlisted'],
    ['env forbidden@1', 'unlisted'],
    // other forms
    ['command -v forbidden', 'unlisted'],
    ['command -V forbidden', 'unlisted'],
    ['env - forbidden', 'blocked'],
    ['runuser - v -c forbidden', 'blocked'],
    ['runuser v -c forbidden', 'blocked'],
    ['runuser v forbidden', 'blocked'],
    ['sg v -c forbidden', 'blocked'],
    ['npm $X', 'unclear'],
    ['npm --what exec forbidden', 'blocked'],
    ['npm --what exec ls', 'unclear'],
    ['npm --what v exec ls', 'unclear'],
    ['npm --what install', 'unlisted'],
    ['npm', 'unlisted'],
    ['npm exec', 'unlisted'],
    ['npm install forbidden', 'unlisted'],
    ['npm run forbidden', 'unlisted'],
    ['pnpm run forbidden', 'unlisted'],
    ['uv add forbidden', 'unlisted'],
    ['setarch', 'unlisted'],
    ['nice -: ls', 'unclear'],
    ['env -C.. rm -rf app', 'blocked'],
  ])('in %s is %s', (command, type) => {
    expect(typeOf(command)).toBe(type);
  });
});
