import { describe, expect, it } from 'vitest';
import type { Places } from '../../../../../src/policy/shell/directories.ts';
import { checkCommand, parseBlockList, removalsIn } from '../../../../../src/policy/shell/shell-policy.ts';

const PLACES: Places = { workspace: '/w/app', workingDirectory: '/w/app', home: '/home/u', platform: 'posix' };

function check(command: string, places: Partial<Places> = {}): string {
  return checkCommand(command, parseBlockList([]), { ...PLACES, ...places }).type;
}

describe('a removal through a link that the command line creates', () => {
  it.each([
    ['ln -s ~ x; rm -rf x/*', 'blocked'],
    ['ln --symbolic ~ x; rm -rf x/', 'blocked'],
    ['ln -s ~ x; rm -rf x/.', 'blocked'],
    ['ln -s ~/a x; rm -rf x/..', 'blocked'],
    ['ln -s ~ x; rm -rf x', 'unlisted'],
    ['ln -s ~ x; rm -rf x/a', 'unlisted'],
    ['ln -s ~ x; rm -rf y/*', 'unlisted'],
    ['ln ~ x; rm -rf x/*', 'unlisted'],
    ['ln -s "$X" x; rm -rf x/*', 'unlisted'],
    ['ln -s ~ "$X"; rm -rf x/*', 'unlisted'],
    ['cp -s ~ x; rm -rf x/*', 'unlisted'],
    // names
    ['ln -s /home/u; rm -rf u/*', 'blocked'],
    ['ln -s /home/u x/; rm -rf x/u/*', 'blocked'],
    ['ln -s /home/u /etc x; rm -rf x/etc/*', 'blocked'],
    ['ln -s -t x /etc /home/u; rm -rf x/u/*', 'blocked'],
    ['ln -s --target-directory=x /home/u; rm -rf x/u/*', 'blocked'],
    ['ln -s .. x; rm -rf x/app', 'blocked'],
    ['ln -s . x; rm -rf x/*', 'blocked'],
    ['ln -s ..; rm -rf dist/*', 'unlisted'],
    ['ln -s x x; rm -rf x/*', 'unlisted'],
    ['ln -s y x; ln -s x y; rm -rf x/*', 'unlisted'],
    ['ln -s y x; ln -s ~ y; rm -rf x/*', 'blocked'],
    // directories
    ['cd sub && ln -s .. x; rm -rf sub/x/*', 'blocked'],
    ['cd "$X" && ln -s ~ x; rm -rf x/*', 'unclear'],
    ['cd "$X" && ln -s ~ /w/app/x; rm -rf /w/app/x/*', 'blocked'],
    ['ln -s ~ x; cd x && rm -rf *', 'blocked'],
    ['ln -s ~ x; cd x && rm -rf a', 'unlisted'],
    [`ln -s ~ x; rm -rf x${'/a'.repeat(2_100)}/*`, 'unlisted'],
  ])('by %s is %s', (command, type) => {
    expect(check(command)).toBe(type);
  });
});

describe('a removal through a link of a process', () => {
  it.each([
    ['rm -rf /proc/self/cwd/*', 'blocked'],
    ['rm -rf /proc/self/cwd', 'blocked'],
    ['rm -rf //proc//self//cwd//*', 'blocked'],
    ['rm -rf /proc/self/cwd/..', 'blocked'],
    ['rm -rf /proc/1/root/etc', 'blocked'],
    ['rm -rf /proc/*/root', 'blocked'],
    ['rm -rf /proc/[0-9]*/root/*', 'blocked'],
    ['rm -rf /proc/1/task/2/cwd/*', 'blocked'],
    ['rm -rf /proc/$$/cwd/*', 'blocked'],
    ['rm -rf /proc/$PPID/cwd/*', 'blocked'],
    ['rm -rf "/proc/$BASHPID/cwd/.."', 'blocked'],
    ['sleep 1 & rm -rf /proc/$!/cwd', 'blocked'],
    ['rm -rf /proc/$X/cwd/*', 'unclear'],
    ['rm -rf /proc/self/cwd/build', 'unlisted'],
    ['rm -rf /proc/self/cwds', 'unlisted'],
    ['rm -rf /x/proc/self/cwd/*', 'unlisted'],
    ['cd build && rm -rf /proc/self/cwd/*', 'unlisted'],
    ['cd build && rm -rf /proc/self/cwd/..', 'blocked'],
    ['cd /proc/self/cwd && rm -rf *', 'blocked'],
    ['cd /proc/self/root && rm -rf etc', 'blocked'],
    ['cd "$X" && rm -rf /proc/self/cwd/*', 'blocked'],
  ])('by %s is %s', (command, type) => {
    expect(check(command)).toBe(type);
  });
});

describe('a removal through a link of the file system', () => {
  const links = new Map([
    ['/w/app/home', '/home/u'],
    ['/w/app/up', '/w'],
  ]);
  it.each([
    ['rm -rf home/*', 'blocked'],
    ['rm -rf home/', 'blocked'],
    ['rm -rf home', 'unlisted'],
    ['rm -rf up/app', 'blocked'],
    ['rm -rf up/../etc', 'blocked'],
    ['find -L home -delete', 'blocked'],
    ['find -EL home -delete', 'blocked'],
    ['find -H home -delete', 'blocked'],
    ['find home -delete', 'unlisted'],
    ['find -P home -delete', 'unlisted'],
    ['rsync -a --delete x/ home', 'blocked'],
    ['mv up/* x', 'blocked'],
    ['mv up/app/* x', 'unlisted'],
    ['mv home/* x', 'blocked'],
    ['mv home x', 'unlisted'],
    ['rm -rf "home/$X"', 'unclear'],
    ['rm -rf "homes/$X"', 'unlisted'],
    ['rm -rf home/*/x', 'unlisted'],
  ])('by %s is %s', (command, type) => {
    expect(check(command, { links })).toBe(type);
  });

  it('is also compared on Windows', () => {
    const places: Places = {
      workspace: 'C:\\w\\app',
      workingDirectory: 'C:\\w\\app',
      home: 'C:\\u',
      platform: 'windows',
      links: new Map([['C:\\w\\app\\home', 'C:\\u']]),
    };
    expect(check('rm -rf home/*', places)).toBe('blocked');
    expect(check('rm -rf homes/*', places)).toBe('unlisted');
  });
});

describe('a removal through a link of the file system', () => {
  const places = { links: new Map([['/w/app/home', '/home/u']]) };

  it.each([
    ['rm -rf home/*', 'blocked'],
    ['rm -rf h*/*', 'blocked'],
    ['rm -rf [h]ome/', 'blocked'],
    ['rm -rf h*', 'unlisted'],
    ['rm -rf h*/a', 'unlisted'],
    ['rm -rf x*/*', 'unlisted'],
    ['rm -rf sub/h*/*', 'unlisted'],
    ['rm -rf {home,b}/*', 'blocked'],
    ['mv home m; rm -rf m/*', 'blocked'],
    ['mv home sub; rm -rf sub/home/*', 'blocked'],
    ['mv -t sub home; rm -rf sub/home/*', 'blocked'],
    ['mv build old; rm -rf old/*', 'unlisted'],
  ])('by %s is %s', (command, type) => {
    expect(check(command, places)).toBe(type);
  });
});

describe('the paths that a command removes', () => {
  it.each<[string, readonly string[]]>([
    ['rm -rf a b/*.o "c/$X"', ['/w/app/a', '/w/app/b/', '/w/app/c/']],
    ['cd d && rm -rf *', ['/w/app/d/']],
    ['cd d; rm -rf a', ['/w/app/a', '/w/app/d/a']],
    ['find -L d -delete', ['/w/app/d/']],
    ['rsync -a --delete x/ d', ['/w/app/d/']],
    ['mv * d', ['/w/app/']],
    ['ln -s a b; rm -rf b/x', ['/w/app/b/x', '/w/app/b/a/', '/w/app/a/']],
    ['cp -P a b; rm -rf b/x', ['/w/app/b/x', '/w/app/a/', '/w/app/a/']],
    ['cp "$X" b; rm -rf b/x', ['/w/app/b/x']],
    ['cp a "$X"; rm -rf b/x', ['/w/app/b/x']],
    ['cp; rm -rf b/x', ['/w/app/b/x']],
    ['install a b; "$P" a b; echo a b; rm -rf b/x', ['/w/app/b/x']],
    ['rm -rf "$X/a"', []],
    ['cd "$X" && rm -rf a', []],
    ['rm a', []],
    [`echo {${'a,'.repeat(1_000)}b}${'x'.repeat(1_000)}`, []],
  ])('of %s are found', (command, paths) => {
    expect(removalsIn(command, PLACES).paths).toEqual(paths);
  });
});
