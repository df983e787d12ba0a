import type { ToolDefinition } from '../../agent/ports/tool.ts';
import { lengthOfBeginning } from '../../text/length-of-beginning.ts';
import { type CallReader, readCallText, type TextCall } from './call-text.ts';

/** A part of an answer, in order of arrival. */
export interface TextPart {
  readonly type: 'text_delta' | 'reasoning_delta';
  readonly text: string;
}

/** Divides the text of one answer into text, reasoning and calls. The result does not depend on the size of the pieces. */
export interface TextFilter {
  /** Reads the next piece. Holds back what may be the beginning of a tag or of a call. */
  push(text: string): readonly TextPart[];
  /** The text that is held back because it may be a call. */
  readonly candidate: string;
  /** The tag that ends the reasoning which is being read. */
  readonly awaited: string | undefined;
  /** Ends the recognition of calls, and returns the text that was held back for it. */
  ignoreCalls(): readonly TextPart[];
  /**
   * The calls at the end of the answer; without any, the text that was held back. Ends the answer, after which calls
   * follow if `isFollowed`.
   */
  end(isFollowed?: boolean): { readonly parts: readonly TextPart[]; readonly calls: readonly TextCall[] };
}

/**
 * The tags of reasoning at the start of an answer: most models, Gemma, Magistral, Kimi-VL, Seed, MiniMax M3, gpt-oss,
 * Gemma 4, Kimi K3.
 */
const TAGS: readonly (readonly [open: string, close: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think', 'mm:think'].map(
    (tag) => [`<${tag}>`, `</${tag}>`] as const,
  ),
  ['[THINK]', '[/THINK]'],
  ['◁think▷', '◁/think▷'],
  ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  ['<|channel>thought', '<channel|>'],
  ['<|open|>think<|sep|>', '<|close|>think<|sep|>'],
];

/** The channels of gpt-oss, of which a server has taken the tokens. */
const CHANNEL = 'analysis';
const FINAL = 'assistantfinal';

/** The maximum length of a text that is held back, in characters. */
const MAX_HELD_LENGTH = 100_000;

/**
 * Reads one answer. What stands between the tags of reasoning at its start is reasoning. Calls of `tools` are
 * recognized at its end: after the reasoning, from the start of a line, outside a fenced block, with nothing but white
 * space after them. After a text of more than `maxHeld` characters that was held back, no call is recognized. `inside`
 * is the tag that ends the reasoning of answers which begin within it; an answer without the tag is read once more at
 * its end.
 */
export function createTextFilter(
  tools: readonly ToolDefinition[],
  maxHeld = MAX_HELD_LENGTH,
  inside?: string,
): TextFilter {
  const answer = new Answer(new Map(tools.map((tool) => [tool.name, tool])), maxHeld);
  let stage: 'start' | 'reasoning' | 'reasoning_end' | 'answer' = 'start';
  /** The end of the text that was read: white space at the start, or what may be the beginning of a tag. */
  let held = '';
  let reasoned = false;
  /** The end of the reasoning. */
  let close = '';
  /** The reasoning of an answer that began without a tag. */
  let assumed: string | undefined;
  let isIgnored = false;

  function read(text: string): TextPart[] {
    switch (stage) {
      case 'start': {
        held += text;
        const begin = held.trimStart();
        const mayOpen = [...TAGS, [CHANNEL]].some(([open]) => open?.startsWith(begin));
        if (mayOpen && held.length <= maxHeld) return [];
        const [open, end] = TAGS.find(([tag]) => begin.startsWith(tag)) ?? ['', ''];
        close = end;
        stage = open === '' ? 'answer' : 'reasoning';
        const inner = /^analysis["'(<A-Z\d]/.test(begin) ? FINAL : inside;
        if (open === '' && inner !== undefined) {
          close = inner;
          stage = 'reasoning';
          assumed = '';
        }
        if (close === FINAL) {
          assumed = CHANNEL;
          return readHeld(begin.slice(CHANNEL.length));
        }
        return readHeld(open === '' ? held : begin.slice(open.length));
      }
      case 'reasoning': {
        const whole = held + text;
        const index = whole.indexOf(close);
        const end = index === -1 ? whole.length - lengthOfBeginning(whole, close) : index;
        held = whole.slice(end);
        const thought = reasonPart(whole.slice(0, end));
        if (index === -1) return thought;
        stage = 'reasoning_end';
        return [...thought, ...readHeld(whole.slice(index + close.length))];
      }
      case 'reasoning_end': {
        const rest = text.trimStart();
        if (rest === '') return [];
        stage = 'answer';
        return readHeld(rest);
      }
      case 'answer':
        return textPart(answer.read(text));
    }
  }

  function readHeld(text: string): TextPart[] {
    held = '';
    return text === '' ? [] : read(text);
  }

  /** The reasoning without the white space at its start. */
  function reasonPart(text: string): TextPart[] {
    if (assumed !== undefined) assumed += text;
    const thought = reasoned ? text : text.trimStart();
    reasoned ||= thought !== '';
    return thought === '' ? [] : [{ type: 'reasoning_delta', text: thought }];
  }

  return {
    push: read,
    get candidate() {
      return answer.held;
    },
    get awaited() {
      return stage === 'reasoning' ? close : undefined;
    },
    ignoreCalls() {
      isIgnored = true;
      return textPart(answer.ignoreCalls());
    },
    end(isFollowed = false) {
      if (stage === 'start') return { parts: textPart(held), calls: [] };
      if (stage === 'reasoning' && close === FINAL && !isFollowed) {
        const parts = textPart(answer.read(assumed + held));
        const { text, calls } = answer.end();
        return { parts: [...parts, ...textPart(text)], calls };
      }
      if (stage === 'reasoning' && close !== FINAL && assumed !== undefined) {
        const again = createTextFilter(isIgnored ? [] : tools, maxHeld);
        const parts = again.push(assumed + held);
        const rest = again.end();
        return { parts: [...parts, ...rest.parts], calls: rest.calls };
      }
      if (stage === 'reasoning') return { parts: reasonPart(held), calls: [] };
      const { text, calls } = answer.end();
      return { parts: textPart(text), calls };
    },
  };
}

/** The end of reasoning whose start a template has written into the prompt, on a line of its own. */
const UNOPENED = /^(<\/(?:think|thinking|thought|reasoning|mm:think)>|\[\/THINK\]|◁\/think▷)[ \t]*$/m;

/** The tag with which the reasoning of an answer ended that had no start; `undefined` for any other answer. */
export function unopenedEnd(text: string): string | undefined {
  const match = UNOPENED.exec(text);
  const fences = text.slice(0, match?.index ?? 0).match(/^ {0,3}```/gm) ?? [];
  return fences.length % 2 === 0 ? match?.[1] : undefined;
}

function textPart(text: string): TextPart[] {
  return text === '' ? [] : [{ type: 'text_delta', text }];
}

/** A marker of a fenced block, with its language. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/;

/** The maximum length of the part of a line that is kept in order to recognize a fence. */
const MAX_LINE_LENGTH = 200;

/** The text after the reasoning, line by line. */
class Answer {
  private readonly tools: ReadonlyMap<string, ToolDefinition>;
  private readonly maxHeld: number;
  private recognizes: boolean;
  /** The text that can be shown. */
  private shown = '';
  /** A part of the answer has been shown that is not white space. */
  private hasBegun = false;
  /** The start of the current line. */
  private line = '';
  /** The marker that opened the fenced block. */
  private fence: string | undefined;
  /** The number of characters that were read again because a candidate failed. */
  private readAgain = 0;
  /** The text that may consist of calls, which is held back. */
  private candidate: { text: string; readonly calls: CallReader } | undefined;

  constructor(tools: ReadonlyMap<string, ToolDefinition>, maxHeld: number) {
    this.tools = tools;
    this.maxHeld = maxHeld;
    this.recognizes = tools.size > 0;
  }

  get held(): string {
    return this.candidate?.text ?? '';
  }

  /** Reads a piece, and returns the text that can be shown. */
  read(text: string): string {
    for (let index = 0; index < text.length; index += 1) this.readCharacter(text.charAt(index));
    return this.takeShown();
  }

  ignoreCalls(): string {
    this.recognizes = false;
    this.release();
    return this.takeShown();
  }

  end(): { readonly text: string; readonly calls: readonly TextCall[] } {
    const calls = this.candidate?.calls.end() ?? [];
    return { text: calls.length > 0 ? this.takeShown() : this.ignoreCalls(), calls };
  }

  private readCharacter(char: string): void {
    if (this.candidate === undefined && this.beginsCall(char)) {
      this.candidate = { text: '', calls: readCallText(this.tools, !this.hasBegun) };
    }
    const { candidate } = this;
    if (candidate === undefined) {
      this.show(char);
      return;
    }
    candidate.text += char;
    // To read the rest of a longer text again from each of its lines would take very long.
    if (candidate.text.length > this.maxHeld) this.recognizes = false;
    if (!this.recognizes || !candidate.calls.push(char)) this.release();
  }

  private beginsCall(char: string): boolean {
    const mayOpen = '<`[{f'.includes(char) || (!this.hasBegun && /[a-z]/.test(char));
    return this.recognizes && mayOpen && this.fence === undefined && /^ {0,3}$/.test(this.line);
  }

  /** Shows the failed candidate. A line behind its complete calls, which would fail again, may begin another one. */
  private release(): void {
    const { text = '', calls } = this.candidate ?? {};
    const certain = calls?.ended() || 1;
    this.candidate = undefined;
    this.readAgain += text.length - certain;
    if (this.readAgain > 3 * this.maxHeld) this.recognizes = false;
    for (const char of text.slice(0, certain)) this.show(char);
    for (const char of text.slice(certain)) this.readCharacter(char);
  }

  private show(char: string): void {
    this.hasBegun ||= char.trim() !== '';
    this.shown += char;
    if (char !== '\n') {
      if (this.line.length < MAX_LINE_LENGTH) this.line += char;
      return;
    }
    const [, marker = '', rest = ''] = FENCE.exec(this.line) ?? [];
    if (this.fence === undefined) this.fence = marker === '' ? undefined : marker;
    else if (marker.startsWith(this.fence) && rest.trim() === '') this.fence = undefined;
    this.line = '';
  }

  private takeShown(): string {
    const { shown } = this;
    this.shown = '';
    return shown;
  }
}
