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
  // The caches are not in the shared temporary directory, where another user could plant compiled code, nor in a relative
  // directory, where the project could.
  const path = process.getBuiltinModule('node:path');
  const home = process.env['HOME'] || process.env['USERPROFILE'] || '';
  const caches = process.env['XDG_CACHE_HOME'] || path.join(home, '.cache');
  const { enableCompileCache } = process.getBuiltinModule('node:module');
  const hasCache = path.isAbsolute(caches) && !process.env['NODE_DISABLE_COMPILE_CACHE'];
  if (hasCache && typeof enableCompileCache === 'function') enableCompileCache(path.join(caches, 'ybs'));
  const start = async (): Promise<void> => {
    // The version and the help need so little code that the cache would cost more, and a chat would show its prompt later.
    const isShort = /^(?:--version|--help|-h)$/.test(process.argv.slice(2).join(' '));
    const { isatty } = process.getBuiltinModule('node:tty');
    if (hasCache && !isShort && !(isatty(0) && isatty(1))) {
      const { openCodeCache } = await import('../adapters/code-cache.ts');
      openCodeCache(import.meta.dirname, path.join(caches, 'ybs/code'));
    }
    await (await import('./main.ts')).main();
  };
  void start();
}
