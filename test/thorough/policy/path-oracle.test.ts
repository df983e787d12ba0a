import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ToolError } from '../../../src/agent/errors.ts';
import { createNodeFileSystem } from '../../../src/node/files/node-file-system.ts';
import { classOfPath, type PathRules } from '../../../src/policy/paths/path-policy.ts';
import { resolvePath } from '../../../src/tools/files/resolve-path.ts';
import { temporaryDirectory } from '../../support/processes/temporary-directory.ts';
import { propertySettings } from '../../support/random/property.ts';

const fileSystem = createNodeFileSystem();
const NAMES = ['a', 'b', 'c'] as const;

/** A path of a few names, which may leave its directory. */
const written = fc
  .tuple(
    fc.constantFrom('', '..', '/'),
    fc.array(fc.constantFrom(...NAMES, ...NAMES, '..', '.', 'new'), { minLength: 1, maxLength: 5 }),
  )
  .map(([start, names]) => ({ isAbsolute: start === '/', text: `${start === '/' ? '' : start}${names.join('/')}` }));
const entry = fc.record({
  place: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom('directory', 'file', 'link', 'link'),
  target: written,
});
const tree = fc.record({
  inside: fc.array(entry, { maxLength: 6 }),
  outside: fc.array(entry, { maxLength: 3 }),
  path: written,
});

type Tree = typeof tree extends fc.Arbitrary<infer Value> ? Value : never;

/** Builds a workspace `w` with an outside `o` beside it, and returns the path to judge. */
function build(base: string, { inside, outside, path: wanted }: Tree): string {
  const absolute = ({ isAbsolute, text }: Tree['path']): string =>
    isAbsolute ? path.join(base, text.replace(/^a/, 'w')) : text;
  for (const name of ['w', 'o']) fs.mkdirSync(path.join(base, name));
  for (const [root, entries] of [
    ['w', inside],
    ['o', outside],
  ] as const) {
    for (const { place, kind, target } of entries) {
      const file = path.join(base, root, ...place);
      try {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        if (kind === 'directory') fs.mkdirSync(file);
        else if (kind === 'file') fs.writeFileSync(file, 'x', { flag: 'wx' });
        else fs.symlinkSync(target.isAbsolute ? absolute(target) : target.text.replace(/^\.\.\/a/, '../o'), file);
      } catch {
        // There is another entry already, or a link leads nowhere.
      }
    }
  }
  return absolute(wanted);
}

/** Real path that the operating system gives a file with this path, or `undefined` if it cannot exist. */
function whereItIs(file: string): string | undefined {
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.closeSync(fs.openSync(file, 'a'));
  } catch {
    // It is a directory, or cannot be created.
  }
  return realPathOrNone(file);
}

/** The real path of a file as the operating system sees it; `undefined` if it does not exist. */
function realPathOrNone(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch {
    return undefined;
  }
}

async function judge(base: string, value: Tree, rules: (workspace: string) => PathRules): Promise<void> {
  const wanted = build(base, value);
  const workspace = path.join(base, 'w');
  const isInside = (file: string): boolean => file === workspace || file.startsWith(`${workspace}/`);
  // We take a final `/.` away, with which the system refuses a file.
  const raw = (wanted.startsWith('/') ? wanted : `${workspace}/${wanted}`).replace(/(?:\/\.)+$/, '');
  // The system resolves `..` itself, after the links before it.
  const real = realPathOrNone(raw);
  // A `..` after a name may be refused, because programs disagree about it.
  const mayBeRefused = /[abcnew]\/(?:\.\/)*\.\./.test(wanted);
  const pathRules = rules(workspace);
  const resolve = (access: 'read' | 'write') =>
    resolvePath(wanted, access, { fileSystem, pathRules }).catch((error: unknown) => {
      if (error instanceof ToolError) return undefined;
      throw error;
    });
  const read = await resolve('read');
  const written = await resolve('write');
  if (real !== undefined) {
    const answers = mayBeRefused ? [real, undefined] : [real];
    expect(answers).toContain(read?.realPath);
    expect(classOfPath(real, pathRules)).toBe(isInside(real) ? 'ordinary' : 'outside');
    expect(isInside(real) ? answers : [undefined]).toContain(written?.realPath);
    return;
  }
  expect([read?.exists, written?.exists]).not.toContain(true);
  const put = whereItIs(raw);
  if (written !== undefined) expect(put === undefined || (put === written.realPath && isInside(put))).toBe(true);
  // A read that asks nobody stays inside, even if the file appears before it happens.
  const asksNobody = read !== undefined && classOfPath(read.realPath, pathRules) === 'ordinary';
  if (asksNobody) expect(put === undefined || isInside(put)).toBe(true);
}

const rulesOf = (workspace: string): PathRules => ({
  workspace,
  allowedRoots: [workspace],
  readOnlyRoots: [],
  blockedPaths: [],
  platform: 'posix',
});

/** Runs the property in a new directory each time. */
async function check(
  rules: (workspace: string) => PathRules,
): Promise<{ readonly failed: boolean; readonly inside: number }> {
  // All paths in /dev, where the tests may have their files on Linux, are protected.
  const root = temporaryDirectory(process.platform === 'linux' ? '/tmp' : undefined);
  let count = 0;
  const property = fc.asyncProperty(tree, async (value) => {
    const top = path.join(root, String(count++));
    // Deeper than a path can go up, so that nothing of one run is there in the next one.
    const base = path.join(top, '1/2/3/4/5');
    fs.mkdirSync(base, { recursive: true });
    try {
      await judge(base, value, rules);
    } finally {
      fs.rmSync(top, { recursive: true });
    }
  });
  const { failed } = await fc.check(property, { ...propertySettings(60), endOnFailure: true });
  return { failed, inside: count };
}

it('a path is inside the workspace exactly if the operating system says so, whatever its links', async () => {
  expect(await check(rulesOf)).toMatchObject({ failed: false });
}, 600_000);

it('control: a policy that allows every path is detected', async () => {
  expect(await check((workspace) => ({ ...rulesOf(workspace), allowedRoots: ['/'] }))).toMatchObject({ failed: true });
}, 600_000);
