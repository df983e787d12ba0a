#!/usr/bin/env node
// The `mock-llm-server` command. src/cli/bin.ts explains this form.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `mock-llm-server needs Node.js 20.19 or newer, but this is ${process.versions.node}. Please update Node.js.\n`,
  );
  process.exitCode = 1;
} else {
  const path = process.getBuiltinModule('node:path');
  const home = process.env['HOME'] || process.env['USERPROFILE'] || '';
  const cache = process.env['XDG_CACHE_HOME'] || path.join(home, '.cache');
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  if (path.isAbsolute(cache) && typeof enableCompileCache === 'function')
    enableCompileCache(path.join(cache, 'mock-llm-server'));
  void import('./main.ts').then(({ main }) => main());
}
