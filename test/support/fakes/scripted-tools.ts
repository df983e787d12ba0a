import { ToolError } from '../../../src/agent/errors.ts';
import type {
  Tool,
  ToolContext,
  ToolEffect,
  ToolProgress,
  ToolResult,
  ToolSet,
} from '../../../src/agent/ports/tool.ts';

type Run = (args: unknown, context: ToolContext) => AsyncGenerator<ToolProgress, ToolResult, void>;

/** The behaviour of a scripted tool; absent parts succeed at once. */
export interface ToolScript {
  readonly effect?: ToolEffect;
  /** May throw to reject the arguments. */
  readonly plan?: (args: unknown, context: ToolContext) => Promise<void>;
  readonly run?: Run;
}

/** A tool set for tests of the loop, and the names of the calls that ran, in the order of their start. */
export interface ScriptedTools extends ToolSet {
  readonly ran: readonly string[];
}

/** A tool that returns `content` at once. */
export function result(content: string, isError = false): ToolResult {
  return { content, isError, summary: content };
}

/** Tools by name; an argument `{"label": "x"}` names the call in `ran`. */
export function scriptedTools(scripts: Readonly<Record<string, ToolScript>>): ScriptedTools {
  const ran: string[] = [];
  const tools = new Map(Object.entries(scripts).map(([name, script]) => [name, scripted(name, script, ran)]));
  return {
    ran,
    definitions: [...tools.values()].map((tool) => tool.definition),
    find: (name) => tools.get(name),
    nearest: (name) => [...tools.keys()].find((known) => known.startsWith(name.slice(0, 3))),
  };
}

function scripted(name: string, script: ToolScript, ran: string[]): Tool {
  const { effect = 'read', plan = async () => {}, run = answerAtOnce } = script;
  return {
    definition: { name, description: `The tool ${name}.`, parameters: { type: 'object', properties: {} }, effect },
    async plan(args, context) {
      await plan(args, context);
      const label = labelOf(args) ?? name;
      return {
        effect: { summary: `${name} ${label}`, paths: [] },
        run() {
          ran.push(label);
          return run(args, context);
        },
      };
    },
  };
}

async function* answerAtOnce(args: unknown): AsyncGenerator<ToolProgress, ToolResult, void> {
  return result(`result of ${labelOf(args) ?? 'a call'}`);
}

function labelOf(args: unknown): string | undefined {
  if (typeof args !== 'object' || args === null) throw new ToolError('invalid_arguments', 'Send an object.');
  return 'label' in args && typeof args.label === 'string' ? args.label : undefined;
}
