#!/usr/bin/env node
// Entry of the `ybs` command. A Node that is too old for the rest must still be able to run this file: it has no
// top-level await and imports nothing, because a missing export is a SyntaxError before the first line runs.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `ybs needs Node.js 20.19 or newer, but this is ${process.versions.node}. Please update Node.js.\n`,
  );
  process.exitCode = 1;
} else {
  // Node 20 lacks this method and execa uses it while it loads.
  if (!('union' in Set.prototype)) {
    Object.defineProperty(Set.prototype, 'union', {
      configurable: true,
      writable: true,
      value: function union(this: Set<unknown>, other: Set<unknown>) {
        return new Set([...this, ...other]);
      },
    });
  }
  // The cache is not in the shared temporary directory, where another user could plant compiled code, nor in a relative
  // directory, where the project could.
  const path = process.getBuiltinModule('node:path');
  const home = process.env['HOME'] || process.env['USERPROFILE'] || '';
  const cache = process.env['XDG_CACHE_HOME'] || path.join(home, '.cache');
  const { readFileSync, statfsSync } = process.getBuiltinModule('node:fs');
  // The cache must not take the last space, which a session needs. It may not exist yet.
  let free = 0;
  for (const place of [home, cache]) {
    try {
      const { bavail, bsize } = statfsSync(place);
      free = bavail * bsize;
    } catch {}
  }
  // Node.js ignores this signal of a limit of the file size, but a library that listens to it for a while leaves its
  // default, which ends the process. It is ignored no longer when Node.js exits and writes the cache.
  if (process.platform !== 'win32') process.on('SIGXFSZ', () => {});
  let hasFileLimit = false;
  try {
    hasFileLimit = /^Max file size +\d/m.test(readFileSync('/proc/self/limits', 'latin1'));
  } catch {}
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  if (path.isAbsolute(cache) && free > 50_000_000 && !hasFileLimit && typeof enableCompileCache === 'function') {
    enableCompileCache(path.join(cache, 'ybs'));
  }
  void Promise.all([import('./main.ts'), import('../node/descriptors.ts')]).then(
    ([{ main }, { closeInheritedDescriptors }]) => main(closeInheritedDescriptors(process.argv.slice(2))),
  );
}
