import { describe, expect, it } from 'vitest';
import { ASSUMPTIONS, decide, placesOf } from '../../../src/safety/decide.ts';
import { readOnlyUse } from '../../../src/safety/shell/read-only/read-only-command.ts';
import { parseBlockList } from '../../../src/safety/shell/shell-policy.ts';

const RULES = {
  workspace: '/home/u/app',
  home: '/home/u',
  allowedRoots: ['/home/u/app'],
  readOnlyRoots: [],
  blockedPaths: ['/home/u/.ssh', '/home/u/.aws', '/home/u/.config', '/home/u/.netrc'],
  platform: 'posix',
} as const;
const SETTINGS = {
  mode: 'ask',
  pathRules: RULES,
  blockList: parseBlockList(['rm -rf /', 'sudo', 'chmod 777']),
  levels: {},
  confirmedTools: [],
  assumptions: ASSUMPTIONS,
} as const;

/** The decision in a trusted workspace with the sandbox on. In it, `leak` and `lib` are links out of it. */
function verdictOf(command: string): 'allow' | 'ask' | 'deny' {
  const use = readOnlyUse(command, placesOf(RULES, RULES.workspace));
  const paths = use.type === 'read_only' ? [...use.paths, ...use.directories] : [];
  const reads = paths.map((requested) => {
    const realPath = requested.replace(/^\/home\/u\/app\/(?:leak|lib)\b/, '/home/u/other');
    return { requested, realPath, access: 'read' } as const;
  });
  const effect = { summary: 'a command', paths: [], command, workingDirectory: RULES.workspace, reads };
  return decide({ toolName: 'run_shell', toolEffect: 'execute', effect }, SETTINGS, []).type;
}

/** The commands of a table, one a line. */
function lines(table: string): readonly string[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

/** Commands that no task needs and that cannot be undone. */
const DENIED = lines(String.raw`
  rm -rf /
  rm -fr /
  rm -r -f /
  rm --recursive --force /
  rm -rf -- /
  rm -rf /*
  rm -rf //
  rm -rf /./
  rm -rf ~
  rm -rf "$HOME"
  rm -rf .
  rm -rf ..
  rm -rf *
  rm -rf ./*
  rm -rf /home
  rm -rf /home/u
  rm -rf /etc
  rm -rf /usr/lib
  rm -rf ../..
  cd / && rm -rf *
  cd .. && rm -rf app
  ls; rm -rf /
  ls && rm -rf / || true
  true | rm -rf /
  (rm -rf /)
  { rm -rf /; }
  echo "$(rm -rf /)"
  if true; then rm -rf /; fi
  for f in a; do rm -rf /; done
  f() { rm -rf /; }; f
  sh -c 'rm -rf /'
  bash -c "rm -rf /"
  bash -lc 'rm -rf /'
  eval 'rm -rf /'
  eval rm -rf /
  env rm -rf /
  env -i A=1 rm -rf /
  command rm -rf /
  nohup rm -rf / &
  nice -n 5 rm -rf /
  timeout 5 rm -rf /
  time rm -rf /
  xargs rm -rf / < a
  find / -delete
  find . -exec rm -rf / ;
  bash <<< 'rm -rf /'
  busybox rm -rf /
  /bin/rm -rf /
  \rm -rf /
  'rm' -rf /
  r''m -rf /
  rm$IFS-rf$IFS/
  {rm,-rf,/}
  sudo ls
  sudo -u root id
  /usr/bin/sudo ls
  SUDO_ASKPASS=x sudo -A ls
  ls | sudo tee /etc/x
  sudo$IFS/bin/id
  env sudo ls
  xargs sudo rm
  sh -c "env sudo ls"
  doas ls
  pkexec ls
  su -c ls
  su
  run0 ls
  chmod 777 a
  chmod 0777 a
  chmod -R 777 .
  chmod a+rwx a
  chmod ugo=rwx a
  chmod 1777 a
  install -m 777 a b
  shutdown now
  reboot
  halt
  poweroff
  systemctl reboot
  init 0
  mkfs.ext4 /dev/sda1
  mkfs /dev/sda
  mke2fs /dev/sda
  wipefs -a /dev/sda
  dd if=/dev/zero of=/dev/sda
  cat a > /dev/sda
  cp a /dev/sda
  tee /dev/nvme0n1 < a
  shred /dev/sda
  :(){ :|:& };:
  git clean -fdx
  rsync -a --delete empty/ .
`);

/** Commands that must not run without a question: they may write, run programs, use the network or show secrets. */
const NOT_ALLOWED = lines(`
  npm test
  npm install
  npm run build
  npx tsc
  node a.js
  node -e 1
  python3 -c 'print(1)'
  perl -e 1
  ruby -e 1
  make
  cargo build
  go run .
  ./run.sh
  bash run.sh
  sh -c ls
  bash -c 'cat a'
  . ./env.sh
  source env.sh
  eval ls
  exec ls
  command ls
  builtin pwd
  env
  env ls
  printenv
  set
  export A=1
  export PATH=.:$PATH
  declare -x A=1
  typeset A=1
  alias ls='rm a'
  unalias ls
  shopt -s expand_aliases
  hash -p ./x ls
  enable -n test
  read A
  printf -v PATH x
  printf '%n' PATH
  trap 'rm a' EXIT
  ulimit -n 5
  umask 0
  kill 1
  pkill node
  A=1 ls
  PATH=. ls
  LD_PRELOAD=./x.so ls
  GIT_PAGER=./x git log
  IFS=x; ls
  ls > a
  ls >> .bashrc
  ls >| a
  cat a > b
  cat < a
  ls 2> a
  ls &> a
  echo a | tee b
  cat << E
  cat <<< a
  exec 3> a
  ls &
  (ls)
  { ls; }
  if true; then ls; fi
  while true; do ls; done
  for f in a; do cat $f; done
  case a in a) ls;; esac
  ls() { rm a; }; ls
  function cat { rm a; }; cat
  coproc ls
  time ls
  [[ -f a ]]
  ((a++))
  let a=1
  cat $A
  cat "$A"
  cat $(ls)
  cat "$(ls)"
  cat <(ls)
  echo $PATH
  echo $((1+1))
  cat *
  cat a?
  cat {a,b}
  cat ~/a
  ls ~
  cat ~root/a
  $A
  "$A" b
  l$IFS
  ls$IFS-la
  cat /etc/passwd
  cat /etc/shadow
  ls /
  cat ../x
  cat ../../u/x
  cat a/../../x
  head -5 /proc/self/environ
  cat /dev/sda
  grep -r x /home
  cat /home/u/.ssh/id_rsa
  cat ../.ssh/id_rsa
  ls ../.aws
  cat /home/u/.netrc
  cd .. && cat x
  cd /; cat etc/passwd
  cd / && ls
  cd -
  cd
  cd ../.ssh && cat id_rsa
  pushd src
  cat leak
  cat leak/x
  cat lib/../x
  cd lib && cat x
  ls && cat leak
  find . -exec cat {} +
  find . -name x -exec rm {} ;
  find . -execdir ls ;
  find . -ok rm {} ;
  find . -delete
  find . -type f -delete
  find . -fprint a
  find . -fprintf a x
  find . -fls a
  find -L . -name x
  find / -name x
  find . -newer /etc/passwd
  fd -x rm
  xargs cat < a
  ls | xargs rm
  ls | xargs cat
  ls | sh
  echo ls | bash
  cat a | sort -o b
  sort -o a b
  sort -oa b
  sort --output=a b
  sort --outp=a b
  sort --compress-program=./x a
  sort --files0-from=a
  sort -T /x a
  uniq a b
  grep -f a b
  grep -R x .
  rg --pre ./x y
  rg --pre=./x y
  rg --hostname-bin ./x y
  rg -z y
  rg --hidden y
  rg -uuu y
  jq -f a b
  jq env a
  jq --rawfile a /etc/passwd . b
  sed -i s/a/b/ c
  sed s/a/b/ c
  sed -n 'w x' c
  sed -n '1e id' c
  sed -n 5p -i c
  awk '{print}' a
  awk 'BEGIN{system("id")}'
  vim a
  less a
  man ls
  tail -f a
  tail --retry -F a
  watch ls
  date -s x
  date 010203042026
  hostname x
  file -C -m a
  file -z a
  diff -l a b
  md5sum -c a
  du --files0-from=a
  wc --files0-from=a
  tree -o a
  xxd -r a b
  tar xf a
  tar --to-command=./x -xf a
  zip -T -TT ./x a b
  gzip a
  cp a b
  mv a b
  ln -s /etc a
  mkdir a
  touch a
  rm a
  rmdir a
  chmod +x a
  chown u a
  truncate -s 0 a
  dd if=a of=b
  curl http://x
  wget http://x
  nc x 1
  ssh x
  scp a x:
  ping x
  dig x
  git push
  git commit -m a
  git add .
  git checkout a
  git switch a
  git reset --hard
  git clean -n
  git fetch
  git pull
  git clone x
  git init
  git stash
  git stash pop
  git branch x
  git branch -D x
  git tag v1
  git tag -d v1
  git tag -a v1
  git remote add a b
  git remote update
  git remote show origin
  git config -l
  git config a.b c
  git -C .. log
  git -c core.pager=./x log
  git --git-dir=x log
  git --exec-path=. log
  git --work-tree=.. diff
  git diff --no-index a b
  git diff --ext-diff
  git diff --textconv
  git diff --output=a
  git log --show-signature
  git log --format=%G?
  git log --output=a
  git log -- ../x
  git show HEAD:../../x
  git show --ext-diff
  git grep -O x
  git blame a
  git rebase -x ls
  git bisect run ls
  git submodule foreach ls
  git alias
  git help
  git archive HEAD
  git ls-remote
  git cat-file -p HEAD
  git diff :/x
  test -v 'a[$(id)]'
  [ -R a ]
  docker ps
  docker run x
  kubectl get pods
  gh pr list
  aws s3 ls
  crontab -l
  at now
  screen ls
  tmux ls
  script -c ls
  strace ls
  gdb a
  ltrace ls
  setsid ls
  nohup ls
  nice ls
  timeout 5 ls
  stdbuf -o0 ls
  flock a ls
  parallel ls
  busybox ls
  ionice ls
  /bin/ls
  ./ls
  LS
  ls "
  ls )
  ls | | cat
  ls # and more
`);

/** Commands that run without a question. */
const ALLOWED = lines(String.raw`
  ls
  ls -la
  ls -la src test
  pwd
  whoami
  date
  uname -a
  cat package.json
  cat -n src/a.ts
  head -20 src/a.ts
  tail -n 50 src/a.ts
  head -n 20 src/a.ts | tail -n 5
  sed -n 10,20p src/a.ts
  sed -n '5p' src/a.ts
  wc -l src/a.ts src/b.ts
  grep -rn "word" src
  grep -rn --include="*.ts" "class Foo" .
  grep -c x a.txt | sort | uniq -c
  rg "function main" src
  rg -n -g "*.ts" word
  rg --files | head
  find . -name "*.ts"
  find src -type f -name "*.test.ts" -not -path "*/node_modules/*"
  find . -maxdepth 2 -type d | sort
  ls src | grep test
  ls && pwd
  ls; pwd
  ls || true
  cat a 2>/dev/null
  cat a 2>&1 | head
  cat missing > /dev/null
  [ -f a ] && cat a
  test -d src && ls src
  cd src && ls
  cd src && grep -n x a.ts
  cat ./a
  cat src/./a
  cat /home/u/app/a
  cat "a file"
  echo done
  echo "a; rm b"
  printf '%s\n' a b
  diff a b
  cmp a b
  stat a
  file a
  du -sh .
  df -h .
  jq .scripts package.json
  jq -r '.dependencies | keys[]' package.json
  sort a | uniq -c | sort -rn | head
  cut -d: -f1 a
  tr a-z A-Z
  basename src/a.ts
  dirname src/a.ts
  realpath a
  sha256sum a
  which node
  type ls
  node --version
  npm --version
  git --version
  git status
  git status --short
  git log --oneline -10
  git log -p -- src/a.ts
  git log --since=yesterday --author=ada
  git diff
  git diff --stat
  git diff HEAD~1 HEAD -- src
  git diff main...feature
  git --no-pager diff
  git show HEAD
  git show HEAD:src/a.ts
  git show --stat HEAD~2
  git branch
  git branch -a
  git branch --show-current
  git remote -v
  git tag -l
  git stash list
  git rev-parse HEAD
  git rev-parse --show-toplevel
  git ls-files
  git describe --tags
  git shortlog -sn HEAD
`);

/** Plain work, which a person may always approve. */
const PLAIN = lines(`
  npm test
  npm ci
  npm install left-pad
  npm run build -- --watch
  npx vitest run test/a.test.ts
  yarn install
  pnpm test
  node scripts/build.ts
  python3 -m pytest -q
  pip install -r requirements.txt
  cargo test --all
  go test ./...
  make -j4
  tsc -p .
  rm a.txt
  rm -rf build
  rm -rf node_modules dist
  rm -rf ./build/*
  rm -f *.log
  cd build && rm -rf *
  find . -name "*.pyc" -delete
  find build -type f -delete
  mkdir -p src/new
  touch src/new/a.ts
  cp -r src dst
  mv a b
  chmod +x run.sh
  chmod 755 run.sh
  chmod -R u+w dist
  git add -A && git commit -m "fix"
  git push origin main
  git push --force-with-lease
  git rebase -i HEAD~2
  git checkout -b feature
  git reset --hard HEAD
  git clean -fd build
  curl -fsSL http://localhost:3000/health
  docker compose up -d
  kill %1
  echo "sudo rm -rf /"
  echo 'rm -rf /' >> notes.md
  grep -rn "rm -rf /" .
  git commit -m "remove sudo and rm -rf /"
  cat sudo.txt
  ls /etc
  cat /etc/hosts
  echo hello > out.txt
  dd if=/dev/zero of=a bs=1 count=1
  cat a > /dev/null
  ls > /dev/stderr
  tee out.txt < a
  sed -i 's/a/b/' a
  awk '{print $1}' a
  for f in *.ts; do echo "$f"; done
  while read -r l; do echo "$l"; done < a
  export NODE_ENV=test && npm test
  NODE_ENV=test npm test
  tar czf a.tgz src
  systemctl status nginx
  ps aux | grep node
`);

describe('a command in a trusted workspace with the sandbox on', () => {
  it.each(DENIED)('is denied: %s', (command) => {
    expect(verdictOf(command.replace(/ ;$/, String.raw` \;`))).toBe('deny');
  });

  it.each([
    ...NOT_ALLOWED,
    'ls `id`',
    'echo $' + '{A:=x}',
    'echo $' + '{!A}',
    'echo $' + '{A@P}',
    'echo "`id`"',
    'ls \r',
    'ls \u0000',
    'cat a\u200b',
    'ls\u00a0-la',
    '',
  ])('does not run without a question: %j', (command) => {
    expect(verdictOf(command)).not.toBe('allow');
  });

  it.each(ALLOWED)('runs: %s', (command) => {
    expect(verdictOf(command)).toBe('allow');
  });

  it.each(PLAIN)('is not denied: %s', (command) => {
    expect(verdictOf(command)).not.toBe('deny');
  });

  it('is one of more than 300 in these tables', () => {
    expect(new Set([...DENIED, ...NOT_ALLOWED, ...ALLOWED, ...PLAIN]).size).toBeGreaterThan(300);
  });
});
