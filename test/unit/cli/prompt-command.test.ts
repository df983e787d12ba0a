import { expect, it } from 'vitest';
import { promptCommand } from '../../../src/cli/subcommands/prompt-command.ts';
import { TOOL_NAMES } from '../../../src/tools/tools.ts';
import { configuredRun, MODEL } from '../../support/agent/configured-run.ts';

/** `ybs prompt` in `/work`, which has a README.md and these files. */
function printPrompt(
  outputFormat: 'text' | 'json',
  files: Readonly<Record<string, string>> = {},
  config: object = { llm: MODEL, prompt: { append: 'Answer in \u001b[2JFrench.' } },
) {
  return configuredRun({
    ...{ config, files },
    run: (wiring, user, options) => promptCommand({ options: { ...options, outputFormat } }, { wiring, user }),
  });
}

it('ybs prompt prints each part and each tool with its tokens, and sends and stores nothing', async () => {
  const run = await printPrompt('text', { '/work/go.mod': '' });
  expect(run.outcome).toBe(0);
  expect(run.screen.match(/^=== .*$/gm)?.map((line) => line.replace(/\d+/, 'N'))).toEqual([
    ...['rules', 'environment', 'project_type', 'file_tree', 'append'].map((name) => `=== ${name}: N tokens`),
    ...TOOL_NAMES.map((name) => `=== tool ${name}: N tokens`),
    '=== all: N tokens',
  ]);
  expect(run.screen).toContain('Answer in \\u{1b}[2JFrench.\n');
  expect(run.requests).toEqual([]);
  expect(run.listFiles('/home/ada')).toEqual(['.ybs.json']);
});

it.each(['native', 'xnl'])(
  'ybs prompt prints as JSON exactly the request of a run, in the protocol %s',
  async (tool_protocol) => {
    const config = { llm: { ...MODEL, tool_protocol }, prompt: { append: 'Answer in French.' } };
    const printed = JSON.parse((await printPrompt('json', {}, config)).screen);
    const sent = (await configuredRun({ config })).requests[0]?.body;
    const texts = printed.parts.map(({ text }: { readonly text: string }) => text);
    expect(sent?.['messages']).toMatchObject([{ role: 'system', content: texts.join('\n') }, {}]);
    const tools = printed.tools.map(({ tokens: _, ...tool }: { readonly tokens: number }) => tool);
    expect(sent?.['tools'] ?? []).toMatchObject(tools.map((tool: object) => ({ type: 'function', function: tool })));
    const all: readonly { readonly tokens: number }[] = [...printed.parts, ...printed.tools];
    expect(printed.tokens).toBe(all.reduce((sum, { tokens }) => sum + tokens, 0));
  },
);
