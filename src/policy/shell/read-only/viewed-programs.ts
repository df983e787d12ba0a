import type { SimpleCommand } from '../parse/parsed-command-line.ts';
import { READ_ONLY_PROGRAMS } from './programs.ts';

/** The words with which a program may run in a view of the workspace without a question. */
export interface ViewedProgram {
  /** The first words: `ls`, `config get`. Absent: all words. */
  readonly starts?: readonly string[];
  /** The only word. */
  readonly alone?: RegExp;
  /** The script in its words writes a file or runs a program. */
  readonly script?: RegExp;
  /** `refuses` holds for the words before the first operand only. */
  readonly leading?: true;
  /** The maximum number of operands: a further one is a file to write. */
  readonly most?: number;
  /** A word with which it writes files or uses a network, so that it would only fail in the view. */
  readonly refuses?: RegExp;
  /** It needs one of these words, because it writes without. */
  readonly needs?: RegExp;
  /** Its words are text (`all`), or the first one is (`first`): `.key` in `jq .key` is not a file. */
  readonly text?: 'all' | 'first';
}

const ANY: ViewedProgram = {};
const TEXT: ViewedProgram = { text: 'all' };
const PATTERN: ViewedProgram = { text: 'first' };
const VERSION: ViewedProgram = { alone: /^(?:-v|-V|version|-h|help|-help|-version|-vV)$/ };
const NO_OUTPUT: ViewedProgram = { refuses: /^(?:-o|--output)/ };

function each(names: string, row: ViewedProgram): Readonly<Record<string, ViewedProgram>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, row]));
}

function starts(words: string): ViewedProgram {
  return { starts: words.split(', ') };
}

/**
 * The programs that a command may run without a question in a view of the workspace: read-only, without network, without
 * secrets and without the home directory. A wrong row cannot write, only fail, so that options are not listed; `refuses`
 * leaves out those that surely write, because the user is asked about these.
 */
export const VIEWED_PROGRAMS: ReadonlyMap<string, ViewedProgram> = new Map(
  Object.entries({
    ...each(Object.keys(READ_ONLY_PROGRAMS).join(' '), ANY),
    // Parts of the shell, and programs that run others, whose commands are judged as well
    ...each('cd : [ test let local declare typeset readonly read shift wait continue exit', ANY),
    ...each('break return set shopt pushd popd dirs unset getopts export history', ANY),
    // Options that run a command
    ...each('mapfile readarray', { refuses: /^-[a-zA-Z]*C/ }),
    jobs: { refuses: /^-[a-zA-Z]*x/ },
    ...each('command builtin xargs time timeout nice nohup stdbuf env fd fdfind busybox toybox', ANY),
    ...each('sh bash dash zsh', starts('-c, -lc, -ec, -ce, -xc, -n, --version')),
    npx: { leading: true, refuses: /^(?:-y|--yes|-p|--package.*|-c|--call.*)$/ },
    ...each('echo printf yes help', TEXT),
    // Text and files
    ...each('grep egrep fgrep ag ack jq', PATTERN),
    rg: { ...PATTERN, refuses: /^--(?:pr|hostname)/ },
    yq: { ...PATTERN, refuses: /^(?:-[a-zA-Z]*i|--in-?place)/ },
    // Scripts that write, run programs, or are in a file
    ...each('awk gawk mawk', {
      ...PATTERN,
      refuses: /^-(?:[a-zA-Z]*[fi]$|-file|-include|-exec)|^inplace$/,
      script: /\bsystem\s*\(|\|&?\s*(?:"|getline)|\bprintf?\b[^;}\n]{0,200}[>|]/,
    }),
    sed: {
      ...PATTERN,
      refuses: /^(?:-[a-zA-Z]*[if]|--in-place|--file)/,
      script:
        /(?:^|[;{}\n\d$/,!]|\/[IM]{1,2})\s{0,9}(?:!\s{0,9})?(?:[wWrR]\s{0,9}\S|e\s{0,9}(?:$|[;}\s]))|s([/|#,])(?:(?!\1).)*\1(?:(?!\1).)*\1[gpIiMm\d]*[ew]/s,
    },
    ...each('tree bat batcat zcat zgrep xzcat bzcat zdiff colordiff icdiff', NO_OUTPUT),
    ...each('less more zless', { refuses: /^(?:\+|-[a-zA-Z]*[oO]|--log)/i }),
    ...each('hexdump od strings nm objdump readelf size ldd cksum b2sum sum base64 base32 fold fmt expand', ANY),
    ...each('unexpand pr join look factor expr bc dc cal ncal numfmt tsort pathchk zipinfo', ANY),
    ...each('uniq xxd', { most: 1 }),
    tee: { refuses: /^(?!-|\/dev\/(?:null|stdout|stderr)$)/ },
    date: { refuses: /^(?:-[a-zA-Z]*s|--s|\d{6})/ },
    hostname: { refuses: /^(?!-[fisIdAy]$|--(?:fqdn|long|short|ip-address|all-ip-addresses|domain)$)/ },
    file: { refuses: /^(?:-[a-zA-Z]*C|--compile)/ },
    ...each('md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum xmllint pdftotext iconv', NO_OUTPUT),
    ...each('pdfinfo pdffonts ffprobe delta', NO_OUTPUT),
    aspell: starts('list, dicts, --version'),
    ...each('dos2unix unix2dos', starts('-i, --info, --version')),
    ...each('exa eza lsd dust duf tokei cloc scc exiftool identify mediainfo shuf', NO_OUTPUT),
    sort: { refuses: /^(?:-[a-zA-Z]*o|--o|--co)/ },
    // Of an archive, only the list and the content
    tar: {
      starts: ['-t', 't', '--list', '-O', 'tf', '-tf', '-tvf', 'tvf', '-tzf', 'tzf', '-tzvf', 'tzvf', '--version'],
    },
    unzip: starts('-l, -p, -t, -v, -Z'),
    ...each('gzip gunzip xz unxz bzip2 bunzip2 zstd lz4', { needs: /^(?:-[a-z]*[clt][a-z]*|--(?:stdout|list|test))$/ }),
    sqlite3: {
      refuses:
        /\b(?:insert|update|delete|create|drop|alter|attach|vacuum|replace|reindex|pragma\s+\w+\s*=)\b|^\.(?:shell|system|output|once|save|import|backup|restore|clone|log|excel)\b|^-cmd$/i,
    },
    // The machine
    ...each('ps pgrep pidof top uptime free vmstat lscpu lsblk nproc arch groups users who w last getconf', ANY),
    ...each('locale printenv times ulimit umask tput sleep getopt whatis apropos whereis', ANY),
    ...each('man info', { refuses: /^(?:-[a-zA-Z]*[PHo]|--pager|--html|--output)/ }),
    ...each('lsof ss netstat pstree lsmod lspci lsusb findmnt mountpoint ldconfig cpuid ifconfig mktemp', ANY),
    ip: starts('a, addr, address, l, link, r, route, rule, -4, -6, -br, -brief, n, neigh, neighbor, neighbour'),
    ...each('dpkg', starts('-l, -L, -s, -S, --list, --listfiles, --status, --search, --version, --print-architecture')),
    'dpkg-query': ANY,
    rpm: starts('-q, -qa, -qi, -ql, -qf, --version'),
    apk: starts('info, list, --version'),
    ...each('apt apt-cache', starts('list, show, policy, search, depends, rdepends, --version')),
    brew: starts('list, --version, --prefix, --cellar, config'),
    // Package managers and compilers
    npm: starts(
      'ls, list, la, ll, root, prefix, bin, explain, why, help, --version, -v, query, config get, config list, config ls, pkg get, run$, run-script$, view --help',
    ),
    pnpm: starts('ls, list, ll, la, why, root, bin, --version, -v, help'),
    yarn: starts('list, why, --version, -v, bin, help, workspaces list, workspaces info'),
    ...each('pip pip3', starts('list, show, freeze, check, --version, -V, help, config list, inspect')),
    // Those that run the command behind them have it judged as well.
    uv: starts('pip list, pip show, pip freeze, pip tree, tree, run, --version, version, python list, help'),
    poetry: starts('show, run, --version, env info, env list, check'),
    pipenv: starts('run, graph, --version, --venv, --where'),
    ...each('conda mamba micromamba', starts('list, info, env list, run, --version')),
    pixi: starts('list, tree, info, task list, run, --version'),
    mise: starts('ls, list, current, which, where, exec, x, --version, version, tasks ls, config ls'),
    asdf: starts('current, where, which, list, plugin list, exec, --version, version'),
    go: starts('version, env, help, list, doc, vet -n, tool'),
    cargo: starts('--version, -V, version, metadata, tree, help, --list, fmt --check, fmt -- --check, locate-project'),
    rustup: starts('show, --version, toolchain list, target list, which, component list'),
    ...each('gem', starts('list, which, --version, -v, env, contents, specification')),
    bundle: starts('list, show, --version, info, exec'),
    composer: starts('show, --version, licenses'),
    dotnet: starts('--version, --info, --list-sdks, --list-runtimes, list'),
    ...each('mvn gradle', starts('--version, -v, -version')),
    make: starts('-n, --dry-run, --just-print, --version, -v, -p, -pn, -np, -qp, -pq, --print-data-base'),
    just: starts('--list, -l, --summary, --show, -s, --dump, --variables, --version'),
    task: starts('--list, -l, --list-all, -a, --summary, --version'),
    ctest: starts('-N, --show-only, --version'),
    helm: starts('template, lint, version, help'),
    docker: starts('--version, -v, compose config, compose version'),
    terraform: starts(
      'version, -version, fmt -check, fmt -recursive -check, fmt -diff -check, validate, providers, graph',
    ),
    openssl: starts('version, x509, dgst, asn1parse, crl, verify, list, ciphers'),
    // Checkers, with the words that make them change nothing
    kubectl: starts('version --client, --help, config current-context, config view'),
    tsc: {
      needs: /^(?:--noEmit|--version|-v|--showConfig|--listFilesOnly|--help|-h)$/,
      refuses: /^(?:-w|--watch|--build|-b)$/,
    },
    eslint: { refuses: /^(?:--fix.*|-o|--output-file.*|--cache.*|--init)$/ },
    prettier: {
      needs: /^(?:-c|--check|-l|--list-different|--version|--find-config-path|--file-info)$/,
      refuses: /^(?:-w|--write)$/,
    },
    biome: {
      starts: ['check', 'lint', 'format', 'ci', '--version', 'explain'],
      refuses: /^--(?:write|fix|apply|unsafe).*/,
    },
    ruff: {
      starts: ['check', 'format --check', 'format --diff', '--version', 'rule', 'version'],
      refuses: /^--(?:fix|unsafe-fixes|add-noqa|watch)/,
    },
    black: { needs: /^(?:--check|--diff|--version)$/ },
    isort: { needs: /^(?:-c|--check|--check-only|--diff|--version)$/ },
    gofmt: { refuses: /^-w$/ },
    rustfmt: { needs: /^(?:--check|--version)$/ },
    shfmt: { refuses: /^(?:-w|--write)$/ },
    'clang-format': { refuses: /^-i$/ },
    ...each('markdownlint markdownlint-cli2', { refuses: /^(?:-f|--fix|-o|--output)$/ }),
    ...each('shellcheck hadolint yamllint flake8 pylint pyflakes pycodestyle actionlint cppcheck luacheck', {
      refuses: /^(?:-o|--output.*|-f.*auto.*|--in-place)$/,
    }),
    jest: starts('--listTests, --showConfig, --version'),
    vitest: starts('list, --version'),
    ...each('pytest', { needs: /^(?:--collect-only|--co|--version|--fixtures|--markers)$/ }),
    ...each('gcc g++ clang clang++ cc c++', {
      needs: /^(?:-E|-fsyntax-only|-v|-dumpversion|-dumpmachine|-print-[a-z-]+(?:=.*)?|--version|--help)$/,
    }),
    rustc: starts('--version, -V, -vV, --print, --explain, --help'),
    // Those that only check the syntax
    node: { ...starts('--check, -c, -v$, --version$, -h$, --help$'), refuses: /^-(?:r$|-require|-import|-env)/ },
    php: starts('-l, -v$, --version$, -h$, --help$, -m$, -i$, --ini$'),
    ruby: { ...starts('-c, -v$, --version$, -h$, --help$'), refuses: /^-r/ },
    ...each('deno bun perl python python3 java javac cmake', VERSION),
    ...each('swift kotlin kotlinc scala lua luajit ghc elixir erl mix zig nim tcc ninja meson bazel', VERSION),
    ...each('git-lfs gh glab psql mysql redis-cli curl wget ssh zip bwrap ffmpeg aws gcloud', VERSION),
    ...each('vim nvim emacs nano code tmux systemctl podman nginx ansible vagrant nvm pyenv rbenv volta', VERSION),
  }),
);

/** The name of a program of the system; empty for one of the project, such as `./ls`, and for one that is computed. */
export function programOf({ words: [program] }: Pick<SimpleCommand, 'words'>): string {
  if (!program.static) return '';
  const name = program.text.replace(/^\/(?:usr\/)?(?:local\/)?s?bin\//, '');
  return name.includes('/') ? '' : name;
}

/** Words that show what a program is, whatever it is. */
const SHOWS_ITSELF = /^(?:--version|--help)$/;

/** True for the words of a program that only prints its version or its options. */
export function isSelfDescription(words: readonly { readonly text: string }[]): boolean {
  return words.length === 1 && words.every(({ text }) => SHOWS_ITSELF.test(text));
}

/** The words that are scripts of `sed` and `awk`: the values of `-e`, or the first operand. */
export function scriptsIn(texts: readonly string[]): readonly string[] {
  const given = texts.flatMap((text, index) => {
    const long = /^--expression=(.*)$/s.exec(text)?.[1];
    if (long !== undefined) return [long];
    return /^(?:-[a-zA-Z]*e|--expression)$/.test(text) ? texts.slice(index + 1, index + 2) : [];
  });
  const first = texts.find(
    (text, index) => !text.startsWith('-') && texts[index - 1] !== '-v' && texts[index - 1] !== '-F',
  );
  return given.length > 0 || first === undefined ? given : [first];
}

/** The operands, without the values of options of one letter. */
export function operandsOf(texts: readonly string[], values: RegExp): readonly string[] {
  return texts.filter((text, index) => !text.startsWith('-') && !values.test(texts[index - 1] ?? ''));
}
