import { ToolError } from '../agent/errors.ts';
import type { PermissionMode, PermissionRule } from '../agent/ports/approver.ts';
import type { Tool, ToolSet } from '../agent/ports/tool.ts';
import { allowsChanges } from '../policy/permission-rules.ts';
import { countOf } from '../text/quantities.ts';

/** The name of the tool that ends the plan mode. */
export const PLAN_TOOL = 'present_plan';

/** Its names in the dialect of ybs and in that of Claude Code. */
const NAMES: readonly string[] = [PLAN_TOOL, 'ExitPlanMode'];

/** The first words of the result of an approved plan. */
export const PLAN_APPROVED = 'The user agrees to the plan.';

const DESCRIPTION =
  'In plan mode, show the user your plan and ask for approval. Call it when you know what to do: which files change and ' +
  'how, which commands run, how it is checked. After the approval you carry out the plan at once.';

/** The mode of a session, as far as a plan changes it. */
export interface PlanMode {
  readonly mode: PermissionMode;
  /** True once the session has been in plan mode. */
  readonly offersPlan: boolean;
  /** Leaves the plan mode until the end of the run, because the user has approved a plan, and returns the mode. */
  leavePlanMode(): PermissionMode;
  /** Ends rules that the user's answers have added, and returns their number. */
  dropRules(isDropped: (rule: PermissionRule) => boolean): number;
}

const AFTER: Readonly<Partial<Record<PermissionMode, string>>> = {
  ask: 'The user is asked before each change',
  'accept-edits': 'Edits of files run without a question',
};

/** Creates `present_plan`. Its plan needs an approval; its run leaves the plan mode for the rest of the run. */
export function createPresentPlan(session: PlanMode): Tool {
  return {
    definition: {
      name: PLAN_TOOL,
      description: DESCRIPTION,
      parameters: {
        type: 'object',
        properties: { plan: { type: 'string', description: 'The whole plan, in Markdown' } },
        required: ['plan'],
      },
      effect: 'read',
    },
    async plan(args) {
      const plan = typeof args === 'object' && args !== null && 'plan' in args ? args.plan : undefined;
      if (typeof plan !== 'string' || plan.trim() === '') {
        throw new ToolError('invalid_arguments', `${PLAN_TOOL} needs the text of the plan: {"plan": "1. …"}`);
      }
      if (session.mode !== 'plan') {
        throw new ToolError(
          'invalid_arguments',
          'Plan mode is off, so no plan needs approval. Do what the user wants.',
        );
      }
      return {
        effect: { summary: 'carry out this plan', paths: [], plan },
        async *run() {
          const mode = session.leavePlanMode();
          // The user has chosen to be asked before each change.
          const dropped = mode === 'ask' ? session.dropRules(allowsChanges) : 0;
          const note = dropped === 0 ? '' : `; ${countOf(dropped, 'earlier approval')} of changes removed`;
          const after = AFTER[mode] ?? `The permission mode is ${mode}`;
          const content = `${PLAN_APPROVED} Plan mode is off for the rest of this run, so carry it out now. ${after}.`;
          return { content, isError: false, summary: `approved, permission mode ${mode}${note}` };
        },
      };
    },
  };
}

/** The tools, of which `present_plan` is described to the model only once the session has been in plan mode. */
export function offerPlanTool(tools: ToolSet, session: PlanMode): ToolSet {
  const others = tools.definitions.filter(({ name }) => !NAMES.includes(name));
  return {
    get definitions() {
      return session.offersPlan ? tools.definitions : others;
    },
    find: (name) => tools.find(name),
    nearest: (name) => tools.nearest(name),
  };
}
