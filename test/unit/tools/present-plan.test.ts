import { describe, expect, it } from 'vitest';
import { PERMISSION_MODES, type PermissionMode, type PermissionRule } from '../../../src/agent/ports/approver.ts';
import type { ToolContext } from '../../../src/agent/ports/tool.ts';
import { createPresentPlan } from '../../../src/tools/present-plan.ts';

const CONTEXT: ToolContext = { callId: 'a', signal: new AbortController().signal, pause: async () => {} };

function tool(after: PermissionMode = 'ask', mode: PermissionMode = 'plan', rules: readonly PermissionRule[] = []) {
  const dropRules = (isDropped: (rule: PermissionRule) => boolean) => rules.filter(isDropped).length;
  return createPresentPlan({ mode, offersPlan: true, leavePlanMode: () => after, dropRules });
}

describe('present_plan', () => {
  it('is described to the model', () => {
    expect(tool().definition).toMatchInlineSnapshot(`
      {
        "description": "In plan mode, show the user your plan and ask for approval. Call it when you know what to do: which files change and how, which commands run, how it is checked. After the approval you carry out the plan at once.",
        "effect": "read",
        "name": "present_plan",
        "parameters": {
          "properties": {
            "plan": {
              "description": "The whole plan, in Markdown",
              "type": "string",
            },
          },
          "required": [
            "plan",
          ],
          "type": "object",
        },
      }
    `);
  });

  it.each([[undefined], [{}], [{ plan: 3 }], [{ plan: '  ' }]])('needs a text: %j', async (args) => {
    await expect(tool().plan(args, CONTEXT)).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: 'present_plan needs the text of the plan: {"plan": "1. …"}',
    });
  });

  it.each(PERMISSION_MODES.filter((mode) => mode !== 'plan'))('needs no approval in the mode %s', async (mode) => {
    await expect(tool('ask', mode).plan({ plan: '1.' }, CONTEXT)).rejects.toThrow(/^Plan mode is off/);
  });

  it.each<[PermissionMode, string]>([
    ['ask', 'The user is asked before each change.'],
    ['accept-edits', 'Edits of files run without a question.'],
    ['full-access', 'The permission mode is full-access.'],
  ])('tells the model how to continue in the mode %s', async (mode, text) => {
    const planned = await tool(mode).plan({ plan: '1.' }, CONTEXT);
    expect(planned.effect).toEqual({ summary: 'carry out this plan', paths: [], plan: '1.' });
    expect((await planned.run().next()).value).toEqual({
      content: `The user agrees to the plan. Plan mode is off for the rest of this run, so carry it out now. ${text}`,
      isError: false,
      summary: `approved, permission mode ${mode}`,
    });
  });

  it.each<[PermissionMode, string]>([
    ['ask', 'approved, permission mode ask; 2 earlier approvals of changes removed'],
    ['accept-edits', 'approved, permission mode accept-edits'],
  ])('revokes earlier answers if the user is asked before each change: %s', async (mode, summary) => {
    const rules: readonly PermissionRule[] = [
      { type: 'file_operations', directory: '/w/src' },
      { type: 'reads_of_tool', toolName: 'look' },
      { type: 'edit_read_files' },
    ];
    const planned = await tool(mode, 'plan', rules).plan({ plan: '1.' }, CONTEXT);
    expect((await planned.run().next()).value).toMatchObject({ summary });
  });
});
