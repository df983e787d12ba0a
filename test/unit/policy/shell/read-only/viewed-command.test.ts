import { describe, expect, it } from 'vitest';
import type { PathRules } from '../../../../../src/policy/paths/path-policy.ts';
import { viewOf } from '../../../../../src/policy/shell/read-only/viewed-command.ts';

const RULES: PathRules = {
  workspace: '/home/u/app',
  home: '/home/u',
  allowedRoots: ['/home/u/app', '/tmp/shared'],
  readOnlyRoots: [],
  blockedPaths: [],
  platform: 'posix',
};
const PLACES = {
  workspace: '/home/u/app',
  workingDirectory: '/home/u/app/src',
  home: '/home/u',
  platform: 'posix',
} as const;

describe('the view of a command', () => {
  it.each([
    ['cat a.ts | wc -l', 'files', ['/home/u/app/src/a.ts']],
    ['cat < ../a.txt', 'files', ['/home/u/app/a.txt']],
    ['cat "$A" b*', 'files', []],
    ['grep -rn --include=a.ts x', 'files', ['/home/u/app/src/a.ts']],
    ['grep -e x a', 'files', ['/home/u/app/src/a']],
    ['jq .key a', 'files', ['/home/u/app/src/a']],
    ['jq -- .key a', 'files', ['/home/u/app/src/a']],
    ['echo .env', 'files', []],
    ['node -e "1" .env', 'files', []],
    ['python3 - <<E\nprint(1)\nE', 'files', []],
    ['python3 <<E\nprint(1)\nE', 'files', []],
    ['PYTHONPATH=src:. NODE_PATH=lib python3 -c "import app"', 'files', []],
    ['PYTHONWARNINGS=ignore python3 -c "1"', 'files', []],
    ['PYTHONWARNINGS=error::a.b python3 -c "1"', undefined, 'it changes which programs run'],
    ['PYTHONSTARTUP=a.py PYTHONHOME=. python3 -c "1"', undefined, 'it changes which programs run'],
    ['NODE_OPTIONS=-r=./a node -e 1', undefined, 'it changes which programs run'],
    ['cat > /tmp/a.py <<E\nprint(1)\nE\npython3 -u /tmp/a.py src', 'files', []],
    [
      'cat <<E > /tmp/a.js\nfs.writeFileSync("a")\nE\nnode /tmp/a.js',
      undefined,
      'node /tmp/a.js is not known to only read',
    ],
    ['cat > /tmp/a.py <<E\n$X\nE\npython3 /tmp/a.py', undefined, 'python3 /tmp/a.py is not known to only read'],
    [
      'cat > /tmp/a.py <<E\n1\nE\necho 2 > /tmp/a.py; python3 /tmp/a.py',
      undefined,
      'python3 /tmp/a.py is not known to only read',
    ],
    ['cat > /tmp/a.py <<E\n1\nE\npython3 -i /tmp/a.py', undefined, 'python3 -i is not known to only read'],
    ['cat a > /tmp/a.py; python3 /tmp/a.py', undefined, 'python3 /tmp/a.py is not known to only read'],
    ['cat > /tmp/a.py <<E\n1\nE\npython3 /tmp/b.py', undefined, 'python3 /tmp/b.py is not known to only read'],
    ["perl -MJSON::PP -ne 'print decode_json($_)->{a}'", 'files', []],
    ["perl -MList::Util=sum,max -E 'say sum 1'", 'files', []],
    [`perl -0777 -F'(?<="),' -lane 'print $F[1]'`, 'files', []],
    ["ruby -rset -F, -ane 'puts $F[0]'", 'files', []],
    ["perl -F'/x/,system(1)' -ane 'print'", undefined, 'perl -F/x/,system(1) is not known to only read'],
    ["perl -MLocal -e '1'", undefined, 'perl -MLocal is not known to only read'],
    ["perl -Ix -MEncode -e '1'", undefined, 'perl -Ix is not known to only read'],
    ['getent group', 'files', ['/home/u/app/src/group']],
    ['getent -s x passwd', undefined, 'getent -s is not known to only read'],
    ['getent gshadow', undefined, 'getent gshadow is not known to only read'],
    ['ls > /tmp/list', 'files', []],
    ['ls 2>&1', 'files', []],
    ['git log | head', 'repository', []],
    ['git -C . --no-pager log -- "*.ts"', 'repository', []],
    ['git log "$X"', undefined, 'git log is not known to only read'],
    ['git log -- $X', 'repository', []],
    ['git blame -- $X', undefined, 'git blame is not known to only read'],
    ['git log *', undefined, 'git log is not known to only read'],
    ['git ls-files *', 'index', []],
    ['git $X', undefined, 'the subcommand of git is computed'],
    ['git -C', undefined, 'git -C is not known to only read'],
    ['git', undefined, 'git is not known to only read'],
    ['git commit', undefined, 'git commit is not known to only read'],
    ['git branch x', undefined, 'git branch is not known to only read'],
    ['git stash show -a', undefined, 'git stash is not known to only read'],
    ['git reflog expire', undefined, 'git reflog is not known to only read'],
    ['git grep x | xargs cat', 'index', ['/home/u/app/src/cat']],
    ['git log -1; cat a', 'repository', ['/home/u/app/src/a']],
    ['git log -1; cat --version', 'repository', []],
    ['git log -1; cat "$X"', undefined, 'cat $X could have git show any file'],
    ['git log -1; cat *.ts', 'repository', []],
    ['git log -1; cat .g*', undefined, 'cat .g* could have git show any file'],
    ['git log -1; cat x/.g*', undefined, 'cat x/.g* could have git show any file'],
    ['git log -1; cat .git/HEAD', undefined, 'cat .git/HEAD could have git show any file'],
    ['git log -1; grep -r --exclude-dir=.git x', 'repository', ['/home/u/app/src/.git']],
    ['git log -1; grep -ra x', undefined, 'grep -ra could have git show any file'],
    ['git log -1; cat .git/objects/a', undefined, 'it names .git/objects/a, which is what git has committed'],
    ['git log -1; cd "$X"; cat a', undefined, 'cat a could have git show any file'],
    ['git log -1; cd "$X"; cat', 'repository', []],
    ['git log -1; cat < "$X"', undefined, 'it changes what git does'],
    ['git log -1; cat < a', 'repository', ['/home/u/app/src/a']],
    ['diff <(git show HEAD:a) a', 'repository', ['/home/u/app/src/a']],
    ['git log -1; find . -name b -exec cat {} \\;', undefined, 'cat ./found could have git show any file'],
    ['find . -name b -exec git blame {} \\;', undefined, 'git blame is not known to only read'],
    ['git log -1; xargs -a x echo', undefined, 'xargs -a could have git show any file'],
    ['git log -1; echo $((X))', undefined, 'it changes what git does'],
    ['git log | while read x; do echo "$x"; done', 'repository', ['/home/u/app/src/x']],
    ['git log; read H"OME"', undefined, 'read HOME could have git show any file'],
    ['git log; printf "%s" "$X"', 'repository', []],
    ['git log; printf "-v" x', undefined, 'printf -v is not known to only read'],
    ['git log; printf "-vA" x', undefined, 'printf -vA is not known to only read'],
    ['declare A=$X B[0]="$Y"', 'files', []],
    ['declare "$X"', undefined, 'it changes which programs run'],
    ['command export A=$X', undefined, 'it changes which programs run'],
    ['command export A="$X"', 'files', ['/home/u/app/src/export']],
    ['env PATH=. ls', undefined, 'it changes which programs run'],
    ['for PATH in .; do ls; done', undefined, 'it changes which programs run'],
    ['select PATH in .; do ls; done', undefined, 'it changes which programs run'],
    ['echo "${PATH=.}"', undefined, 'it changes which programs run'],
    ['node -e 1 -r ./x', undefined, 'node -e is not known to only read'],
    ['node -e 1 -- -r', 'files', []],
    ['python3 -c 1 -r', 'files', []],
    ['GIT_PAGER=cat git log', 'repository', []],
    ['GIT_PAGER=cat GIT_DIR=x git log', undefined, 'it changes which programs run'],
    ['git log; grep "GIT_DIR=" a', undefined, 'it changes what git does'],
    ['# a\n', undefined, 'it contains no command'],
    ['A=b', 'files', []],
    ['git log; printf "$X"', undefined, 'printf $X could have git show any file'],
    ['git log; export A=b', undefined, 'export A=b could have git show any file'],
    ['mapfile -C x a', undefined, 'mapfile makes the shell run something else'],
    ['jobs -x ls', undefined, 'jobs -x is not known to only read'],
    ['git grep --cached x', undefined, 'git grep is not known to only read'],
    ['git grep -O x', undefined, 'git grep is not known to only read'],
    ['git log -n 1000', 'repository', []],
    ['git log --format=%GG', undefined, 'git log is not known to only read'],
    ['git diff --tex HEAD', undefined, 'git diff is not known to only read'],
    ['git show HEAD:.env', undefined, 'it names HEAD:.env, which may hold secrets'],
    ['git show "HEAD@{0:0}:.env"', undefined, 'it names HEAD@{0:0}:.env, which may hold secrets'],
    ['git blame -- ":(top).env"', undefined, 'it names .env, which may hold secrets'],
    ['git log | less', undefined, 'less could have git show any file'],
    ['git log; awk "BEGIN { getline }"', undefined, 'awk BEGIN { getline } could have git show any file'],
    ['git log; sort --version', 'repository', []],
    ['node --version && npm --version && git log -1', 'repository', []],
    ['for h in HEAD HEAD~1; do git show --stat $h; done', 'repository', []],
    ['for o in --text; do git show $"$o"; done', undefined, 'git show is not known to only read'],
    ['for f in a; do x=v; printf -$x f %s --text; git show $f; done', undefined, 'git show is not known to only read'],
    ['y=([IFS=1]=2); for o in HEAD1--text; do git show $o; done', undefined, 'git show is not known to only read'],
    // Programs that read settings or load code of the project to print their version
    ...'yarn pytest mvn gradle rustc cargo dotnet php make prove java'.split(' ').map((program) => {
      const reason = `${program} --version could have git show any file`;
      return [`git log; ${program} --version`, undefined, reason] as const;
    }),
    ['yarn --version; git ls-files', 'index', []],
    ...['GCONV_PATH=x git log', 'RIPGREP_CONFIG_PATH=x rg y; git log', 'set -a; GCONV_PATH=x; git log'].map(
      (command) => [command, undefined, 'it changes what git does'] as const,
    ),
    ['for HOME in .; do git log; done', undefined, 'it changes what git does'],
    ['GIT_DIR=x git log', undefined, 'it changes which programs run'],
    ['sleep 1 &', undefined, 'it runs in the background'],
    ['ls > a', undefined, 'it writes to a'],
    ['ls > "$A"', undefined, 'it writes to $A'],
    ['ls >&3', undefined, 'it writes to 3'],
    ['ls > /tmp/shared', undefined, 'it writes to /tmp/shared'],
    ['./a', undefined, './a is not known to only read'],
    ['$A', undefined, 'the name of the program is computed'],
    ['rm a', undefined, 'rm a is not known to only read'],
    ['rm --version', 'files', []],
    ['find . -delete', undefined, 'find . is not known to only read'],
    ['uniq a b', undefined, 'uniq a is not known to only read'],
    ['sed -e "w x" a', undefined, 'sed -e is not known to only read'],
    ['sed --expression="w x" a', undefined, 'sed --expression=w x is not known to only read'],
    ['sed', 'files', []],
    ['node -v x', undefined, 'node -v is not known to only read'],
    ['node a.js', undefined, 'node a.js is not known to only read'],
    ['node -i -e 1', undefined, 'node -i is not known to only read'],
    ['node -e', undefined, 'node -e is not known to only read'],
    ['node -e "$X"', undefined, 'node -e is not known to only read'],
    ['node -e "fs.writeFileSync(1)"', undefined, 'node -e is not known to only read'],
    ['node -e "process.stdout.write(1)"', 'files', []],
    ['python3 -m http.server', undefined, 'python3 -m is not known to only read'],
    ['python3 -m "$X"', undefined, 'python3 -m is not known to only read'],
    ['python3 -m', undefined, 'python3 -m is not known to only read'],
    ['black a', undefined, 'black a is not known to only read'],
    ['npm run x', undefined, 'npm run is not known to only read'],
    ['npx -y tsc --noEmit', undefined, 'npx -y is not known to only read'],
    ['cat .env', undefined, 'it names .env, which may hold secrets'],
    ['cat < .env', undefined, 'it names .env, which may hold secrets'],
    ['cat ~/a', undefined, 'it names ~/a, which is outside the workspace'],
    ['cat ../../a', undefined, 'it names ../../a, which is outside the workspace'],
    ['cat /etc/passwd', undefined, 'it names /etc/passwd, which is outside the workspace'],
    ['cat /etc/os-release', 'files', ['/etc/os-release']],
    ['cd "$X" && cat a', 'files', ['/home/u/app/a']],
    ['# nothing', undefined, 'it contains no command'],
  ] as const)('%s', (command, view, more) => {
    const secret = /secrets/.test(String(more)) && { namesSecret: true };
    const expected =
      view === undefined ? { type: 'other', reason: more, ...secret } : { type: 'view', view, paths: more };
    expect(viewOf(command, PLACES, RULES)).toEqual(expected);
  });

  it.each([
    ['git show 0123abcd', [{ hash: '0123abcd', directory: '/home/u/app/src' }], []],
    ['cd .. && git -C lib show 0123abcd', [{ hash: '0123abcd', directory: '/home/u/app/lib' }], []],
    ['git grep x HEAD; git log -1', [], ['/home/u/app/src/HEAD']],
  ])('of %s has doubts, which its plan resolves', (command, commits, files) => {
    expect(viewOf(command, PLACES, RULES)).toMatchObject({ type: 'view', git: { commits, files } });
  });

  it('is not available for a hash in an unknown repository', () => {
    const reason = 'git runs in a directory that is not known';
    expect(viewOf('cd "$X"; git show 0123abcd', PLACES, RULES)).toEqual({ type: 'other', reason });
  });

  it('is not available on Windows, or for a command that takes too many steps to read', () => {
    const reason = 'there is no view of the workspace on Windows';
    expect(viewOf('ls', { ...PLACES, platform: 'windows' }, RULES)).toEqual({ type: 'other', reason });
    const steps = `${'eval '.repeat(16)}${'a '.repeat(32_000)}`;
    expect(viewOf(steps, PLACES, RULES)).toEqual({ type: 'other', reason: 'it takes too many steps to read' });
  });
});
