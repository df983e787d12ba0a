// Preloaded into a traced process. Appends to a file the path of every loaded module and, at the end, `node:` with the
// name of every loaded module of Node.js itself.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const traceFile = process.env['YBS_TRACE_MODULES'];

if (traceFile !== undefined) {
  registerHooks({
    load(url, context, nextLoad) {
      if (url.startsWith('file:')) appendFileSync(traceFile, `${fileURLToPath(url)}\n`);
      return nextLoad(url, context);
    },
  });
  process.on('exit', () => {
    const loaded: unknown = Reflect.get(process, 'moduleLoadList');
    if (!Array.isArray(loaded)) throw new Error('this Node.js does not list its modules');
    const names = loaded.map((name) => String(name).split(' ')[1]);
    appendFileSync(traceFile, names.map((name) => `node:${name}\n`).join(''));
  });
}
