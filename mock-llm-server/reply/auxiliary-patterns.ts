/** Purpose of an auxiliary request. `background`: an agent that maintains the session, such as its memory. */
export type AuxiliaryPurpose = 'title' | 'summary' | 'background';

type Patterns = readonly { readonly purpose: AuxiliaryPurpose; readonly pattern: RegExp }[];

/** An instruction begins a text; what follows may be a whole conversation. */
const HEAD_LENGTH = 600;

/** Every instruction contains one of these words. Most texts do not, and need no further pattern. */
export const INSTRUCTION_WORD =
  /title|name\b|summar|conversation|chat|memor|suggestion mode|stepped away|dream|text only|compact|condense|anchored|task described|topic|description|commit message/i;

/** Words that may precede an instruction without changing it. */
const LEAD = [
  '(?:- )?',
  '(?:you are an? [^.\\n]{0,80}\\.\\s)?',
  '(?:(?:given|based on) (?:the|our) [^,.\\n]{0,40}(?:, |\\.\\.\\. ))?',
  '(?:(?:task|goal):?\\s)?',
  '(?:you will be (?:given|presented with) [^,.\\n]{0,40}[,.] (?:and )?)?',
  '(?:you will |your (?:urgent )?(?:task|job|goal) is to |now,? |please )*',
  '(?:briefly |concisely )?',
].join('');

const WRITE =
  '(?:generate|create|write|suggest|provide|propose|produce|give|make|choose|come up with|(?:reply|respond) with|return)';
const AN = "(?: me| us)?(?: an?| the| one)?(?: (?!(?:in|with|about|whose|called)\\b)[\\w(),%'-]+){0,7}?";
const TALK = '(?:conversation|session|thread|chat history|chat|dialogue?|discussion)s?';
/** The agent's conversation. Another word before it names another conversation: `the yoga session`. */
const SUBJECT = `(?:this|the|our|that|an|a) (?:(?:following|current|entire|whole|partial|coding|recent|given|previous|agent|first|user's|portion of the|chat) ){0,3}(?:${TALK}|message)\\b(?! (?:app|bot|room|client|server|window|widget|page)s?\\b)`;

/** Instructions that only agents write. They count with tools, too. */
const AGENT_PATTERNS = compile({
  title: [
    'you are an expert software engineer that generates concise, one-line git commit messages', // aider
  ],
  background: [
    '\\[suggestion mode:', // Claude Code
    'the user stepped away and is coming back', // Claude Code
    'important: this message and these instructions are not part of the actual (?:user )?conversation', // Claude Code
    'you are (?:now )?(?:acting as )?(?:an?|the) (?:[\\w-]+ ){0,4}memory[ -](?:extractor|(?:extraction|consolidation|maintenance|management|update|selection) (?:sub-?)?(?:agent|assistant|system|specialist))', // Claude Code, qwen-code
    'dream: memory consolidation|you are performing a dream\\b', // Claude Code
  ],
  summary: [
    'critical: respond with text only\\b', // Claude Code
    '<explicit_instructions type=(?:summarize_task|condense)', // Cline
    'you are performing a context checkpoint compaction', // Codex
    'you are an? (?:[\\w-]+ ){0,3}(?:context|conversation) summari[sz](?:er|ation (?:assistant|agent))\\b', // pi, opencode
    'you are the component that summarizes\\b', // Gemini CLI, qwen-code
    'you are an? (?:[\\w-]+ ){0,4}tasked with summari[sz]ing conversations', // Claude Code
    '(?:create|update) (?:a new|the) anchored summary\\b', // opencode
    'provide a detailed prompt for continuing our conversation', // opencode, older
    'you have been working on the task described above', // Anthropic SDK
    `(?:the current conversation is [^.\\n]{0,60}\\. now, )?your (?:urgent )?task is to create${AN} summary of ${SUBJECT}`, // Claude Code, Cline
  ],
});

/** Instructions that a user might type as well. They count only in requests without tools. */
const USER_PATTERNS = compile({
  title: [
    'you are an? (?:[\\w-]+ ){0,4}title[ -](?:generator|writer|(?:generation )?(?:agent|assistant))\\b', // opencode, chat applications
    'you are an? expert in crafting (?:[\\w-]+ ){0,3}titles\\b', // Copilot
    `you (?:generate|create|write) (?:[\\w-]+ ){0,3}${TALK} titles\\b`, // chat applications
    'analy[sz]e if this message indicates a new conversation topic', // Claude Code
    'reply with only a (?:title|description) in\\b', // goose
    'provide a short title for a task that will be created\\b', // Codex
    `${WRITE}${AN} title\\b[^.\\n]{0,60}?\\b(?:for|of|to|captures?|capturing|summari[sz]ing|describing|based on)\\b[^.\\n]{0,60}?\\b${SUBJECT}`, // Claude Code, opencode, Continue, Droid, Crush, Zed and others
    `${WRITE}${AN} kebab-case name\\b[^.\\n]{0,60}\\b${SUBJECT}`, // Claude Code
    `${WRITE}${AN} name for ${SUBJECT}`, // gptme
    `give ${SUBJECT} an? (?:[\\w-]+ ){0,3}(?:title|name)\\b`, // chat applications
  ],
  summary: [
    `(?:summari[sz]e|compact|condense|compress) (?:what (?:was|has been) (?:done|said) in |the contents? of )?${SUBJECT}`, // Claude Code, opencode, Aider
    `${WRITE}${AN} (?:summary|recap) (?:of|from|for) ${SUBJECT}`,
  ],
  background: [
    '(?:generate|suggest) [^.\\n]{0,80}\\b(?:tags|follow-up questions)\\b[^.\\n]{0,120}\\bchat history\\b', // Open WebUI
  ],
});

/** Tasks that agents give to small models. */
const SMALL_TASK_PATTERNS = compile({
  title: [
    '(?:find|extract|determine|identify|detect|name|generate|write|create) [^.\\n]{0,60}\\b(?:title|topic|summary)\\b',
  ],
});
const SMALL_MODEL = /haiku|(?<!ge)mini(?!max)|flash-lite|nano/i;

/** An instruction for a case that may come later is not an instruction for this request. */
const CONDITION = /\b(?:when|whenever|(?<!^analy[sz]e )if|once|each|every|asked|at the (?:end|start|beginning))\b/i;

/** Purpose of the instruction that a text begins with; in a request with tools, of one that no user types. Pure. */
export function purposeAtStart(text: string, hasTools: boolean): AuxiliaryPurpose | undefined {
  const head = headOf(text);
  return find(AGENT_PATTERNS, head) ?? (hasTools ? undefined : find(USER_PATTERNS, head));
}

/** Purpose of the first instruction at the start of any sentence. Pure. */
export function purposeAnywhere(text: string): AuxiliaryPurpose | undefined {
  const head = headOf(text);
  for (const { index } of head.matchAll(/(?<=^|\n|[.!?:] )\S/g)) {
    const rest = head.slice(index);
    const purpose = find(AGENT_PATTERNS, rest) ?? find(USER_PATTERNS, rest);
    if (purpose !== undefined) return purpose;
  }
  return undefined;
}

/** Purpose of a system text for a model that is too small for the agent's work. Pure. */
export function purposeForSmallModel(text: string, model: string): AuxiliaryPurpose | undefined {
  return SMALL_MODEL.test(model) ? find(SMALL_TASK_PATTERNS, headOf(text)) : undefined;
}

/** The head without markup and with single spaces, so that no pattern can match it in several ways and backtrack. */
function headOf(text: string): string {
  const head = text.slice(0, HEAD_LENGTH);
  if (!INSTRUCTION_WORD.test(head)) return '';
  const lines = head.replaceAll(/[#*>"`]/g, '').split('\n');
  const spaced = lines.map((line) => line.split(/\s/).filter(Boolean).join(' '));
  return spaced.filter(Boolean).join('\n');
}

/** The instructions as patterns, which match the whole first sentence. */
function compile(instructions: Readonly<Partial<Record<AuxiliaryPurpose, readonly string[]>>>): Patterns {
  return (['title', 'background', 'summary'] as const).flatMap((purpose) =>
    (instructions[purpose] ?? []).map((source) => {
      return { purpose, pattern: new RegExp(`^${LEAD}(?:${source})[^.\\n]*`, 'i') };
    }),
  );
}

function find(patterns: Patterns, head: string): AuxiliaryPurpose | undefined {
  if (head === '') return undefined;
  for (const { purpose, pattern } of patterns) {
    const [sentence] = pattern.exec(head) ?? [];
    if (sentence !== undefined && !CONDITION.test(sentence)) return purpose;
  }
  return undefined;
}
