import { expect, it } from 'vitest';
import { programIn, resumeHint } from '../../../src/cli/resume-hint.ts';
import { PLAIN } from '../../../src/terminal/output.ts';

const record = { file: '/s/session-1.jsonl', name: 'session-1', messageCount: 1 };

it.each([
  ['no option', {}, '--resume session-1'],
  ['an option that the session keeps', { permissionMode: 'read-only' }, '--resume session-1'],
  [
    'options that select the session and the model',
    { config: 'my config.json', provider: 'mock', endpoint: 'http://[::1]:9/v1', model: 'a/b:7b', cwd: "it's" },
    `--config 'my config.json' --provider mock --endpoint 'http://[::1]:9/v1' --model a/b:7b --cwd 'it'\\''s' --resume session-1`,
  ],
  [
    'a model that was chosen from a list and not saved',
    { provider: 'ollama', endpoint: undefined, model: 'm' },
    '--provider ollama --model m --resume session-1',
  ],
  ['a name with control characters', { cwd: 'a\u001b[2J' }, "--cwd 'a\\u{1b}[2J' --resume session-1"],
] as const)('the hint after a run with %s', (_, options, expected) => {
  const hint = resumeHint(record, options, 200, PLAIN);
  expect(hint).toContain(`To continue: ybs ${expected}\n`);
});

it.each([
  ['is not stored', { ...record, file: undefined }],
  ['has no messages', { ...record, messageCount: 0 }],
])('there is no hint about a session that %s', (_, unfinished) => {
  expect(resumeHint(unfinished, { provider: 'mock' }, 200, PLAIN)).toBe('');
});

it.each([
  [36, '▌ To continue:\nybs --resume session-1\n'],
  [37, '▌ To continue: ybs --resume session-1\n'],
])('the hint keeps the command on one line in %d columns', (columns, expected) => {
  expect(resumeHint(record, {}, columns, PLAIN)).toBe(expected);
});

it.each([
  [{ npm_lifecycle_event: 'npx' }, 'npx ybs --resume session-1'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'ybs' }, 'npm start -- --resume session-1'],
  [{ npm_lifecycle_event: 'start', npm_package_name: 'shop' }, 'ybs --resume session-1'],
  // https://github.com/earendil-works/pi/issues/8048
  [{ HOME: '/h', XDG_CONFIG_HOME: '/my files' }, "XDG_CONFIG_HOME='/my files' ybs --resume session-1"],
  [{ XDG_CONFIG_HOME: '/c', npm_lifecycle_event: 'npx' }, 'XDG_CONFIG_HOME=/c npx ybs --resume session-1'],
  [{ HOME: '/h', XDG_CONFIG_HOME: '/h/.config' }, 'ybs --resume session-1'],
  [{ HOME: '/h', XDG_CONFIG_HOME: 'relative' }, 'ybs --resume session-1'],
])('the hint begins with the words that started ybs: %j', (environment, expected) => {
  const hint = resumeHint(record, {}, 200, PLAIN, programIn(environment));
  expect(hint).toBe(`▌ To continue: ${expected}\n`);
});
