import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { execa } from 'execa';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory, writeFiles } from '../../support/temporary-directory.ts';

const runner = path.join(import.meta.dirname, '../../support/run-cached.ts');
const SOURCE = `
exports.answer = () => sayWord(process.env.WORD) + require('./other.js').word;
function sayWord(word) { return word === 'more' ? sayMore() : 'one'; }
function sayMore() { return 'more'; }
`;

let directory = '';
let cache = '';
beforeEach(() => {
  directory = temporaryDirectory();
  cache = path.join(directory, 'cache');
  writeFiles(directory, { 'code.js': SOURCE, 'other.js': "exports.word = ' word';", 'package.json': '{}' });
});

/** Loads the code in a process of its own, and returns what it prints and the functions that V8 has compiled for it. */
async function start(environment: Readonly<Record<string, string>> = {}) {
  const log = path.join(directory, 'v8.log');
  const flags = ['--log-function-events', `--logfile=${log}`, '--no-logfile-per-isolate'];
  const { stdout } = await execa(process.execPath, [...flags, runner, path.join(directory, 'code.js'), cache], {
    env: environment,
  });
  const rows = readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => line.split(','));
  const compiled = rows.flatMap(([kind, event, , , , , , name = '']) =>
    kind === 'function' && event === 'parse-function' && /^(?:exports\.answer|say)/.test(name) ? [name] : [],
  );
  return { stdout, compiled };
}

/** The stored files, by name. */
function stored(): ReadonlyMap<string, Buffer> {
  const [version = ''] = readdirSync(cache);
  const names = readdirSync(path.join(cache, version)).sort();
  return new Map(names.map((name) => [name, readFileSync(path.join(cache, version, name))]));
}

describe('the cache of compiled code', () => {
  it('keeps the functions that starts have run, from the second start on', async () => {
    expect(await start()).toEqual({ stdout: 'one word', compiled: ['exports.answer', 'sayWord'] });
    expect([...stored().keys()]).toEqual([]);
    expect((await start()).compiled).toEqual(['exports.answer', 'sayWord']);
    expect([...stored().keys()]).toEqual(['code.js', 'other.js']);
    expect(await start()).toEqual({ stdout: 'one word', compiled: [] });
  });

  it('adds the functions of other starts, three times', async () => {
    await start();
    await start();
    expect(await start({ WORD: 'more' })).toEqual({ stdout: 'more word', compiled: ['sayMore'] });
    expect((await start({ WORD: 'more' })).compiled).toEqual([]);
    const whole = stored();
    await start();
    expect(stored()).toEqual(whole);
  });

  it('compiles again what is damaged or cut', async () => {
    for (const damage of [
      (bytes: Buffer) => Buffer.from(bytes.map((byte, index) => (index === bytes.length - 9 ? byte ^ 1 : byte))),
      (bytes: Buffer) => bytes.subarray(0, 100),
      () => Buffer.alloc(0),
    ]) {
      await start();
      await start();
      const [version = ''] = readdirSync(cache);
      const file = path.join(cache, version, 'code.js');
      writeFileSync(file, damage(readFileSync(file)));
      expect(await start()).toEqual({ stdout: 'one word', compiled: ['exports.answer', 'sayWord'] });
      expect((await start()).compiled).toEqual([]);
    }
  });

  it('compiles again what V8 has compiled with other flags', async () => {
    await start();
    await start();
    const other = { NODE_OPTIONS: '--stack-trace-limit=5' };
    expect(await start(other)).toEqual({ stdout: 'one word', compiled: ['exports.answer', 'sayWord'] });
    expect((await start(other)).compiled).toEqual([]);
  });

  it('does without a directory that cannot be written', async () => {
    writeFiles(directory, { cache: 'a file' });
    expect((await start()).stdout).toBe('one word');
    expect((await start()).compiled).toEqual(['exports.answer', 'sayWord']);
  });
});
