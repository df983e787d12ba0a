import { describe, expect, it } from 'vitest';
import { overwrittenIn } from '../../../../../src/policy/shell/destructive/overwritten-files.ts';

const PLACES = { workspace: '/w', workingDirectory: '/w', home: '/home/u', platform: 'posix' } as const;

/** The paths, with what may be inside of them, and `?` for names that are not known. */
function shown(command: string): readonly string[] {
  const { files, unknown } = overwrittenIn(command, PLACES);
  const paths = files.map(({ path, inside }) => (inside.length > 0 ? `${path}(${inside.join(',')})` : path));
  return [...paths, ...(unknown ? ['?'] : [])];
}

describe('the files that a command overwrites', () => {
  it.each<[string, readonly string[]]>([
    ['git archive -o a.zip HEAD; git archive --output=b HEAD; git grep -o c', ['/w/a.zip', '/w/b']],
    ["sed -n '/x/w a' b; sed 's/x/y/' b", ['/w/a']],
    [`awk '{ print > "a" }' b; awk '{ print >> "c" }' b; awk '$1 > 2' d`, ['/w/a']],
    ["sqlite3 x.db '.output a' 'select 1'; sqlite3 x.db \"select writefile('b', 1)\"", ['/w/a', '/w/b']],
    [`cd s && python3 -c 'open("a", "w").write(""); open("b")'`, ['/w/s/a']],
    ["python3 - <<E\nopen('a', 'r')\nPath('b').write_text('')\nE", ['/w/b']],
    [`node -e 'fs.writeFileSync("a", "")'; node -p 'fs.readFileSync("b")'`, ['/w/a']],
    [
      `ruby -e 'File.write("a", 1)'; perl -e 'open(F, ">", "b"); open F, ">c"; open(F, "<", "d")'`,
      ['/w/a', '/w/b', '/w/c'],
    ],
    ['ed -s b <<E\n1d\nw a\nE', ['/w/a']],
    ['x > a', ['/w/a']],
    ['x >| a', ['/w/a']],
    ['x &> a', ['/w/a']],
    ['x >& a', ['/w/a']],
    ['cat > src/a.ts <<E\nx\nE', ['/w/src/a.ts']],
    ['cd sub && x > a', ['/w/sub/a']],
    ['x > ~/a', ['/home/u/a']],
    ['x > "$F"', ['?']],
    ['find . -name "*.txt" -exec rm -f {} +', ['/w', '/w/found']],
    [
      'find -name a -delete; find b c -name d -exec rm {} +',
      ['/w', '/w', '/w/b', '/w/b', '/w/c', '/w/c', '/w/found', '/w/found'],
    ],
    ['fd x -x rm {}', ['?']],
    ['find src -exec sed -i s/a/b/ {} +', ['?']],
    ['find . -exec cp {} out \\;', ['?']],
    ['fd -e txt -x rm {.}.bak', ['?']],
    ['cd $X && y > a', ['?']],
    ['cd $X && y > /a', ['/a']],
    ['x | tee a b', ['/w/a', '/w/b']],
    ['x | sponge a', ['/w/a']],
    ['cp a b', ['/w/b(a)']],
    ['cp -r src/ lib', ['/w/lib(src)']],
    ['mv a/x.ts b', ['/w/b(x.ts)']],
    ['mv -t d a b', ['/w/d(a,b)']],
    ['mv *.ts d', ['/w/d(*.ts)', '/w/*.ts']],
    ['mv *.ts d/', ['/w/d(*.ts)']],
    ['mv **/a d', ['?']],
    // What `mv` puts somewhere is overwritten, or ends with the command.
    ['mv a n; mv b n', ['/w/n(a)', '/w/n(b)', '/w/a', '/w/b']],
    ['mv a b d/; mv c/a d', ['/w/d(a,b)', '/w/d(a)', '/w/a', '/w/c/a', '/w/c/a']],
    ['mv a b /tmp/d/; mv /tmp/d/a .', ['/tmp/d(a,b)', '/w(a)', '/w/b']],
    ['mv a n; x > n', ['/w/n(a)', '/w/n', '/w/a']],
    ['mv a d/; mv b/a d', ['/w/d(a)', '/w/d(a)', '/w/a', '/w/b/a', '/w/b/a']],
    ['mkdir d; mv a d; mv b d; mkdir $X', ['/w/d(a)', '/w/d(b)']],
    ['for f in *.a; do mv "$f" n; done', ['/w/n(*.a)', '/w/*.a']],
    ['for f in *.a; do mv "$f" "${f%.a}.b"; done', ['/w/*.b(*.a)']],
    ['for f in a/* b/*; do mv "$f" c/; done', ['/w/c(*)', '/w/c(*)', '/w/a/*', '/w/b/*']],
    ['mv a /tmp/', ['/tmp(a)', '/w/a']],
    ['mv a /tmp/x; mv b a; mv /tmp/x b', ['/tmp/x(a)', '/w/a(b)', '/w/b(x)']],
    ['mv $X n', ['?']],
    ['mv a "$D"', ['?']],
    ['install a b', ['/w/b(a)']],
    ['ln -sf a b', ['/w/b(a)']],
    ['ln --force a b', ['/w/b(a)']],
    ['sed -i s/a/b/ x y', ['/w/x', '/w/y']],
    ['sed -i.bak -e s/a/b/ x', ['/w/x']],
    ['sed -ni -f s x', ['/w/x']],
    ['sed --in-place s/a/b/ x', ['/w/x']],
    ['sed s/a/b/ -i x', ['/w/x']],
    ['sed -i s/a/b/ src/*.ts', ['/w/src/*.ts']],
    ['sed -i s/a/b/ $(ls)', ['?']],
    ['grep -l x . | xargs sed -i s/a/b/', ['?']],
    ['perl -pi -e s/a/b/ x', ['/w/x']],
    ['ruby -i -pe 1 x', ['/w/x']],
    ['perl -0777pi -e s/a/b/ x', ['/w/x']],
    ['perl -Mstrict -i.bak -pe s/a/b/ x', ['/w/x']],
    ['perl -e 1 x', []],
    ['perl -MList::Util -Ilib -ne 1 x', []],
    ['ruby -rdigest -rtime -e 1 x', []],
    ['for f in a b.md; do sed -i s/a/b/ "$f"; done', ['/w/a', '/w/b.md']],
    ['for f in a; do cd sub && sed -i s/a/b/ "$f"; done', ['/w/sub/a']],
    ['for d in a {b,c}; do for f in x; do rm $d/$f; done; done', ['/w/a/x', '/w/b/x', '/w/c/x']],
    [`for f in a b.md; do cp x "\${f}"; done`, ['/w/a(x)', '/w/b.md(x)']],
    ['for f in d/*.md; do [ -f "$f" ] && rm "$f"; done; for f in x; do tee "$f.y"; done', ['/w/x.y', '/w/d/*.md']],
    ['rm -r src/* lib/a*', ['/w/src/*', '/w/lib/a*']],
    ['rm -r src/*/x', ['/w/src/*/x']],
    ['rm -r src/*/../x', ['?']],
    [`ls | xargs -I{} sh -c 'x {} > /tmp/again-{}.log'`, ['?']],
    ['gawk -i inplace 1 x', ['/w/x']],
    ['find . -name a -fprint x', ['/w/x']],
    ['tar -czf x y', ['/w/x']],
    ['uniq a x', ['/w/x']],
    ['git log --output=x', ['/w/x']],
    ['sort -o x x', ['/w/x']],
    ['sort --output=x y', ['/w/x']],
    ['cd sub; x > a', ['/w/sub/a', '/w/a']],
    ['curl -so x http://h', ['/w/x']],
    ['wget -O x http://h', ['/w/x']],
    // Nothing
    ['x >> a', []],
    ['x 2>&1', []],
    ['x >&-', []],
    ['x < a', []],
    ['x | tee -a a', []],
    ['cp -n a b', []],
    ['mv --no-clobber a b', []],
    ['cp', []],
    ['ln -s a b', []],
    ['ln -f', []],
    ['sed -n 1p x', []],
    ['perl -ne 1 x', []],
    ['awk 1 x', []],
    ['sort x', []],
    ['curl http://h', []],
    ['wget http://h', []],
    ['ls', []],
    ['x'.repeat(70_000), []],
    [`${'eval '.repeat(16)}${'a '.repeat(32_000)}`, []],
    ['$X a', []],
  ])('of %.60s are %j', (command, files) => {
    expect([...shown(command)].sort()).toEqual([...files].sort());
  });

  // Each of them overwrites another file in Bash than the words of the loop, or one that is not known.
  it.each([
    ...[
      'f=s',
      'read f <<< s',
      'read <<< f',
      'printf -v f s',
      'builtin read f <<< s',
      '\\eval f=s',
      '$r f <<< s',
      '. ./r.sh',
      "trap 'f=s' DEBUG",
      '(( f = 2 ))',
      'f[0]=s',
      `: \${f:=s}`,
      'coproc f { x; }',
      'exec {f}> y',
    ].map((before) => `for f in a; do ${before}; sed -i s/a/b/ "$f"; done`),
    'for f in a; do env f=s sh -c \'rm "$f"\'; done',
    `for f in a; do rm "\${f%a}s"; done`,
    'for f in a; do :; done; rm "$f"',
    'rm "$f"; for f in a; do :; done',
    'for f; do rm "$f"; done',
    'for f do rm "$f"; done',
    'for f in; do rm "$f"; done',
    'for f in $(ls); do rm "$f"; done',
    'for f in **/s; do rm "$f"; done',
    'for _ in a; do : s; rm "$_"; done',
    'for f in a; do rm "$f"; done; fi',
  ])('are not known from a loop in %s', (command) => {
    expect(shown(command)).toContain('?');
  });
});

it.each<[string, readonly string[]]>([
  [`ls | xargs -I{} sh -c 'x {} > /tmp/again-{}.log'`, ['/tmp/again-']],
  [`ls | xargs -I{} sh -c 'x > "/tmp/{}/$X"'`, ['/tmp/']],
  [`ls | xargs -I{} sh -c 'x > ~/{}.log'`, ['/home/u/']],
  // The name may be an absolute path.
  ['cd /tmp/x && ls /w | xargs -I{} cp a {}.bak', ['']],
  ['find /w -exec cp a {} \\;', ['']],
  ['find /w -exec cp a /out/{} \\;', ['/out/']],
])('the names that %s computes start with %j', (command, starts) => {
  expect(overwrittenIn(command, PLACES).unknown).toEqual(starts);
});

it('the files that one command moves are as many as its words', () => {
  expect(overwrittenIn(`mv ${'a '.repeat(3000)}/tmp/x/`, PLACES).files).toHaveLength(3001);
});

describe('a command after which a file may have the content of another one', () => {
  it.each<[string, boolean]>([
    ['rm a', false],
    ['git status && rm a', false],
    ['rm a; git check-ignore a && git rev-list HEAD', false],
    ['git -C sub log; rm a', false],
    ['git --version; rm a', true],
    ['git', true],
    ['git checkout b; rm a', true],
    ['mv a b', true],
    ['ln a b', true],
    ['rsync a b', true],
    ['$X a', true],
  ])('%s: %s', (command, moves) => {
    expect(overwrittenIn(command, PLACES).moves === true).toBe(moves);
  });
});
