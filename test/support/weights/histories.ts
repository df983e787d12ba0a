/** A message of Chat Completions. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

/** The tool that the scenarios of `test/real/scenarios/templates.json` call. */
export const TOOL = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
} as const;

const user = (content: string): ChatMessage => ({ role: 'user', content });
const answer = (content: string): ChatMessage => ({ role: 'assistant', content });

let count = 0;

/** An answer with a call and its result. */
function call(result = 'Apples.'): readonly ChatMessage[] {
  const id = `call${String(++count).padStart(5, '0')}`;
  const made = { id, type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } };
  return [
    { role: 'assistant', content: '', tool_calls: [made] },
    { role: 'tool', content: result, tool_call_id: id },
  ];
}

/** Prompts that a template must read like the mock: those with a trigger, and those that nearly have one. */
const PROMPTS: readonly string[] = [
  'make quince jam, please',
  'QUINCE JAM',
  'make quince jams',
  'make aquince jam',
  'quince_jam and quince jam_',
  'Damson pie',
  'damsons',
  'a Damson pie',
  'pick the medlar',
  'pick the MEDLAR',
  'pick the medlar.',
  'only sloes',
  'only sloes!',
  'not only sloes',
  'one Greengage here',
  'one greengage here',
  'PICK PLUMS',
  'pick plum',
  'Please köche zwetschgen!',
  'KÖCHE ZWETSCHGEN',
  'pour 🍐 perry',
  'pour 🍐  perry',
  'now it\'s "ripe" %} {{ x #} \\n here',
  "it's 'ripe' %} {{ x #}",
  'grate a-rind',
  'grate -rind',
  'peel, then bake the pears',
  'peeled',
  'do not peel',
  'fig fig fig',
  'figfig fig',
  'afig fig figs',
  'bake the pears and pick plums',
  '<system-reminder>pick plums</system-reminder>bake the pears',
  '<system-reminder>pick plums</system-reminder>nothing else',
  '<environment_context>pick plums',
  '<system-reminder type="x">pick plums</system-reminder>bake the pears',
  '<environment_context cwd="/x">\npick plums\n</environment_context>\nbake the pears',
  '<reminders>pick plums</reminders>bake the pears',
  'first line\nbake the pears\nlast line',
  'bake\nthe pears',
  '{{ "pick" }} {% raw %}',
  'nothing of the kind',
  'overlapping jars now',
  'the overlapping jars',
  'name the tags',
  'answer as json',
  'draw a line',
  'indent the list',
  'begin a tag',
  'end the lines',
  'mix the arguments',
  'Go and GLAZE the ham',
  'the Green ham',
];

/** Histories that a template must read like the mock. */
export const HISTORIES: ReadonlyMap<string, readonly ChatMessage[]> = new Map<string, readonly ChatMessage[]>([
  ...PROMPTS.map((prompt) => [`the prompt ${JSON.stringify(prompt)}`, [user(prompt)]] as const),
  ['two prompts', [user('pick plums'), user('bake the pears')]],
  [
    'a prompt, and a text of the agent with another trigger',
    [user('pick plums'), user('<system-reminder>bake the pears</system-reminder>')],
  ],
  [
    'a text of the agent with a trigger, and a prompt with another one',
    [user('<environment_context>pick plums</environment_context>'), user('bake the pears')],
  ],
  ['a result', [user('pick plums'), ...call()]],
  ['results of two answers', [user('pick plums'), ...call(), ...call()]],
  ['more results than steps', [user('pick plums'), ...call(), ...call(), ...call()]],
  ['a text after a result', [user('pick plums'), ...call(), user('Hurry: bake the pears.')]],
  ['a result with another trigger', [user('pick plums'), ...call('bake the pears')]],
  ['a system text with a trigger', [{ role: 'system', content: 'bake the pears' }, user('pick plums')]],
  ['an answer with a trigger', [user('nothing'), answer('bake the pears'), user('what?')]],
  ['thanks after a run', [user('pick plums'), ...call(), ...call(), answer('plain: the end.'), user('Thanks.')]],
  ['a second run', [user('pick plums'), ...call(), answer('Done.'), user('bake the pears')]],
  ['a result in a second run', [user('pick plums'), ...call(), answer('Done.'), user('bake the pears'), ...call()]],
  ['the same prompt again', [user('pick plums'), ...call(), answer('Done.'), user('pick plums')]],
  [
    'a prompt after a stopped run',
    [
      user('pick plums'),
      ...call('Not executed: the user stopped the run before this call started.'),
      user('bake the pears'),
    ],
  ],
  [
    'another text after a stopped run',
    [user('pick plums'), ...call('Not executed: the user stopped the run before this call started.'), user('go on')],
  ],
]);
