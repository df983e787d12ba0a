// Preloaded into a command by kill tests that must fail: a rename puts its files in place one after the other, in halves,
// as a program without atomic renames would.
const { promises, readdirSync, readFileSync, rmSync, statSync, mkdirSync, writeFileSync } = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const path = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

/** Time in which a file is half in place. The spans in which tests kill are chosen for it. */
const PAUSE_MS = 50;

promises.rename = async (from, to) => {
  const isDirectory = statSync(from).isDirectory();
  const names = isDirectory ? readdirSync(from, { recursive: true }) : [''];
  for (const name of names) {
    const source = path.join(from, name);
    if (statSync(source).isDirectory()) continue;
    const target = path.join(to, name);
    const content = readFileSync(source);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content.subarray(0, content.length / 2));
    await sleep(PAUSE_MS);
    writeFileSync(target, content);
  }
  rmSync(from, { recursive: true });
};
syncBuiltinESMExports();
