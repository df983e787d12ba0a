// Builds dist/ as a whole or not at all: into a directory of its own first, which then takes the place of dist/.
import { chmod, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { build } from 'rolldown';
import { scenarioJsonSchema } from '../mock-llm-server/json-schema.ts';
import config, { entries } from '../rolldown.config.ts';
import { thirdPartyNotices } from './notices.ts';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const cache = path.join(root, 'node_modules/.cache');
const fresh = path.join(cache, `dist-${process.pid}`);
const previous = path.join(cache, `dist-${process.pid}-previous`);
const bins = ['ybs.js', 'mock-llm-server.js'];

try {
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const parts = await Promise.allSettled([bundle(), declarations(), schema()]);
  const failures = parts.flatMap((part) => (part.status === 'rejected' ? [part.reason] : []));
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  await swap();
} finally {
  await Promise.all([fresh, previous].map((directory) => rm(directory, { recursive: true, force: true })));
}

async function bundle(): Promise<void> {
  const { output } = await build({ ...config, cwd: root, output: { ...config.output, dir: fresh } });
  const chunks = output.filter((file) => file.type === 'chunk');
  const missing = Object.keys(entries).filter((name) => !chunks.some((chunk) => chunk.fileName === `${name}.js`));
  if (missing.length > 0) throw new Error(`not in the bundle: ${missing.join(', ')}`);
  const notices = thirdPartyNotices(chunks.flatMap((chunk) => chunk.moduleIds));
  await writeFile(path.join(fresh, 'THIRD-PARTY-NOTICES.md'), notices);
  await Promise.all(bins.map((bin) => chmod(path.join(fresh, bin), 0o755)));
}

/** Declarations only: whether the types are right is asked by `npm run typecheck`. */
async function declarations(): Promise<void> {
  const outDir = path.join(fresh, 'types');
  await execa('tsc', ['-p', 'tsconfig.build.json', '--noCheck', '--outDir', outDir], {
    cwd: root,
    preferLocal: true,
    stdio: 'inherit',
  });
}

async function schema(): Promise<void> {
  await writeFile(path.join(fresh, 'scenario.schema.json'), `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
}

async function swap(): Promise<void> {
  await rename(dist, previous).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  });
  await rename(fresh, dist);
  if (process.argv.includes('--notices')) {
    await copyFile(path.join(dist, 'THIRD-PARTY-NOTICES.md'), path.join(root, 'THIRD-PARTY-NOTICES.md'));
  }
}
