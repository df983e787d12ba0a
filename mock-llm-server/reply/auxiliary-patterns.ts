/** What an instruction asks for beside the work itself. `background`: another agent that looks after the session. */
export type AskKind = 'title' | 'summary' | 'background';

/** Instructions stand at the beginning; what comes later may be a whole conversation. */
const HEAD_LENGTH = 600;

/** Every instruction holds one of these; most texts are done after looking for them. */
const WORDS =
  /title|name\b|summar|conversation|chat|memor|suggestion mode|stepped away|dream|text only|compact|condense|anchored|task described|topic|description/i;

/** What may stand before an instruction without making it another one. */
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
/** Of which conversation; a word that says which makes it somebody's own: `the yoga session`. */
const SUBJECT = `(?:this|the|our|that|an|a) (?:(?:following|current|entire|whole|partial|coding|recent|given|previous|agent|first|user's|portion of the|chat) ){0,3}(?:${TALK}|message)\\b(?! (?:app|bot|room|client|server|window|widget|page)s?\\b)`;

/** Words that only an agent says, whatever else the request holds. */
const UNMISTAKABLE: readonly (readonly [AskKind, string])[] = [
  ['background', '\\[suggestion mode:'],
  ['background', 'the user stepped away and is coming back'],
  ['background', 'important: this message and these instructions are not part of the actual (?:user )?conversation'],
  [
    'background',
    'you are (?:now )?(?:acting as )?(?:an?|the) (?:[\\w-]+ ){0,4}memory[ -](?:extractor|(?:extraction|consolidation|maintenance|management|update|selection) (?:sub-?)?(?:agent|assistant|system|specialist))',
  ],
  ['background', 'dream: memory consolidation|you are performing a dream\\b'],
  ['background', `extract (?:[\\w-]+ ){0,3}memories from ${SUBJECT}`],
  ['summary', 'critical: respond with text only\\b'],
  ['summary', '<explicit_instructions type=(?:summarize_task|condense)'],
  ['summary', 'you are performing a context checkpoint compaction'],
  ['summary', 'you are an? (?:[\\w-]+ ){0,3}(?:context|conversation) summari[sz](?:er|ation (?:assistant|agent))\\b'],
  ['summary', 'you are the component that summarizes\\b'],
  ['summary', 'you are an? (?:[\\w-]+ ){0,4}tasked with summari[sz]ing conversations'],
  ['summary', '(?:create|update) (?:a new|the) anchored summary\\b'],
  ['summary', 'the messages above are a conversation to summarize'],
  ['summary', 'provide a detailed prompt for continuing our conversation'],
  ['summary', 'you have been working on the task described above'],
  [
    'summary',
    `(?:the current conversation is [^.\\n]{0,60}\\. now, )?your (?:urgent )?task is to create${AN} summary of ${SUBJECT}`,
  ],
];

/** What somebody who types could say, too; it counts where no tools are offered. */
const INSTRUCTIONS: readonly (readonly [AskKind, string])[] = [
  ['title', 'you are an? (?:[\\w-]+ ){0,4}title[ -](?:generator|writer|(?:generation )?(?:agent|assistant))\\b'],
  ['title', 'you are an? expert in crafting (?:[\\w-]+ ){0,3}titles\\b'],
  ['title', `you (?:generate|create|write) (?:[\\w-]+ ){0,3}${TALK} titles\\b`],
  ['title', 'analy[sz]e if this message indicates a new conversation topic'],
  ['title', 'reply with only a (?:title|description) in\\b'],
  ['title', 'provide a short title for a task that will be created\\b'],
  [
    'title',
    `${WRITE}${AN} title\\b[^.\\n]{0,60}?\\b(?:for|of|to|captures?|capturing|summari[sz]ing|describing|based on)\\b[^.\\n]{0,60}?\\b${SUBJECT}`,
  ],
  ['title', `${WRITE}${AN} (?:session|conversation|chat|thread) (?:title|name)\\b`],
  ['title', `${WRITE}${AN} kebab-case name\\b[^.\\n]{0,60}\\b${SUBJECT}`],
  ['title', `give ${SUBJECT} an? (?:[\\w-]+ ){0,3}(?:title|name)\\b`],
  ['title', `${WRITE}${AN} description of ${SUBJECT} in \\w+ words\\b`],
  [
    'summary',
    `(?:summari[sz]e|compact|condense|compress) (?:what (?:was|has been) (?:done|said) in |the contents? of )?${SUBJECT}`,
  ],
  ['summary', `${WRITE}${AN} (?:summary|recap) (?:of|from|for) ${SUBJECT}`],
  [
    'background',
    '(?:generate|suggest) [^.\\n]{0,80}\\b(?:tags|follow-up questions)\\b[^.\\n]{0,120}\\bchat history\\b',
  ],
];

/** What a small model is used for. */
const SMALL_TASKS: typeof INSTRUCTIONS = [
  [
    'title',
    '(?:find|extract|determine|identify|detect|name|generate|write|create) [^.\\n]{0,60}\\b(?:title|topic|summary)\\b',
  ],
];
const SMALL_MODEL = /haiku|mini(?!max)|flash-lite|nano/i;

/** What is asked for only in a case that may come is not what is asked for now. */
const CONDITION = /\b(?:when|whenever|(?<!^analy[sz]e )if|once|each|every|asked|at the (?:end|start|beginning))\b/i;

type Patterns = readonly (readonly [AskKind, RegExp])[];

const UNMISTAKABLE_PATTERNS = compile(UNMISTAKABLE);
const INSTRUCTION_PATTERNS = compile(INSTRUCTIONS);
const SMALL_TASK_PATTERNS = compile(SMALL_TASKS);

/**
 * What a text asks for that begins with such an instruction. With tools only what no person says counts. Pure;
 * only the head of the text is read.
 */
export function askAtStart(text: string, hasTools: boolean): AskKind | undefined {
  const head = headOf(text);
  return find(UNMISTAKABLE_PATTERNS, head) ?? (hasTools ? undefined : find(INSTRUCTION_PATTERNS, head));
}

/** What a text asks for that holds such an instruction at the start of a sentence. Pure; only the head is read. */
export function askAnywhere(text: string): AskKind | undefined {
  const head = headOf(text);
  for (const { index } of head.matchAll(/(?<=^|\n|[.!?:] )\S/g)) {
    const rest = head.slice(index);
    const ask = find(UNMISTAKABLE_PATTERNS, rest) ?? find(INSTRUCTION_PATTERNS, rest);
    if (ask !== undefined) return ask;
  }
  return undefined;
}

/** What a system text asks of a model that is too small for the work itself. Pure; only the head is read. */
export function askOfSmallModel(text: string, model: string): AskKind | undefined {
  return SMALL_MODEL.test(model) ? find(SMALL_TASK_PATTERNS, headOf(text)) : undefined;
}

/** The beginning without markup, with single spaces, so that no pattern has more than one way to read it. */
function headOf(text: string): string {
  const head = text.slice(0, HEAD_LENGTH);
  if (!WORDS.test(head)) return '';
  const lines = head.replaceAll(/[#*>"`]/g, '').split('\n');
  return lines
    .map((line) => line.split(/\s/).filter(Boolean).join(' '))
    .filter(Boolean)
    .join('\n');
}

function compile(patterns: typeof INSTRUCTIONS): Patterns {
  return patterns.map(([kind, source]) => [kind, new RegExp(`^${LEAD}(?:${source})[^.\\n]*`, 'i')]);
}

function find(patterns: Patterns, head: string): AskKind | undefined {
  if (head === '') return undefined;
  for (const [kind, pattern] of patterns) {
    const [sentence] = pattern.exec(head) ?? [];
    if (sentence !== undefined && !CONDITION.test(sentence)) return kind;
  }
  return undefined;
}

/** Whether a text has a word that instructions are made of. */
export function hasAskWord(text: string): boolean {
  return WORDS.test(text);
}
