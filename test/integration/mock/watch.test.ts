import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { watchScenarios } from '../../../mock-llm-server/scenario/loading/reload.ts';
import { temporaryDirectory, writeFiles } from '../../support/processes/temporary-directory.ts';

let close = () => {};
afterEach(() => close());

/** Starts watching. `next` makes a change and resolves when it is reported. */
async function watching(...paths: readonly string[]) {
  const errors: string[] = [];
  let wake = () => {};
  const watcher = watchScenarios(paths, { onChange: () => wake(), onError: (message) => errors.push(message) });
  close = watcher.close;
  await watcher.ready;
  const next = (change: () => void) =>
    new Promise<void>((resolve) => {
      wake = resolve;
      change();
    });
  return { next, errors };
}

it('the watcher reports a written file, a replaced one, and one in a new story directory', async () => {
  const directory = temporaryDirectory();
  const { next, errors } = await watching(directory);
  const file = path.join(directory, 'a.json');
  await next(() => writeFileSync(file, '1'));
  await next(() => {
    writeFileSync(path.join(directory, '.a.json.swp'), '2');
    renameSync(path.join(directory, '.a.json.swp'), file);
  });
  const story = path.join(directory, 'story');
  await next(() => mkdirSync(story));
  await next(() => writeFileSync(path.join(story, 'scenario.json'), '{}'));
  expect(errors).toEqual([]);
});

it('the watcher reports a change of a single file', async () => {
  const file = path.join(temporaryDirectory(), 'a.json');
  writeFileSync(file, '1');
  const { next } = await watching(file);
  await next(() => writeFileSync(file, '2'));
});

it('the watcher reports changed and new files that a glob matches', async () => {
  const directory = temporaryDirectory();
  writeFiles(directory, { 'mocks/a.json': '1', 'mocks/b/c.json': '1' });
  const { next, errors } = await watching(`${directory.replaceAll('\\', '/')}/mocks/**/*.json`);
  await next(() => writeFileSync(path.join(directory, 'mocks/a.json'), '2'));
  await next(() => writeFileSync(path.join(directory, 'mocks/b/c.json'), '2'));
  await next(() => mkdirSync(path.join(directory, 'mocks/d')));
  await next(() => writeFileSync(path.join(directory, 'mocks/b/e.json'), '1'));
  expect(errors).toEqual([]);
});

it('the watcher reports changes in story directories that a glob matches', async () => {
  const directory = temporaryDirectory();
  writeFiles(directory, { 'stories/one/scenario.json': '1' });
  const { next, errors } = await watching(`${directory.replaceAll('\\', '/')}/stories/*`);
  await next(() => writeFileSync(path.join(directory, 'stories/one/scenario.json'), '2'));
  await next(() => mkdirSync(path.join(directory, 'stories/two')));
  await next(() => writeFileSync(path.join(directory, 'stories/two/scenario.json'), '1'));
  expect(errors).toEqual([]);
});

it('the watcher names a directory that it cannot watch', async () => {
  const { errors } = await watching(path.join(temporaryDirectory(), 'nowhere', 'a.json'));
  expect(errors).toEqual([expect.stringMatching(/^cannot watch .*nowhere, so its changes need a restart: .*ENOENT/)]);
});
