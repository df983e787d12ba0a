import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSubcommand } from '../../../../src/cli/command-line/find-subcommand.ts';
import { readAs } from '../../../support/agent/config-command.ts';

describe('ybs config', () => {
  const HOME = '/home/ada/.ybs.json';
  const config = {
    llm: {
      provider: 'openai-compatible',
      endpoint: 'https://me:pass@llm.example.com/v1',
      headers: { 'x-token': 'topsecret' },
      max_tokens: 9,
    },
    models: { profiles: [{ name: 'a', provider: 'ollama', headers: { 'x-token': 'topsecret' } }] },
  };

  it('shows a key with its origin', async () => {
    expect((await readAs('config llm.max_tokens', { config })).screen).toBe(`llm.max_tokens  9  (${HOME})\n`);
    expect((await readAs('config agent.max_iterations', {})).screen).toBe('agent.max_iterations  25  (default)\n');
  });

  it('shows a section', async () => {
    const { screen } = await readAs('config tools.builtin.read_file', { config });
    expect(screen).toMatch(/^tools\.builtin\.read_file\.enabled +true {2}\(default\)\n/);
    expect(screen.split('\n')).toHaveLength(4);
  });

  it('shows every key and no secret', async () => {
    const { screen, outcome } = await readAs('config', { config });
    expect(outcome).toBe(0);
    expect(screen).toContain('"https://[hidden]@llm.example.com/v1"');
    expect(screen).toContain('{"x-token":"[hidden]"}');
    expect(screen).not.toMatch(/topsecret|pass@/);
  });

  it('prints JSON', async () => {
    const { screen } = await readAs('config llm.max_tokens', { config, options: { outputFormat: 'json' } });
    expect(JSON.parse(screen)).toEqual([{ name: 'llm.max_tokens', value: 9, origin: HOME }]);
  });

  describe('with external tools', () => {
    const external = [
      { name: 'web_search', path: '~/.ybs/tools/web-search' },
      { name: 'there', path: '~/bin/there' },
      { name: 'off', path: '~/bin/off', enabled: false },
    ];
    const script = {
      config: { tools: { external } },
      programs: { '/home/ada/bin/there': '#!/bin/sh\n' },
      files: { '/work/.ybs.json': JSON.stringify({ tools: { external: [{ name: 'mine', path: './mine' }] } }) },
    };
    const reasons = [
      'the file, or the one that it links to, does not exist',
      'the file, or the one that it links to, does not exist',
    ];

    it.each(['config', 'config tools', 'config tools.external'])('%s shows those without a program', async (words) => {
      const { screen, outcome } = await readAs(words, script);
      expect(outcome).toBe(0);
      expect(screen.split('\nNot available:\n')[1]).toBe(
        `web_search  ~/.ybs/tools/web-search: ${reasons[0]}\nmine        /work/mine: ${reasons[1]}\n`,
      );
    });

    it('other keys do not show them', async () => {
      expect((await readAs('config tools.enabled', script)).screen).not.toContain('Not available');
    });

    it('JSON includes them', async () => {
      const { screen } = await readAs('config tools.external', { ...script, options: { outputFormat: 'json' } });
      expect(JSON.parse(screen)).toMatchObject([
        {
          name: 'tools.external',
          unavailable: [
            { name: 'web_search', path: '~/.ybs/tools/web-search', reason: reasons[0] },
            { name: 'mine', path: '/work/mine', reason: reasons[1] },
          ],
        },
      ]);
    });
  });

  it.each([
    ['config llm.modle', 'There is no key "llm.modle". Did you mean llm.model?'],
    [
      'config qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq',
      'There is no key "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqq". See docs/configuration.md.',
    ],
    ['config set ui.color red', 'ui.color must be true or false, but is "red".'],
  ])('rejects %s', async (words, message) => {
    expect((await readAs(words, {})).outcome).toBe(message);
  });

  it('sets a key in the file of the user', async () => {
    const run = await readAs('config set agent.max_iterations 9', { config });
    expect(run.screen).toBe(`Changed ${HOME}\nagent.max_iterations  9  (${HOME})\n`);
    expect(JSON.parse(run.readFile(HOME))).toMatchObject({ agent: { max_iterations: 9 }, llm: { max_tokens: 9 } });
  });

  it.each([
    ['run_shel', '! safety.permissions.run_shel names no tool of ybs. Did you mean run_shell?\n'],
    ['web_search', ''],
    ['run_shell', ''],
  ])('warns about a level for the possibly misspelled tool %s', async (tool, warning) => {
    const { screen } = await readAs(`config set safety.permissions.${tool} denied`, { config });
    expect(screen).toBe(`Changed ${HOME}\nsafety.permissions.${tool}  "denied"  (${HOME})\n${warning}`);
  });

  it('does not warn about a removed level', async () => {
    const levels = { safety: { permissions: { run_shel: 'denied' } } };
    const { screen } = await readAs('config set safety.permissions.run_shel null', { config: levels });
    expect(screen).toBe(`Changed ${HOME}\n`);
  });

  it('reports the value that takes precedence', async () => {
    const files = { '/work/.ybs.json': '{"agent":{"max_iterations":3}}' };
    expect((await readAs('config set agent.max_iterations 9', { config, files })).screen).toContain(
      'The value of /work/.ybs.json takes precedence.\n',
    );
  });

  const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/configuration.md'), 'utf8');
  const commands = [...page.matchAll(/^ybs (config set .+)$/gm)].map(([, command = '']) => command);
  it.each(commands)('runs the command of the page: %s', async (command) => {
    const [, words = '', quoted] = /^(.*?)(?:'(.*)')?$/.exec(command) ?? [];
    expect((await readAs(words + (quoted?.replaceAll(' ', '') ?? ''), {})).outcome).toBe(0);
  });

  it('is a prompt when more words follow', () => {
    expect(findSubcommand(['config', 'the', 'server'])).toEqual({ type: 'prompt' });
  });
});
