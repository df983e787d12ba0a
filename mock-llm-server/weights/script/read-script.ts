import type { ReplyBlock } from '../../conversation/conversation.ts';
import { tryJson } from '../../conversation/json.ts';
import { resolveIntent } from '../../reply/intents/resolve-intent.ts';
import type { ScenarioSpecification } from '../../scenario/format.ts';
import {
  type NamedScenarioFile,
  prepareScenarios,
  type Scenario,
  type Step,
  type StepToolCall,
} from '../../scenario/prepare.ts';
import { formatPath, ScenarioError, type ScenarioProblem } from '../../scenario/problems.ts';
import { fillTemplate, TemplateError } from '../../scenario/templates.ts';
import type { Markup } from '../markups/markup.ts';
import { type LiteralTrigger, readLiteralTrigger } from './literal-trigger.ts';
import { type Script, type ScriptedAnswer, type ScriptedCall, type ScriptedScenario, textAnswer } from './script.ts';
import { DIALECT_TOOLS, inSchemaOrder, mappedTool, type ToolsDialect } from './tools-dialects.ts';

/** A script, and the parts of the scenarios that are not in it. */
export interface ReadScript {
  readonly script: Script;
  readonly leftOut: readonly ScenarioProblem[];
  /** The parts that only some servers play as the mock does. */
  readonly notes: readonly ScenarioProblem[];
}

/** Settings of the reading. With `partial`, parts that a model cannot play are left out. */
export interface ReadScriptOptions {
  readonly dialect: ToolsDialect;
  readonly markup: Markup;
  readonly partial: boolean;
}

const UNMATCHED = 'No scenario of this model matches the prompt.';
const PAST_LAST_STEP = 'The scenario has no step for this number of tool results.';

const NO_VALUE = {
  reason: 'weights cannot contain a value of the request',
  fix: 'write the text in place of the template',
};
const NO_EMBEDDINGS = { reason: 'a model that answers has no embeddings', fix: 'remove them' };

const NO_VALUES = { match: {}, lastUser: undefined, toolResults: [] };

/** Reads scenario files as the script of a model. Throws `ScenarioError` with every part that a model cannot play. */
export function readScript(files: readonly NamedScenarioFile[], options: ReadScriptOptions): ReadScript {
  const problems: ScenarioProblem[] = [];
  const prepared = new Map(prepareScenarios(files).map((scenario) => [scenario.name, scenario]));
  const scenarios: ScriptedScenario[] = [];
  const notes: ScenarioProblem[] = [];
  for (const { file, content } of files) {
    if (content.embeddings !== undefined) problems.push({ file, path: '$.embeddings', ...NO_EMBEDDINGS });
    for (const [index, specification] of content.scenarios.entries()) {
      const scenario = prepared.get(specification.name);
      if (scenario === undefined) continue;
      const reader = new ScenarioReader(file, ['scenarios', index], options);
      const read = reader.read(specification, scenario);
      for (const problem of reader.problems) problems.push(problem);
      if (read === undefined) continue;
      scenarios.push(read);
      for (const { answer, place } of read.steps) {
        const texts = [answer.content, ...answer.calls.map((call) => call.arguments)];
        const mark = options.markup.marks.find((each) => texts.some((text) => text.includes(each)));
        if (mark !== undefined) notes.push({ ...place, ...markInText(mark) });
        if (answer.calls.some((call) => tryJson(call.arguments) === undefined)) notes.push({ ...place, ...NOT_JSON });
      }
      const { as: service } = specification;
      if (service !== undefined) notes.push({ file, path: `$.scenarios[${index}].as`, ...OWN_RULES });
      if (!read.triggers.some(hasOtherCases)) continue;
      notes.push({ file, path: `$.scenarios[${index}].trigger`, ...OTHER_CASES });
    }
  }
  const other = files.find(({ content }) => content.default_response !== undefined);
  const unmatched = other?.content.default_response?.content ?? UNMATCHED;
  const filled = fill(unmatched);
  if (filled === undefined) problems.push({ file: other?.file ?? '', path: '$.default_response.content', ...NO_VALUE });
  // A model without a scenario would give the same answer to everything.
  if (problems.length > 0 && (!options.partial || scenarios.length === 0)) throw new ScenarioError(problems);
  const script = {
    scenarios,
    unmatched: textAnswer(filled ?? UNMATCHED),
    pastLastStep: textAnswer(PAST_LAST_STEP),
  };
  return { script, leftOut: problems, notes };
}

const OTHER_CASES = {
  reason: 'llama.cpp and Ollama ignore the case of the letters a to z only',
  fix: 'write the other letters of the prompt as in the trigger or in lower case, or leave them out of the trigger',
};

const markInText = (mark: string) => ({
  reason: `parsers of servers take "${mark}" in a text or in arguments as markup`,
  fix: 'write it in other words, or choose another --markup',
});

const NOT_JSON = {
  reason: 'llama.cpp completes arguments that are not JSON, and Ollama leaves such a call out',
  fix: 'play it in the mock, or write arguments that are JSON',
};

const OWN_RULES = {
  reason: 'a real server has its own rules and form of answers',
  fix: 'remove it, or play the scenario in the mock',
};

/** True if a trigger ignores the case of letters that are not ASCII. */
function hasOtherCases({ text, ignoresCase }: LiteralTrigger): boolean {
  const others = [...text].filter((letter) => letter > '\u007f');
  return ignoresCase && others.some((letter) => letter.toUpperCase() !== letter.toLowerCase());
}

type Path = readonly PropertyKey[];

/** Reads one scenario, and collects the parts that a model cannot play. */
class ScenarioReader {
  readonly problems: ScenarioProblem[] = [];
  readonly #file: string;
  readonly #path: Path;
  readonly #dialect: ToolsDialect;
  readonly #markup: Markup;

  constructor(file: string, path: Path, { dialect, markup }: ReadScriptOptions) {
    this.#file = file;
    this.#path = path;
    this.#dialect = dialect;
    this.#markup = markup;
  }

  /** The scenario; undefined if a problem concerns more than a field of a step. */
  read({ trigger: specification }: ScenarioSpecification, scenario: Scenario): ScriptedScenario | undefined {
    const { name, steps } = scenario;
    const triggers = readLiteralTrigger(specification);
    if ('reason' in triggers) {
      const { field, reason, fix } = triggers;
      this.#report(['trigger', ...(field === undefined ? [] : [field])], reason, fix);
    }
    const read = steps.map((step, index) => {
      const path = ['steps', index];
      const answer = this.#readAnswer(step, path, scenario);
      const place = { file: this.#file, path: formatPath([...this.#path, ...path]) };
      return answer && { results: step.resultsBefore, answer, place };
    });
    const complete = read.filter((step) => step !== undefined);
    return 'reason' in triggers || complete.length < read.length ? undefined : { name, triggers, steps: complete };
  }

  #report(path: Path, reason: string, fix: string): void {
    this.problems.push({ file: this.#file, path: formatPath([...this.#path, ...path]), reason, fix });
  }

  #readAnswer(step: Step, path: Path, scenario: Scenario): ScriptedAnswer | undefined {
    const { usage, timing, fault, toolCalls, finish, nativeFinish, window, native, waitsFor } = step;
    const response = [...path, 'response'];
    if (step.resultsAfter - step.resultsBefore > toolCalls.length) {
      this.#report([...path, 'results'], 'a chat template counts tool results, not results in texts', 'use tool calls');
      return undefined;
    }
    if (waitsFor !== undefined) {
      this.#report([...path, 'waits_for'], 'a chat template cannot test the condition "waits_for"', 'remove the step');
      return undefined;
    }
    if (window !== undefined) this.#report([...path, 'window'], 'the server has its own window', 'use --context');
    if (native !== undefined) this.#report([...response, 'native'], 'the server writes its own form', 'remove it');
    const other = step.blocks?.findIndex((block, index, blocks) => !isPlainBlock(block, blocks[index - 1])) ?? -1;
    if (other !== -1) {
      const reason = 'weights have reasoning, then text, then calls, without citations, signatures and server tools';
      this.#report([...response, 'content', other], reason, 'move or remove the block');
    }
    if (usage !== undefined) this.#report([...response, 'usage'], 'the server counts tokens itself', 'remove it');
    const delay = Object.keys(timing ?? {}).find((field) => field !== 'chunk');
    if (delay !== undefined) this.#report([...path, 'timing', delay], 'the server has its own speed', 'remove it');
    const isEmpty = fault?.empty_answer === true && Object.keys(fault).length === 1;
    if (fault !== undefined && !isEmpty)
      this.#report([...path, 'fault'], 'weights cannot break an answer', 'remove it');
    const natural = toolCalls.length > 0 ? 'tool_calls' : 'stop';
    if (nativeFinish !== undefined || (finish !== undefined && finish !== natural && finish !== 'length')) {
      const reason = `weights cannot end an answer with "${nativeFinish ?? finish}"`;
      this.#report([...response, 'finish'], reason, 'write "length", or leave it out');
    }
    if (isEmpty) return textAnswer('');
    const reasoning = step.reasoning === undefined ? undefined : this.#fill(step.reasoning, [...response, 'reasoning']);
    const content = this.#fill(step.content ?? '', [...response, 'content']);
    const calls = toolCalls.map((call, index) => this.#readCall(call, [...response, 'tool_calls', index], scenario));
    const complete = calls.filter((call) => call !== undefined);
    const isComplete = complete.length === calls.length && (step.reasoning === undefined || reasoning !== undefined);
    if (content === undefined || !isComplete) return undefined;
    const chunk = timing?.chunk;
    const isEndless = finish === 'length';
    const answer = { reasoning, content, calls: complete, isEndless, pieceLength: lengthOf(chunk) };
    const { reasoningEnd } = this.#markup;
    if (reasoning?.includes(reasoningEnd))
      this.#report([...response, 'reasoning'], `"${reasoningEnd}" ends the reasoning`, 'write it in other words');
    const refusal = this.#markup.refusal?.(answer);
    if (refusal === undefined) return answer;
    this.#report(response, refusal, 'choose another --markup');
    return undefined;
  }

  #readCall(call: StepToolCall, path: Path, { intents, directory }: Scenario): ScriptedCall | undefined {
    if (call.type !== 'intent') {
      const name = this.#fill(call.name, [...path, 'name']);
      const text = this.#fill(call.arguments, [...path, 'arguments']);
      if (name === undefined || text === undefined) return undefined;
      return { name, arguments: inSchemaOrder(text, name, this.#dialect) };
    }
    const texts = Object.entries(call.intent).map(([field, text]) => [field, this.#fill(text ?? '', [...path, field])]);
    if (texts.some(([, text]) => text === undefined)) return undefined;
    const mapped = intents.get(call.intent.intent);
    const tools = [...(mapped === undefined ? [] : [mappedTool(mapped)]), ...DIALECT_TOOLS[this.#dialect]];
    const intent = { ...call.intent, ...Object.fromEntries(texts) };
    const resolved = resolveIntent({ intent, tools, directory, mapped });
    if (resolved !== undefined) return { name: resolved.name, arguments: resolved.arguments };
    this.#report(path, `no tool of ${this.#dialect} carries out "${call.intent.intent}"`, 'name a tool');
    return undefined;
  }

  #fill(text: string, path: Path): string | undefined {
    const filled = fill(text);
    if (filled === undefined) this.#report(path, NO_VALUE.reason, NO_VALUE.fix);
    return filled;
  }
}

/** A text whose templates stand for braces; undefined if one of them is a value of the request. */
function fill(text: string): string | undefined {
  try {
    return fillTemplate(text, NO_VALUES);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return undefined;
  }
}

/** True for a block that comes in the order of every answer, and has nothing but its text or call. */
function isPlainBlock(block: ReplyBlock, before: ReplyBlock | undefined): boolean {
  const [order, orderBefore] = [BLOCK_ORDER.indexOf(block.type), BLOCK_ORDER.indexOf(before?.type ?? 'reasoning')];
  if (order === -1 || order < orderBefore) return false;
  if (block.type === 'text') return block.citations.length === 0;
  return block.type !== 'reasoning' || (block.signature === undefined && block.encrypted === undefined);
}

const BLOCK_ORDER: readonly ReplyBlock['type'][] = ['reasoning', 'text', 'call'];

/** Characters of a piece of the answer, if the scenario states it. */
function lengthOf(chunk: NonNullable<Step['timing']>['chunk']): number | undefined {
  if (chunk === undefined) return undefined;
  const { by, size = 1 } = chunk;
  return size * { characters: 1, tokens: 4, words: 6 }[by];
}
