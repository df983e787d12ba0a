import { registerHooks } from 'node:module';

const installed = Symbol.for('ybs.test.resolve-imports');
const own = new URL('../../..', import.meta.url).href;
const libraries = new URL('node_modules/', own).href;

const resolved = new Map<string, string>();

/** The URL of a relative import of one file of the project by another, whose name is complete. */
function resolveOwn(specifier: string, parent: string | undefined): string | undefined {
  if (!specifier.startsWith('.') || !specifier.endsWith('.ts')) return;
  if (parent?.startsWith(own) !== true || parent.startsWith(libraries)) return;
  // Most imports are repeated: code that a command loads on demand is asked for in each test.
  const key = `${parent} ${specifier}`;
  const url = resolved.get(key) ?? new URL(specifier, parent).href;
  resolved.set(key, url);
  return url;
}

let imports = 0;

/**
 * The URL of a test file or a setup file without the time of its import, with which Node.js would compile each file in
 * each run and keep the code in its cache. Setup files are numbered, because they run again for each test file.
 */
function resolveTimed(specifier: string): string | undefined {
  const file = specifier.startsWith(own) ? /^(.*\.ts)(?:%3F|\?)vitest=\d+$/.exec(specifier)?.[1] : undefined;
  if (file === undefined || file.endsWith('.test.ts')) return file;
  imports += 1;
  return `${file}?import=${imports}`;
}

// Otherwise vitest sends a message to its main process for each import, which only its watch mode needs.
if (process.env['VITEST_MODE'] !== 'WATCH' && Reflect.get(globalThis, installed) === undefined) {
  Reflect.set(globalThis, installed, true);
  registerHooks({
    resolve(specifier, context, next) {
      const url = resolveTimed(specifier) ?? resolveOwn(specifier, context.parentURL);
      return url === undefined ? next(specifier, context) : { url, format: 'module-typescript', shortCircuit: true };
    },
  });
}
