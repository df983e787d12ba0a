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
  const { statfsSync } = process.getBuiltinModule('node:fs');
  // The cache must not take the last space, which a session needs. It may not exist yet.
  let free = 0;
  for (const place of [home, cache]) {
    try {
      const { bavail, bsize } = statfsSync(place);
      free = bavail * bsize;
    } catch {}
  }
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  if (path.isAbsolute(cache) && free > 50_000_000 && typeof enableCompileCache === 'function') {
    enableCompileCache(path.join(cache, 'mock-llm-server'));
  }
  void import('./main.ts').then(({ main }) => main());
}
