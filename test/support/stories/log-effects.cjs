// Preloaded into a command: appends a line to a file for each process that it starts, each address that it connects to or
// looks up, and each path that it opens for writing or changes.
const childProcess = require('node:child_process');
const dns = require('node:dns');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const net = require('node:net');

const file = process.env['YBS_EFFECTS'];
const { constants } = fs;
const descriptor = file === undefined ? -1 : fs.openSync(file, 'a', 0o600);

function log(kind, what) {
  fs.writeSync(descriptor, `${kind} ${what}\n`);
}

/** Replaces a function by one that logs what `describe` returns of its arguments, unless that is undefined. */
function watch(object, name, kind, describe) {
  const original = object[name];
  object[name] = function (...args) {
    const what = describe.call(this, ...args);
    if (what !== undefined) log(kind, what);
    return original.apply(this, args);
  };
}

if (file !== undefined) {
  watch(childProcess.ChildProcess.prototype, 'spawn', 'start', (options) => options.file);
  for (const name of ['spawnSync', 'execSync', 'execFileSync'])
    watch(childProcess, name, 'start', (program) => program);
  watch(net.Socket.prototype, 'connect', 'connect', (first) => {
    const { port, path } = Array.isArray(first) ? first[0] : Object(first);
    return path ?? port ?? first;
  });
  watch(dns, 'lookup', 'lookup', (host) => host);
  const writes = (flags) =>
    typeof flags === 'number'
      ? (flags & (constants.O_WRONLY | constants.O_RDWR | constants.O_CREAT)) !== 0
      : /[wa+]/.test(flags ?? 'r');
  for (const object of [fs, fs.promises]) {
    for (const suffix of ['', 'Sync']) {
      if (object[`open${suffix}`] === undefined) continue;
      watch(object, `open${suffix}`, 'write', (path, flags) => (writes(flags) ? path : undefined));
      for (const name of ['writeFile', 'appendFile', 'mkdir', 'rename', 'unlink', 'rm', 'rmdir', 'chmod', 'truncate']) {
        watch(object, `${name}${suffix}`, 'write', (path) => path);
      }
      for (const name of ['symlink', 'link', 'copyFile', 'cp'])
        watch(object, `${name}${suffix}`, 'write', (_, path) => path);
    }
  }
  syncBuiltinESMExports();
}
