import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

const root = path.join(import.meta.dirname, '../..');
const ManifestSchema = z.object({
  version: z.string(),
  bin: z.record(z.string(), z.string()),
  exports: z.object({
    '.': z.object({ types: z.string(), default: z.string() }),
    './agent': z.object({ types: z.string(), default: z.string() }),
    './testing': z.object({
      import: z.object({ types: z.string(), default: z.string() }),
      require: z.object({ types: z.string(), default: z.string() }),
    }),
    './scenario.schema.json': z.string(),
  }),
  files: z.array(z.string()),
});
/** The parts of a clone that published pages link to, and that the package lacks. */
const REPOSITORY_ONLY = ['CONTRIBUTING.md', 'chapters', 'desktop', 'mock-llm-server', 'src', 'test', 'tooling'];
/** A typed scenario. */
const SCENARIOS = `import { type MockScenario, startMockLlm } from 'ybs/testing';
const scenario: MockScenario = { name: 'hello', trigger: 'hi', steps: [{ response: { content: 'Hello.' } }] };
export const server = startMockLlm({ scenarios: [scenario] });
`;

const manifest = ManifestSchema.parse(JSON.parse(read('package.json')));

/** Directory with the installed package and the types of Node.js. */
const project = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ybs-package-test-')));
const installed = path.join(project, 'node_modules/ybs');

beforeAll(async () => {
  await execa('node', ['tooling/build/package.ts', project], { cwd: root });
  mkdirSync(installed, { recursive: true });
  await execa('tar', ['-xzf', `ybs-${manifest.version}.tgz`, '-C', installed, '--strip-components=1'], {
    cwd: project,
  });
  mkdirSync(path.join(project, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name), 'junction');
  }
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('the package that npm run package writes', () => {
  it('needs no other package, and makes npm run nothing at an install', () => {
    const published = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
    expect(Object.keys(published).toSorted()).toEqual(
      ['bin', 'description', 'engines', 'exports', 'files', 'license', 'man', 'name', 'type', 'version'].toSorted(),
    );
  });

  it('takes at most 16 MB', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0);
    expect(bytes).toBeLessThan(16 * 1024 * 1024);
  });

  it('starts its commands', async () => {
    for (const bin of Object.values(manifest.bin)) {
      const { stdout } = await execa('node', [path.join(installed, bin), '--version']);
      expect(stdout).toBe(manifest.version);
    }
  });

  it.each([
    ['ES modules', 'check.mts', ''],
    ['CommonJS', 'check.cts', "import index = require('ybs/testing');\nvoid index;\n"],
  ])('has types that a strict compiler accepts without skipping libraries, for %s', async (_form, file, more) => {
    const imports = file.endsWith('.mts') ? "import { openAgent } from 'ybs';\nvoid openAgent;\n" : '';
    writeFileSync(path.join(project, file), imports + more + SCENARIOS);
    await compile(file);
  });

  it('has types with which the examples of docs/library.md compile', async () => {
    const examples = [...read('docs/library.md').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
    expect(examples).toHaveLength(3);
    const files = examples.map((_, index) => `library-${index}.mts`);
    for (const [index, file] of files.entries()) writeFileSync(path.join(project, file), examples[index] ?? '');
    await compile(...files, '--lib', 'esnext');
  });

  it('has a loop, ybs/agent, whose files load no module of Node.js and no library', async () => {
    const program = "require('ybs/agent'); console.log(Object.keys(require.cache).join('\\n'))";
    const { stdout } = await execa('node', ['--input-type=commonjs', '--eval', program], { cwd: project });
    const files = stdout.split('\n').filter((file) => file.endsWith('.js'));
    expect(files.map((file) => path.basename(file))).toContain('agent.js');
    for (const file of files) expect(readFileSync(file, 'utf8')).not.toMatch(/^[^/*]*\brequire\("(?!\.\/)/m);
  });

  it.each([
    ['ybs', '../../src/index.ts'],
    ['ybs/agent', '../../src/agent/index.ts'],
    ['ybs/testing', '../../mock-llm-server/testing.ts'],
  ])('exports from %s what its source exports, and nothing else', async (name, source) => {
    const program = `import * as library from '${name}'; console.log(JSON.stringify(Object.keys(library)))`;
    const { stdout } = await execa('node', ['--input-type=module', '--eval', program], { cwd: project });
    expect(JSON.parse(stdout)).toEqual(Object.keys(await import(source)));
  });

  it('has types that reject a misspelled field of a scenario', async () => {
    writeFileSync(path.join(project, 'wrong.mts'), SCENARIOS.replace('trigger:', 'triger:'));
    await expect(compile('wrong.mts')).rejects.toThrow(/triger/);
  });
});

/** Compiles files of the project as strictly as possible. */
async function compile(...files: readonly string[]): Promise<void> {
  const flags = ['--strict', '--skipLibCheck', 'false', '--noEmit', '--module', 'nodenext', '--target', 'es2022'];
  await execa('tsc', [...flags, '--types', 'node', ...files], { cwd: project, preferLocal: true, localDir: root });
}

describe('a clone after npm ci', () => {
  // npx installs a link to the clone, and refuses that for scripts which npm counts as install scripts.
  it('starts its commands with npx, as README.md says, even in a subdirectory', async () => {
    expect(read('README.md')).toContain('In the clone, `npx ybs` works after `npm ci`.');
    const clone = path.join(project, 'clone');
    mkdirSync(path.join(clone, 'docs'), { recursive: true });
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      copyFileSync(path.join(root, file), path.join(clone, file));
    }
    symlinkSync(path.join(root, 'dist'), path.join(clone, 'dist'), 'junction');
    const env = { npm_config_cache: path.join(project, 'npm-cache'), npm_config_offline: 'true' };
    for (const [command, cwd] of [
      ['ybs', clone],
      ['mock-llm-server', path.join(clone, 'docs')],
    ] as const) {
      const { stdout } = await execa('npx', [command, '--version'], { cwd, env });
      expect(stdout).toBe(manifest.version);
    }
  });
});

describe('npm start', () => {
  it('explains how to continue a session, which works', async () => {
    // Sessions and copies of other tests would be found, too.
    const home = mkdtempSync(path.join(project, 'home-'));
    const env = {
      HOME: home,
      USERPROFILE: home,
      XDG_CONFIG_HOME: path.join(home, '.config'),
      TMPDIR: home,
      TEMP: home,
    };
    const start = (...args: readonly string[]) =>
      execa('node', ['tooling/run/start.ts', ...args], { cwd: root, env, stdin: 'ignore' });
    const { stderr } = await start('write a short greeting');
    expect(stderr).toContain('for instance: npm start -- --continue\n');
    const sessions = path.join(home, '.config/ybs/sessions');
    const [name = ''] = readdirSync(sessions).filter((file) => file.endsWith('.jsonl'));
    const [, copy = ''] = /^Workspace: (.*?),/.exec(stderr) ?? [];
    for (const options of [['--continue'], ['--resume', name], ['--cwd', copy, '--resume', name]]) {
      const next = await start(...options, 'write a short greeting');
      expect(next.stderr).toContain(`Workspace: ${copy}, a copy of examples/playground.`);
      expect(next.stderr).toContain('Mode: full access, or the stricter one of the session, unsandboxed');
    }
    const asked = await start('--permission-mode', 'ask', 'what can you do');
    expect(asked.stderr).toContain('Mode: as given, unsandboxed');
    expect(readFileSync(path.join(sessions, name), 'utf8').match(/"type":"user","content"/g)).toHaveLength(4);
  });
});

describe('npm start -- --help', () => {
  it.each([['-h'], ['--help'], ['--version'], ['--cwd=.', 'what can you do']])(
    'makes no copy of the playground for %s',
    async (...options) => {
      const TMPDIR = path.join(project, `tmp${options[0]}`);
      mkdirSync(TMPDIR);
      const env = { TMPDIR, HOME: project, XDG_CONFIG_HOME: path.join(project, '.config') };
      const { stderr } = await execa('node', ['tooling/run/start.ts', ...options], { cwd: root, env, stdin: 'ignore' });
      expect(stderr).not.toContain('Workspace:');
      expect(readdirSync(TMPDIR).filter((name) => name.startsWith('ybs-'))).toEqual([]);
    },
  );
});

describe('the published package', () => {
  it.each(Object.values(manifest.bin))('contains %s, which can be started', (bin) => {
    expect(read(bin).startsWith('#!/usr/bin/env node\n')).toBe(true);
    // Windows has no permission bits.
    if (process.platform !== 'win32') expect(statSync(path.join(root, bin)).mode & 0o111).toBe(0o111);
  });

  it('contains every export and every listed file', () => {
    const { '.': library, './agent': agent, './testing': testing, './scenario.schema.json': schema } = manifest.exports;
    const forms = [library, agent, testing.import, testing.require].flatMap((form) => Object.values(form));
    const files = [...forms, schema, ...manifest.files];
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });

  it('has pages that link to published files, or to files that only a clone has', () => {
    const names = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const pages = ['README.md', ...names.map((name) => `docs/${name}`)];
    const links = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) =>
        path.posix.join(path.posix.dirname(page), link),
      ),
    );
    expect(links.length).toBeGreaterThan(20);
    const isThere = (link: string) => existsSync(path.join(root, link));
    expect(links.filter((link) => !isThere(link))).toEqual([]);
    const shipped = (link: string) => manifest.files.some((file) => link === file || link.startsWith(`${file}/`));
    const others = links.filter((link) => !shipped(link)).map((link) => link.split('/')[0]);
    expect([...new Set(others)].toSorted()).toEqual(REPOSITORY_ONLY);
  });

  it('has commands that load no other file before they check the version', () => {
    for (const bin of Object.values(manifest.bin)) {
      const [before = '', after = ''] = read(bin).split(' needs Node.js ');
      expect(after).toContain('require("./chunk-');
      expect(before).not.toMatch(/require|import/);
    }
  });

  it('has a current THIRD-PARTY-NOTICES.md (if this fails: npm run notices)', () => {
    expect(read('THIRD-PARTY-NOTICES.md')).toBe(read('dist/THIRD-PARTY-NOTICES.md'));
  });
});

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
