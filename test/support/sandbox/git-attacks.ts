/** A command of the model, the git command of the user that would run its code, and the file that is reverted. */
export interface GitAttack {
  readonly name: string;
  readonly command: string;
  readonly git: readonly string[];
  readonly file: string;
  /** The user's own settings of git. */
  readonly settings?: string;
  /** Further files and links of the user's home, and variables, in which `~/` stands for the home. */
  readonly files?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Settings with a program that creates a file outside the workspace. */
export const MONITOR = '[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = "touch $HOME/sprung; false"\\n';
const FILTER = '[filter "x"]\\n\\tclean = touch $HOME/sprung; cat\\n';
const DIRTY = 'printf "* filter=x\\n" > .gitattributes; printf "other\\n" > a.txt';

/** Without the sandbox, there is no directory of caches. */
const CACHE = `\${XDG_CACHE_HOME:-$HOME/cache}`;
const IDENTITY = '-c user.name=a -c user.email=a@b';
/** Two commits on the branch `side`, of which the first conflicts with one of `master`. */
const CONFLICT = [
  ...['git checkout -q -b side', 'echo 2 > a.txt', `git ${IDENTITY} commit -qam 2`, 'echo 3 > b.txt', 'git add b.txt'],
  ...[`git ${IDENTITY} commit -qm 3`, 'git checkout -q master', 'echo 4 > a.txt', `git ${IDENTITY} commit -qam 4`],
].join('; ');
/** A program that git runs as the strategy `../evil`, and the end of the conflict. */
const STRATEGY =
  'mkdir git-merge-.. && printf "#!/bin/sh\\ntouch $HOME/sprung\\n" > git-merge-../evil && chmod +x git-merge-../evil; git add a.txt';

/** Adds a directory to the index as a submodule. */
const link = (directory: string): string =>
  `git update-index --add --cacheinfo "160000,$(git rev-parse HEAD),${directory}"`;

/** A repository with a hook for pushes, in a directory into which no scan looks. */
const UPSTREAM =
  'mkdir node_modules; git init -q --bare node_modules/up.git; mkdir -p node_modules/up.git/hooks; printf "#!/bin/sh\\ntouch $HOME/sprung\\n" > node_modules/up.git/hooks/post-receive; chmod +x node_modules/up.git/hooks/post-receive';

/** Writes an index with one file, whose content is a program, and with an extension. */
const indexWith = (name: string, extension = "b''"): string => `python3 - <<'END'
import hashlib, struct, subprocess
code = b'#!/bin/sh\\ntouch $HOME/sprung\\n'
blob = subprocess.run(['git', 'hash-object', '-w', '--stdin'], input=code, capture_output=True).stdout.strip().decode()
entry = struct.pack('>10I', 0, 0, 0, 0, 0, 0, 0o100755, 0, 0, 0) + bytes.fromhex(blob) + struct.pack('>H', ${name.length}) + b'${name}'
data = b'DIRC' + struct.pack('>II', 2, 1) + entry + bytes(8 - len(entry) % 8) + ${extension}
open('.git/index', 'wb').write(data + hashlib.sha1(data).digest())
END`;

/** A repository with settings that start a program, and the directory in which the user calls git. */
const planted = (
  name: string,
  directory: string,
  {
    before = 'true',
    after = 'true',
    at = directory,
    file = `${directory}/.git/config`,
  }: { before?: string; after?: string; at?: string; file?: string } = {},
): GitAttack => ({
  name,
  command: `${before}; cp -r .git own; mkdir -p ${directory}; mv own ${directory}/.git; printf '${MONITOR}' > ${directory}/.git/config; ${after}`,
  git: ['-C', at, 'status'],
  file,
});

const hook = (file: string): string =>
  `mkdir -p "$(dirname ${file})" && printf "#!/bin/sh\\ntouch $HOME/sprung\\n" > ${file} && chmod +x ${file}`;

/** A file of the state of git that is a link, and a git command that writes it. */
const linked = (file: string, git: readonly string[]): GitAttack => ({
  name: `a link at .git/${file}`,
  command: `rm -f .git/${file}; ln -s $HOME/sprung .git/${file}; echo 5 > a.txt`,
  git: [...IDENTITY.split(' '), ...git],
  file: `.git/${file}`,
});

export const GIT_ATTACKS: readonly GitAttack[] = [
  linked('index', ['add', 'a.txt']),
  linked('logs/HEAD', ['commit', '-qam', 'a']),
  linked('COMMIT_EDITMSG', ['commit', '-qam', 'a']),
  linked('FETCH_HEAD', ['fetch', '.']),
  linked('packed-refs', ['pack-refs', '--all']),
  {
    name: 'an index with a file elsewhere',
    command: indexWith('../sprung'),
    git: ['checkout', '.'],
    file: '.git/index',
  },
  {
    name: 'an index of SHA-256 that can be read as one of SHA-1 without such a file',
    command: `git init -q --object-format=sha256 lib; cd lib; ${indexWith('../sprung', "b'OWNX' + struct.pack('>I', 16) + bytes(16)")}`,
    git: ['-C', 'lib', '-c', 'alias.run=!git checkout . ; ../sprung', 'run'],
    file: 'lib/.git/index',
  },
  {
    name: 'a worktree elsewhere',
    command:
      'mkdir -p $HOME/sprung 2>/dev/null; mkdir -p .git/worktrees/w && cp .git/HEAD .git/worktrees/w && echo ../.. > .git/worktrees/w/commondir && echo $HOME/sprung > .git/worktrees/w/gitdir',
    git: ['worktree', 'repair'],
    file: '.git/worktrees/w/gitdir',
  },
  {
    name: 'a hook of a worktree',
    command: `git worktree add -q tree; ${hook('tree/later/post-checkout')}`,
    git: ['-C', 'tree', 'checkout', '-q', 'HEAD'],
    file: 'tree/later/post-checkout',
  },
  {
    name: 'a hook of a submodule that the user names',
    command: `git -c protocol.file.allow=always submodule --quiet add "$PWD" sub; ${hook('sub/own/post-checkout')}`,
    git: ['-C', 'sub', 'checkout', '-q', 'HEAD'],
    file: 'sub/own/post-checkout',
    settings: '[core]\n\thooksPath = own\n',
  },
  {
    name: 'a file .git with a path behind a link',
    command: `mkdir -p node_modules/x node_modules/own lib; ln -s node_modules/x link; cp -r .git e; mv e node_modules/own/g; printf '${MONITOR}' > node_modules/own/g/config; echo 'gitdir: ../link/../own/g' > lib/.git`,
    git: ['-C', 'lib', 'status'],
    file: 'lib/.git',
  },
  {
    name: 'shared settings behind a link',
    command: `mkdir -p node_modules/own/y; cp -r .git/objects .git/refs .git/HEAD node_modules/own; printf '${MONITOR}' > node_modules/own/config; git worktree add -q tree; ln -s ../node_modules/own/y .git/x; echo '../../x/..' > .git/worktrees/tree/commondir`,
    git: ['-C', 'tree', 'status'],
    file: '.git/worktrees/tree/commondir',
  },
  planted('a repository beside installed packages', 'venv'),
  {
    name: 'commondir with settings in the same directory',
    command: `cp -r .git evil && printf '${MONITOR}' > evil/config && echo ../evil > .git/commondir; ${DIRTY}`,
    git: ['status'],
    file: '.git/commondir',
  },
  {
    name: 'a file that the settings include, and that did not exist',
    command: `printf '${FILTER}' > team.gitconfig; ${DIRTY}`,
    git: ['add', 'a.txt'],
    file: 'team.gitconfig',
  },
  {
    name: 'a file that the settings include by its path in the home',
    command: `printf '${MONITOR}' > home.gitconfig`,
    git: ['status'],
    file: 'home.gitconfig',
  },
  {
    name: 'a file that the settings include, and that did exist',
    command: `printf '${FILTER}' >> known.gitconfig; ${DIRTY}`,
    git: ['add', 'a.txt'],
    file: 'known.gitconfig',
  },
  {
    name: 'a directory of hooks that the settings name, and that did not exist',
    command:
      'mkdir -p later && printf "#!/bin/sh\\ntouch $HOME/sprung\\n" > later/post-checkout && chmod +x later/post-checkout',
    git: ['checkout', '-q', 'HEAD'],
    file: 'later/post-checkout',
  },
  {
    name: 'a file that the user includes',
    command: `printf '${MONITOR}' > own.gitconfig`,
    git: ['status'],
    file: 'own.gitconfig',
    settings: '[include]\n\tpath = ~/ws/own.gitconfig\n',
  },
  {
    name: 'hooks that the user names',
    command: `git init -q lib && cd lib && git ${IDENTITY} commit -q --allow-empty -m a && mkdir own && printf '#!/bin/sh\ntouch $HOME/sprung\n' > own/post-checkout && chmod +x own/post-checkout`,
    git: ['-C', 'lib', 'checkout', '-q', 'HEAD'],
    file: 'lib/own/post-checkout',
    settings: '[core]\n\thooksPath = own\n',
  },
  {
    name: 'a template of the user',
    command:
      'mkdir -p template/hooks && printf "#!/bin/sh\ntouch $HOME/sprung\n" > template/hooks/post-checkout && chmod +x template/hooks/post-checkout',
    git: ['clone', '-q', '.', '../fresh'],
    file: 'template/hooks/post-checkout',
    settings: '[init]\n\ttemplateDir = ~/ws/template\n',
  },
  {
    name: 'a template that a variable names',
    command:
      'mkdir -p template/hooks && printf "#!/bin/sh\ntouch $HOME/sprung\n" > template/hooks/post-checkout && chmod +x template/hooks/post-checkout',
    git: ['clone', '-q', '.', '../fresh'],
    file: 'template/hooks/post-checkout',
    environment: { GIT_TEMPLATE_DIR: '~/ws/template' },
  },
  {
    name: 'a program of an alias that does not exist',
    command: 'printf "#!/bin/sh\ntouch $HOME/sprung\n" > st.sh && chmod +x st.sh',
    git: ['st'],
    file: 'st.sh',
    settings: '[alias] st = !./st.sh',
  },
  {
    name: 'a program of an alias in the home',
    command: 'mkdir -p bin; printf "#!/bin/sh\ntouch $HOME/sprung\n" > bin/st.sh && chmod +x bin/st.sh',
    git: ['st'],
    file: 'bin/st.sh',
    settings: '[alias] st = "!f() { \\"$HOME\\"/ws/bin/st.sh; }; f"',
  },
  {
    name: 'the settings of a new repository in the workspace',
    command: `git init -q lib && printf '${MONITOR}' >> lib/.git/config`,
    git: ['-C', 'lib', 'status'],
    file: 'lib/.git/config',
  },
  {
    name: 'a linked hook beside an empty one of the project',
    command: `${hook('evil')}; git init -q lib && cd lib && git ${IDENTITY} commit -q --allow-empty -m a && mkdir -p .git/hooks && ln -s ../../../evil .git/hooks/post-checkout`,
    git: ['-C', 'lib', 'checkout', '-q', '-b', 'b'],
    file: 'lib/.git/hooks/post-checkout',
    files: { 'ws/.git/hooks/pre-commit': '' },
  },
  {
    name: 'a hook of a new repository',
    command: `git init -q lib && cd lib && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a && mkdir -p .git/hooks && printf '#!/bin/sh\\ntouch $HOME/sprung\\n' > .git/hooks/post-checkout && chmod +x .git/hooks/post-checkout`,
    git: ['-C', 'lib', 'checkout', '-q', 'HEAD'],
    file: 'lib/.git/hooks/post-checkout',
  },
  {
    name: 'a file .git that names a directory with settings',
    command: `cp -r .git lib-git && printf '${MONITOR}' > lib-git/config && mkdir lib && echo "gitdir: ../lib-git" > lib/.git`,
    git: ['-C', 'lib', 'status'],
    file: 'lib-git/config',
  },
  {
    name: 'a directory that looks like a bare repository',
    command: `mkdir lib && cp -r .git/HEAD .git/objects .git/refs lib && printf '${MONITOR}\\tworktree = .\\n\\tbare = false\\n' > lib/config`,
    git: ['-C', 'lib', 'status'],
    file: 'lib/config',
  },
  {
    name: 'a directory that shares the settings of another one',
    command: `mkdir lib own && cp .git/HEAD lib && cp -r .git/objects .git/refs own && echo ../own > lib/commondir && printf '[remote "o"]\n\turl = .\n\tuploadpack = touch $HOME/sprung; false\n' > own/config`,
    git: ['-C', 'lib', 'fetch', 'o'],
    file: 'lib/commondir',
  },
  {
    name: 'a worktree of a directory without HEAD',
    command: `mkdir -p own/worktrees/lib lib && cp -r .git/objects .git/refs own && cp .git/HEAD own/worktrees/lib && echo ../.. > own/worktrees/lib/commondir && echo "gitdir: ../own/worktrees/lib" > lib/.git && printf '${MONITOR}' > own/config`,
    git: ['-C', 'lib', 'status'],
    file: 'own/config',
  },
  {
    name: 'a file .git that names a directory of the caches through a link',
    command: `mkdir -p lib ${CACHE} && ln -s ${CACHE} link && cp -r .git ${CACHE}/own && printf '${MONITOR}' > ${CACHE}/own/config && echo "gitdir: ../link/own" > lib/.git`,
    git: ['-C', 'lib', 'status'],
    file: 'link/own/config',
  },
  planted('a link to a directory of a repository in the caches', `${CACHE}/own/deep`, {
    ...{ after: `mkdir ${CACHE}/own/deep/er; ln -s ${CACHE}/own/deep/er lib`, at: 'lib', file: 'own/deep/.git/config' },
  }),
  planted('a link to a directory with a repository in the caches', `${CACHE}/own/deep`, {
    ...{ after: `ln -s ${CACHE}/own lib`, at: 'lib/deep', file: 'own/deep/.git/config' },
  }),
  planted('a repository behind thousands of directories', 'a/b/c/d', { before: 'seq 6000 | xargs mkdir' }),
  {
    name: 'a repository in a directory whose name is not UTF-8',
    command: `mkdir -p $'own\\xff/a' && cp -r .git $'own\\xff/a' && printf '${MONITOR}' > $'own\\xff/a/.git/config' && ln -s $'own\\xff/a' lib`,
    git: ['-C', 'lib', 'status'],
    file: 'own\uFFFD/a/.git',
  },
  {
    name: 'a bare repository in a directory whose name is not UTF-8',
    command: `mkdir $'own\\xff' && cp -r .git/HEAD .git/objects .git/refs $'own\\xff' && printf '${MONITOR}\\tworktree = .\\n\\tbare = false\\n' > $'own\\xff/config' && ln -s $'own\\xff' lib`,
    git: ['-C', 'lib', 'status'],
    file: 'own\uFFFD/HEAD',
  },
  planted('a repository in a directory whose name is almost that of packages', 'Target/own'),
  planted('a repository below many directories', 'd/'.repeat(70).slice(0, -1)),
  planted('a link to a repository where packages are installed', 'node_modules/own', {
    ...{ after: 'ln -s node_modules/own lib', at: 'lib' },
  }),
  planted('a link to a directory of a repository in a virtual environment', 'venv/own', {
    ...{ after: 'mkdir venv/own/deep; ln -s venv/own/deep lib', at: 'lib' },
  }),
  planted('a repository of the index where packages are installed', 'node_modules/x', {
    ...{ after: link('node_modules/x'), at: '.' },
  }),
  planted('a repository of a split index of version 4', 'venv/x', {
    after: `git update-index --index-version 4 && ${link('venv/x')} && git update-index --split-index`,
    at: '.',
  }),
  {
    name: 'a repository of the index whose name is not UTF-8',
    command: `d=$'node_modules/own\\xff/x'; mkdir -p "$d" && cp -r .git "$d" && printf '${MONITOR}' > "$d/.git/config" && ${link('$d')}`,
    git: ['status'],
    file: 'node_modules/own\uFFFD/x/.git',
  },
  {
    name: 'a repository of the index of a repository',
    command: `git init -q lib && cd lib && git ${IDENTITY} commit -q --allow-empty -m a && mkdir -p target/x && cp -r .git target/x && printf '${MONITOR}' > target/x/.git/config && ${link('target/x')}`,
    git: ['-C', 'lib', 'status'],
    file: 'lib/target/x/.git/config',
  },
  {
    name: 'a remote of an old form',
    command: `${UPSTREAM}; mkdir .git/remotes && echo 'URL: node_modules/up.git' > .git/remotes/origin`,
    git: ['push', 'origin', 'master'],
    file: '.git/remotes/origin',
  },
  {
    name: 'a remote of an older form',
    command: `${UPSTREAM}; mkdir -p .git/branches && echo node_modules/up.git > .git/branches/origin`,
    git: ['push', 'origin', 'HEAD:master'],
    file: '.git/branches/origin',
  },
  {
    name: 'a hook of a remote where packages are installed',
    command: `${UPSTREAM}; git clone -q node_modules/up.git lib 2>&1; cd lib; git ${IDENTITY} commit -q --allow-empty -m a`,
    git: ['-C', 'lib', 'push', '-q', 'origin', 'HEAD:master'],
    file: 'node_modules/up.git/hooks/post-receive',
  },
  {
    name: 'a remote of a branch',
    command: `${UPSTREAM}; git clone -q node_modules/up.git lib 2>&1; printf '[core]\n[branch "master"]\nremote = ../node_modules/up.git\nmerge = refs/heads/master\n' > lib/.git/config; git -C lib ${IDENTITY} commit -q --allow-empty -m a`,
    git: ['-C', 'lib', 'push', '-q'],
    file: 'node_modules/up.git/hooks/post-receive',
  },
  {
    name: 'a remote behind a link',
    command: `${UPSTREAM}; mkdir node_modules/x; ln -s node_modules/x link; git clone -q node_modules/up.git lib 2>&1; git -C lib ${IDENTITY} commit -q --allow-empty -m a; printf '[remote "origin"]\nurl = ../link/../up.git\n' > lib/.git/config`,
    git: ['-C', 'lib', 'push', '-q', 'origin', 'HEAD:master'],
    file: 'node_modules/up.git/hooks/post-receive',
  },
  planted('a repository among the objects of git', '.git/objects/own'),
  {
    name: 'a merge strategy for the rest of a cherry-pick',
    command: `${CONFLICT}; git ${IDENTITY} cherry-pick side~1 side; ${STRATEGY}; printf '[options]\n\tstrategy = ../evil\n' > .git/sequencer/opts`,
    git: [...IDENTITY.split(' '), 'cherry-pick', '--continue'],
    file: '.git/sequencer/opts',
  },
  {
    name: 'a merge strategy for the rest of a rebase',
    command: `${CONFLICT}; git checkout -q side; git ${IDENTITY} rebase master; ${STRATEGY}; printf '../evil' > .git/rebase-merge/strategy`,
    git: [...IDENTITY.split(' '), 'rebase', '--continue'],
    file: '.git/rebase-merge/strategy',
  },
  {
    name: 'a file that the rest of a rebase writes',
    command: `${CONFLICT}; git checkout -q side; git ${IDENTITY} rebase --apply master; git add a.txt; echo "'--build-fake-ancestor=$HOME/sprung'" > .git/rebase-apply/apply-opt`,
    git: [...IDENTITY.split(' '), 'rebase', '--continue'],
    file: '.git/rebase-apply/apply-opt',
  },
  {
    name: 'a step of a rebase',
    command: `git -c user.name=a -c user.email=a@b rebase --exec false HEAD~1; echo 'exec touch $HOME/sprung' >> .git/rebase-merge/git-rebase-todo`,
    git: ['-c', 'user.name=a', '-c', 'user.email=a@b', 'rebase', '--continue'],
    file: '.git/rebase-merge/git-rebase-todo',
  },
];

/** Settings that the user's git reads, and that lead to a file of the workspace. */
const INCLUDES = '[include]\n\tpath = ~/ws/own.gitconfig\n';
export const INCLUDED_SETTINGS: readonly GitAttack[] = (
  [
    ['on one line', { settings: '[include] path = ~/ws/own.gitconfig' }],
    ['with comments and quotes', { settings: '[include] # a\npath = "~/ws/own.gitconfig" ; b' }],
    ['on two lines', { settings: '[include]\npath = ~/ws/own.git\\\nconfig' }],
    ['relative, on a condition', { settings: '[includeIf "gitdir:~/"] path = ws/own.gitconfig' }],
    ['through a link', { settings: '[include] path = ~/to-ws/own.gitconfig', links: { 'to-ws': '~/ws' } }],
    ['by a file that is a link', { settings: '[include] path = more', links: { more: '~/ws/own.gitconfig' } }],
    ['in .config', { files: { '.config/git/config': INCLUDES } }],
    ['in XDG_CONFIG_HOME', { files: { 'x/git/config': INCLUDES }, environment: { XDG_CONFIG_HOME: '~/x' } }],
    ['in GIT_CONFIG_GLOBAL', { files: { own: INCLUDES }, environment: { GIT_CONFIG_GLOBAL: '~/own' } }],
    ['as GIT_CONFIG_GLOBAL', { environment: { GIT_CONFIG_GLOBAL: '~/ws/own.gitconfig' } }],
    ['in GIT_CONFIG_SYSTEM', { files: { own: INCLUDES }, environment: { GIT_CONFIG_SYSTEM: '~/own' } }],
    [
      'in GIT_CONFIG_COUNT',
      {
        environment: {
          ...{ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'include.path', GIT_CONFIG_VALUE_0: '~/ws/own.gitconfig' },
        },
      },
    ],
    ['in GIT_CONFIG_PARAMETERS', { environment: { GIT_CONFIG_PARAMETERS: "'include.path=~/ws/own.gitconfig'" } }],
    [
      'in GIT_CONFIG_PARAMETERS, newer',
      { environment: { GIT_CONFIG_PARAMETERS: "'include.path'='~/ws/own.gitconfig'" } },
    ],
    ['by a link in the home', { links: { '.gitconfig': '~/ws/own.gitconfig' } }],
    ['by a link in .config', { links: { '.config/git/config': '~/ws/own.gitconfig' }, files: { '.config/git/x': '' } }],
  ] as const
).map(([name, more]) => ({
  name: `a file that the user includes ${name}`,
  command: `printf '${MONITOR}' > own.gitconfig`,
  git: ['status'],
  file: 'own.gitconfig',
  ...more,
}));
