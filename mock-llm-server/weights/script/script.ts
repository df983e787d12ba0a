import type { LiteralTrigger } from './literal-trigger.ts';

/** A call of an answer. `arguments` is the text that the model writes, JSON or not. */
export interface ScriptedCall {
  readonly name: string;
  readonly arguments: string;
}

export interface ScriptedAnswer {
  readonly reasoning: string | undefined;
  readonly content: string;
  readonly calls: readonly ScriptedCall[];
  /** The answer never ends, so that a limit of the request or of the server cuts it. */
  readonly isEndless: boolean;
  /** Characters of a piece; undefined if the compiler chooses. */
  readonly pieceLength: number | undefined;
}

/** A step, which answers when there are this many tool results since the prompt. */
export interface ScriptedStep {
  readonly results: number;
  readonly answer: ScriptedAnswer;
  readonly place: AnswerPlace;
}

/** A scenario that a chat template can choose. */
export interface ScriptedScenario {
  readonly name: string;
  /** One of them starts the scenario. */
  readonly triggers: readonly LiteralTrigger[];
  readonly steps: readonly ScriptedStep[];
}

export interface AnswerPlace {
  readonly file: string;
  readonly path: string;
}

/** The content of a model: its scenarios in the order in which triggers are tried, and its other answers. */
export interface Script {
  readonly scenarios: readonly ScriptedScenario[];
  /** The answer when no trigger is found. */
  readonly unmatched: ScriptedAnswer;
  /** The answer when the scenario has no step for the number of tool results. */
  readonly pastLastStep: ScriptedAnswer;
}

/** An answer that is text alone. */
export function textAnswer(content: string): ScriptedAnswer {
  return { reasoning: undefined, content, calls: [], isEndless: false, pieceLength: undefined };
}
