import { holeProblems } from './holes.ts';
import { problem, type ValueProblem, when } from './problems.ts';

type Absent<Value> = Value | undefined;
type Fields = Readonly<Record<string, unknown>>;

const NONE: readonly ValueProblem[] = [];

export function responseProblems(response: {
  readonly content?: Absent<string | readonly unknown[] | null>;
  readonly tool_calls?: Absent<readonly Fields[]>;
  readonly finish?: Absent<string>;
  readonly reasoning?: Absent<string>;
  readonly native?: Absent<unknown>;
}) {
  const blocks = Array.isArray(response.content) ? response.content.filter(isFields) : [];
  const called = blocks.flatMap(({ call }) => (isFields(call) ? [call] : []));
  const calls = [...called, ...(response.tool_calls ?? [])];
  // A filter or a limit can end an answer before its first word.
  const isEmpty = (response.content ?? undefined) === undefined && calls.length === 0 && response.finish === undefined;
  const emptyFix = 'add "content": "Hello.", which may be empty, or "tool_calls"';
  const ids = calls.map(({ id }) => id);
  const counted = (name: string) => Math.max(1, blocks.filter((block) => block[name] !== undefined).length);
  const counts = {
    text: counted('text'),
    reasoning: counted('reasoning'),
    arguments: calls.length,
    call_id: calls.length,
  };
  return [
    ...holeProblems(response.native, counts).map((each) => ({ ...each, path: ['native', ...each.path] })),
    ...when(isEmpty, 'a response needs content or tool_calls', emptyFix),
    ...ids.flatMap((id, index) => {
      if (id === undefined || ids.indexOf(id) === index) return NONE;
      const fix = 'give each call its own id, or leave it out';
      return problem(`the id ${id} is used twice`, fix, ['tool_calls', index, 'id']);
    }),
  ];
}

export function nativeProblems({
  events,
  body,
}: {
  readonly events?: Absent<unknown>;
  readonly body?: Absent<unknown>;
}) {
  const hasOne = (events === undefined) !== (body === undefined);
  return when(
    !hasOne,
    'needs either events or a body',
    'add "events" for a streamed answer, or "body" for a whole one',
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function callCount({ content, tool_calls: calls = [] }: NonNullable<SteppedValue['steps'][number]['response']>) {
  const blocks = Array.isArray(content) ? content.filter(isFields) : [];
  return calls.length + blocks.filter(({ call }) => call !== undefined).length;
}

interface SteppedValue {
  readonly steps: readonly {
    readonly results?: Absent<unknown>;
    readonly waits_for?: unknown;
    readonly response?: {
      readonly content?: Absent<string | readonly unknown[] | null>;
      readonly tool_calls?: Absent<readonly unknown[]>;
    };
  }[];
}

export function scenarioProblems({ steps }: SteppedValue) {
  return steps.slice(0, -1).flatMap(({ results, response, waits_for }, index) => {
    // A step that waits for a text may be the end where the user says it.
    if (waits_for !== undefined) return NONE;
    // A step without a response is an intent, which is one call.
    const calls = response === undefined ? 1 : callCount(response);
    if (results !== undefined || calls > 0) return NONE;
    const reason = 'nothing leads from this step to the next: it has no tool calls and no "results"';
    const fix =
      'add "tool_calls", or "results": 1 for a client whose results are texts, or move the steps after it to another scenario';
    return problem(reason, fix, ['steps', index]);
  });
}
