import { chmod, copyFile, cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type OutputChunk, type Plugin } from 'rolldown';
import { scenarioJsonSchema } from '../../mock-llm-server/scenario/format.ts';
import config, { entries, libraries } from '../../rolldown.config.ts';
import { thirdPartyNotices } from './notices.ts';
import { writeTypes } from './types.ts';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');
const cache = path.join(root, 'node_modules/.cache');
const fresh = path.join(cache, `dist-${process.pid}`);
const tree = path.join(cache, `types-${process.pid}`);
const previous = path.join(cache, `dist-${process.pid}-previous`);
/** The library that reads the Markdown of answers, as browsers load it. */
const marked = path.join(root, 'node_modules/marked/lib/marked.esm.js');
const bins = ['ybs.js', 'mock-llm-server.js'];

/** Builds dist/ completely or not at all: in a temporary directory, which then replaces dist/. */
export async function buildDist(): Promise<void> {
  try {
    await rm(fresh, { recursive: true, force: true });
    await mkdir(fresh, { recursive: true });
    const parts = await Promise.allSettled([bundle(), writeTypes({ root, tree, output: fresh }), schema(), copyPage()]);
    const failures = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
    await swap();
  } finally {
    await Promise.all([fresh, previous, tree].map((directory) => rm(directory, { recursive: true, force: true })));
  }
}

/** Copies the notices of dist/ to the directory of the project, which publishes them. */
export async function copyNotices(): Promise<void> {
  await copyFile(path.join(dist, 'THIRD-PARTY-NOTICES.md'), path.join(root, 'THIRD-PARTY-NOTICES.md'));
}

async function bundle(): Promise<void> {
  const exported = new Map<string, readonly string[]>();
  const readExports: Plugin = {
    name: 'read-exports',
    moduleParsed({ id, isEntry, exports }) {
      if (isEntry) exported.set(path.relative(root, id), exports.toSorted());
    },
  };
  const plugins = [config.plugins, readExports];
  const { output } = await build({ ...config, plugins, cwd: root, output: { ...config.output, dir: fresh } });
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const name of Object.keys(entries)) entryOf(chunks, name);
  refuseCycles(chunks);
  await writeFile(path.join(fresh, 'package.json'), '{ "type": "commonjs" }\n');
  await Promise.all(libraries.map((name) => writeModule(name, exported.get(entries[name]) ?? [])));
  const notices = thirdPartyNotices([...chunks.flatMap((chunk) => chunk.moduleIds), marked]);
  await writeFile(path.join(fresh, 'THIRD-PARTY-NOTICES.md'), notices);
  await Promise.all(bins.map((bin) => chmod(path.join(fresh, bin), 0o755)));
}

/** A file of CommonJS that is loaded in a cycle sees only a part of the exports of another. */
function refuseCycles(chunks: readonly OutputChunk[]): void {
  const imports = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]));
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`chunks import each other: ${[...path, name].join(' > ')}`);
    for (const next of imports.get(name) ?? []) visit(next, [...path, name]);
    imports.delete(name);
  };
  for (const name of [...imports.keys()]) visit(name, []);
}

function entryOf(chunks: readonly OutputChunk[], name: string): OutputChunk {
  const entry = chunks.find((chunk) => chunk.fileName === `${name}.js`);
  if (entry === undefined) throw new Error(`missing in the bundle: ${name}`);
  return entry;
}

/** Writes an ES module with these exports of a file, which also has others for its chunks. */
async function writeModule(name: string, exported: readonly string[]): Promise<void> {
  const lines = [`import module from './${name}.js';`, `export const { ${exported.join(', ')} } = module;`, ''];
  await writeFile(path.join(fresh, `${name}.mjs`), lines.join('\n'));
}

async function schema(): Promise<void> {
  await writeFile(path.join(fresh, 'scenario.schema.json'), `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
}

/** Copies the files of the web page, which the browser gets as they are. */
async function copyPage(): Promise<void> {
  const [from, to] = [path.join(root, 'src/web/page'), path.join(fresh, 'page')];
  await cp(from, to, { recursive: true, filter: (name) => !/\.d\.ts$|tsconfig\.json$/.test(name) });
  await copyFile(marked, path.join(to, 'conversation/marked.js'));
}

async function swap(): Promise<void> {
  await rename(dist, previous).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
  await rename(fresh, dist);
}
