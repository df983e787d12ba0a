import { describe, expect, it } from 'vitest';
import { ToolError } from '../../../../src/agent/errors.ts';
import type { PlannedEffect, Tool, ToolProgress, ToolResult } from '../../../../src/agent/ports/tool.ts';
import { createRedactor } from '../../../../src/policy/redaction/redact.ts';
import { withRedaction } from '../../../../src/tools/wrappers/redacted-tool.ts';

const SECRET = 'hunter2-hunter2';
const { redact } = createRedactor([SECRET]);
const CONTEXT = { callId: 'a', signal: new AbortController().signal, pause: async () => {} };

/** A tool that plans this effect and then does what `run` does. */
function toolOf(
  effect: PlannedEffect,
  run: () => AsyncGenerator<ToolProgress, ToolResult, void> = () => printing('done'),
): Tool {
  return {
    definition: { name: 'tool', description: '', parameters: {}, effect: 'write' },
    plan: async () => ({ effect, run }),
  };
}

async function* printing(content: string): AsyncGenerator<ToolProgress, ToolResult, void> {
  yield { stream: 'stdout', text: SECRET };
  return { content, isError: false, summary: content };
}

/** Runs the tool to its end. */
async function result(tool: Tool): Promise<{ readonly shown: readonly ToolProgress[]; readonly result: ToolResult }> {
  const run = (await withRedaction(tool, redact).plan({}, CONTEXT)).run();
  const shown: ToolProgress[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done === true) return { shown, result: step.value };
    shown.push(step.value);
  }
}

const NOTHING: PlannedEffect = { summary: 'x', paths: [] };

describe('the model', () => {
  it('gets a result without secrets, while the user sees the unchanged output', async () => {
    expect(await result(toolOf(NOTHING, () => printing(`found ${SECRET}`)))).toEqual({
      shown: [{ stream: 'stdout', text: SECRET }],
      result: { content: 'found [redacted:secret]', isError: false, summary: `found ${SECRET}` },
    });
  });

  it('gets an error of the plan without secrets', async () => {
    const failing: Tool = {
      ...toolOf(NOTHING),
      plan: async () => {
        throw new ToolError('edit_not_found', `similar: ${SECRET}`);
      },
    };
    const error = await result(failing).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolError);
    expect(error).toMatchObject({ code: 'edit_not_found', message: 'similar: [redacted:secret]' });
  });

  it('gets an error of the run without secrets', async () => {
    const failing = toolOf(NOTHING, async function* () {
      yield { stream: 'stdout', text: '' };
      throw new ToolError('io_error', SECRET);
    });
    await expect(result(failing)).rejects.toMatchObject({ code: 'io_error', message: '[redacted:secret]' });
  });

  it('does not get an unexpected error', async () => {
    const failing: Tool = { ...toolOf(NOTHING), plan: () => Promise.reject(new TypeError(SECRET)) };
    await expect(result(failing)).rejects.toThrow(new TypeError(SECRET));
  });
});

describe('a redaction mark', () => {
  const diff = (unified: string): PlannedEffect => ({
    ...NOTHING,
    preview: { path: 'a', unified: `--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n${unified}`, added: 1, removed: 1 },
  });
  it.each<[string, PlannedEffect]>([
    ['in a new line', diff('-KEY=old\n+KEY=[redacted:key]\n')],
    ['in an additional line', diff('-A=[redacted:key]\n+A=[redacted:key]\n+B=[redacted:token]\n')],
    ['in a command', { ...NOTHING, command: 'echo [redacted:password] > .env' }],
  ])('is never written: %s', async (_name, effect) => {
    await expect(result(toolOf(effect))).rejects.toMatchObject({ code: 'redaction_mark' });
  });

  it.each<[string, PlannedEffect]>([
    ['that the file already has', diff('-A=[redacted:key]\n+B=[redacted:key]\n')],
    ['around the change', diff(' A=[redacted:key]\n-b\n+c\n')],
    ['that is removed', diff('-A=[redacted:key]\n+b\n')],
    ['of another program', diff('-A=1\n+A=[redacted]\n')],
    ['of another program in a command', { ...NOTHING, command: 'echo [redacted]' }],
  ])('is allowed: %s', async (_name, effect) => {
    expect((await result(toolOf(effect))).result.content).toBe('done');
  });
});
