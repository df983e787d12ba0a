// Preloaded into a traced process. Appends the path of every loaded module to a file.
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
}
