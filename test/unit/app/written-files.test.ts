import { expect, it } from 'vitest';
import { configuredRun, MODEL } from '../../support/agent/configured-run.ts';

const call = (name: string, args: object) => ({ calls: [{ id: name, name, arguments: JSON.stringify(args) }] });
const WRITE = call('write_file', { path: 'build.js', content: 'x' });
const RUN = call('run_shell', { command: 'node build.js' });
const KEPT = '/home/ada/.config/ybs/written';

/** A new session with the list of written files of the previous one. */
async function session(answer: typeof WRITE, typed: readonly string[], kept: Readonly<Record<string, string>>) {
  const safety = { permission_mode: 'accept-edits', allowed_commands: ['node *'] };
  const { screen, listFiles, readFile } = await configuredRun({
    config: { llm: MODEL, safety, ui: { color: false } },
    answers: [answer, { text: 'Done.' }],
    files: kept,
    commands: [{ command: 'node build.js' }],
    typed,
  });
  const left = listFiles(KEPT).map((name) => [`${KEPT}/${name}`, readFile(`${KEPT}/${name}`)]);
  return { screen, left: Object.fromEntries(left) };
}

it('a rule of the configuration runs a file that an earlier session wrote once the user has allowed it', async () => {
  const written = await session(WRITE, [], {});
  const denied = await session(RUN, ['n'], written.left);
  const allowed = await session(RUN, ['y'], denied.left);
  const again = await session(RUN, [], allowed.left);
  for (const { screen } of [denied, allowed]) expect(screen).toContain('It runs code that the model wrote: build.js.');
  expect(denied.screen).toContain('✗ run_shell: denied');
  expect(again.screen).not.toContain('▌ ? ');
  for (const { screen } of [allowed, again]) expect(screen).toContain('→ run_shell: exit code 0');
});
