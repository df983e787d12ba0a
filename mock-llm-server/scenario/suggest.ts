import leven from 'leven';

/** Longer names are compared by their start. */
const MAX_LENGTH = 100;
const MIN_PART = 3;
/** Share of a name's characters that a misspelled one may have wrong. */
const MAX_WRONG = 0.35;

/** The name most likely meant by a misspelled one, in any case and style; undefined if none is close. Pure. */
export function suggest(misspelled: string, names: readonly string[]): string | undefined {
  const wanted = normalize(misspelled);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const known = normalize(name);
    const maxDistance = Math.min(Math.ceil(known.length * MAX_WRONG), bestDistance);
    const contains = isPart(wanted, known) || isPart(known, wanted);
    const distance = contains ? 0.5 : leven(wanted, known, { maxDistance: maxDistance + 1 });
    if (distance > maxDistance || distance >= bestDistance) continue;
    best = name;
    bestDistance = distance;
  }
  return best;
}

/** The names that differ from a misspelled one in at most so many characters, the nearest first. Pure. */
export function nearNames(misspelled: string, names: readonly string[], maxDistance: number): readonly string[] {
  return names
    .map((name) => ({ name, distance: leven(misspelled, name, { maxDistance: maxDistance + 1 }) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

function normalize(name: string): string {
  return name.slice(0, MAX_LENGTH).toLowerCase().replace(/[-_ ]/g, '');
}

function isPart(short: string, long: string): boolean {
  return short.length >= MIN_PART && short !== long && long.includes(short);
}

/** Common names from other formats, and the scenario fields they stand for; those with none have no near field. */
const FIELD_ALIASES: Readonly<Record<string, readonly string[]>> = {
  args: ['arguments'],
  input: ['arguments'],
  parameters: ['arguments'],
  text: ['content'],
  message: ['content'],
  thinking: ['reasoning'],
  reasoningcontent: ['reasoning'],
  thought: ['reasoning'],
  tools: ['tool_calls'],
  tool: ['name'],
  match: ['trigger'],
  prompt: ['trigger', 'prompts'],
  error: ['fault', 'message'],
  id: ['name'],
  title: ['name'],
  function: ['name'],
  description: [],
  tests: ['scenarios'],
  mocks: ['scenarios'],
  cases: ['scenarios'],
  stories: ['story'],
  fallback: ['default_response'],
  service: ['as'],
  provider: ['as'],
  files: ['workspace'],
  user: ['text'],
  equals: ['text'],
  exact: ['text'],
  startswith: ['text'],
  lastmessage: ['text'],
  anyof: ['regex'],
  matches: ['regex'],
  probability: ['chance', 'times'],
  json: ['content'],
  chunks: ['content'],
  refusal: ['content'],
  choices: ['content'],
  candidates: ['content'],
  body: ['message', 'content'],
  functioncall: ['tool_calls'],
  timeout: ['timeout_seconds', 'stall'],
  prompttokencount: ['input_tokens'],
  candidatestokencount: ['output_tokens'],
  delay: ['timing', 'time_to_first_token_ms'],
  latency: ['timing', 'time_to_first_token_ms'],
  ttft: ['time_to_first_token_ms'],
  tps: ['tokens_per_second'],
  file: ['path'],
  filename: ['path'],
  filepath: ['path'],
  filetext: ['content'],
  oldstring: ['old_text'],
  newstring: ['new_text'],
  oldstr: ['old_text'],
  newstr: ['new_text'],
  search: ['old_text'],
  replace: ['new_text'],
  cmd: ['command'],
  bash: ['command'],
  script: ['command'],
  content: ['text'],
  reply: ['response'],
  answer: ['response'],
  assistant: ['response'],
  output: ['response'],
  stopreason: ['finish'],
  prompttokens: ['input_tokens'],
  completiontokens: ['output_tokens'],
  cachereadinputtokens: ['cached_tokens'],
  cachecreationinputtokens: [],
  totaltokens: [],
  contains: ['text', 'tool_result', 'regex'],
  substring: ['text'],
  usermessage: ['text'],
  pattern: ['regex'],
  regexp: ['regex'],
  turns: ['steps'],
  responses: ['steps', 'scenarios'],
  response: ['steps'],
  messages: ['steps'],
  replies: ['steps'],
  kind: [],
};

/** Values from protocols and tools, and those of a scenario that stand for them. */
const VALUE_ALIASES: Readonly<Record<string, readonly string[]>> = {
  shell: [
    ...['bash', 'run', 'exec', 'execute', 'terminal', 'command', 'runcommand', 'sh'],
    ...['delete', 'deletefile', 'remove', 'removefile', 'move', 'movefile', 'rename', 'mkdir'],
  ],
  write_file: ['write', 'create', 'createfile', 'save'],
  read_file: ['read', 'cat', 'view', 'open'],
  edit_file: ['edit', 'replace', 'strreplace', 'applypatch', 'patch'],
  list_files: ['list', 'ls', 'glob', 'listdir', 'listdirectory'],
  search_files: ['search', 'grep', 'find'],
  stop: ['endturn', 'stopsequence', 'completed', 'done'],
  tool_calls: ['tooluse', 'functioncall'],
  length: ['maxtokens', 'maxoutputtokens', 'incomplete'],
  content_filter: ['safety', 'contentfiltered'],
  'openai-chat': ['openai', 'chat', 'chatcompletions'],
  'openai-responses': ['responses'],
  'anthropic-messages': ['anthropic', 'claude', 'messages'],
  'bedrock-converse': ['bedrock', 'converse', 'aws'],
  gemini: ['google', 'vertex'],
  anthropic: ['claude'],
  openai: ['gpt', 'chatgpt'],
  done: ['success', 'succeeded', 'ok', 'passed', 'complete', 'completed'],
  once: ['yes', 'y', 'allow', 'approve', 'accept'],
  deny: ['no', 'n', 'reject'],
  'full-access': ['yolo', 'auto', 'bypass', 'bypasspermissions', 'dangerfullaccess', 'never'],
  before_headers: ['start', 'beginning'],
  'gemini-interactions': ['interactions'],
};

/** As `suggest`, for a value; it also knows what protocols and tools call the values. Pure. */
export function suggestValue(written: string, values: readonly string[]): string | undefined {
  const wanted = normalize(written);
  return values.find((value) => VALUE_ALIASES[value]?.includes(wanted) === true) ?? suggest(written, values);
}

/** As `suggest`, for a field of a scenario; it also knows what other formats call the fields. Pure. */
export function suggestField(misspelled: string, fields: readonly string[]): string | undefined {
  const wanted = normalize(misspelled);
  const aliases = Object.hasOwn(FIELD_ALIASES, wanted) ? FIELD_ALIASES[wanted] : undefined;
  if (aliases?.length === 0) return undefined;
  return aliases?.find((name) => fields.includes(name)) ?? suggest(misspelled, fields);
}
