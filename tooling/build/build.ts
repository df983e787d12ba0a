// Builds dist/, unless the sources and dist/ are those of the last build. With --notices, also copies the notices.
import path from 'node:path';
import { runUnlessUnchanged } from '../run/unchanged.ts';

const root = path.join(import.meta.dirname, '../..');
const built = await runUnlessUnchanged({
  root,
  record: 'node_modules/.cache/build.txt',
  inputs: [
    'src',
    'mock-llm-server',
    'tooling',
    'package.json',
    'rolldown.config.ts',
    'tsconfig.json',
    'tsconfig.build.json',
    // What npm has installed.
    'node_modules/.package-lock.json',
  ],
  outputs: ['dist'],
  versions: [process.version],
  // The bundler is loaded only for a build.
  run: async () => (await import('./build-dist.ts')).buildDist(),
});
if (!built) console.log('dist/ is current.');
if (process.argv.includes('--notices')) await (await import('./build-dist.ts')).copyNotices();
