import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OfferedTool } from '../../../../../mock-llm-server/conversation/conversation.ts';
import { KNOWN_TOOLS } from '../../../../../mock-llm-server/reply/intents/known-tools.ts';
import { resolveIntent } from '../../../../../mock-llm-server/reply/intents/resolve-intent.ts';
import type { Intent, IntentName } from '../../../../../mock-llm-server/scenario/intent-format.ts';
import { propertySettings } from '../../../../support/property.ts';
import { offer, offerText } from './agents.ts';

const INTENTS: Readonly<Record<IntentName, Intent>> = {
  write_file: { intent: 'write_file', path: 'a.txt', content: 'hi' },
  read_file: { intent: 'read_file', path: 'a.txt' },
  edit_file: { intent: 'edit_file', path: 'a.txt', old_text: 'one', new_text: 'two' },
  shell: { intent: 'shell', command: 'ls' },
  list_files: { intent: 'list_files', pattern: '*.ts', path: 'src' },
  search_files: { intent: 'search_files', pattern: 'x+', path: 'src' },
};

function call(intent: Intent, ...tools: readonly OfferedTool[]): string {
  const resolved = resolveIntent({ intent, tools, directory: '/w' });
  return resolved.type === 'call' ? `${resolved.name} ${resolved.arguments}` : 'nothing';
}

const describedThing: OfferedTool = {
  name: 'read_file_of',
  input: 'json',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, where: { type: 'string', description: 'The owner of the file.' } },
    required: ['path', 'where'],
  },
};

describe('a tool that no table knows', () => {
  it.each<[string, IntentName, OfferedTool, string]>([
    ['words in the name', 'write_file', offer('SaveDocument', 'fileName! body!'), '{"fileName":"a.txt","body":"hi"}'],
    [
      'words in snake case',
      'edit_file',
      offer('modify_file', 'target! before! after!'),
      '{"target":"a.txt","before":"one","after":"two"}',
    ],
    [
      'search and replace',
      'edit_file',
      offer('substitute', 'file! search! replace!'),
      '{"file":"a.txt","search":"one","replace":"two"}',
    ],
    ['a list of commands', 'shell', offer('terminal', 'commands!:strings'), '{"commands":["ls"]}'],
    [
      'the words of a process',
      'shell',
      offer('spawn_process', 'argv!:strings', { description: 'Executes a command.' }),
      '{"argv":["sh","-c","ls"]}',
    ],
    ['a list of paths', 'read_file', offer('open_files', 'paths!:strings'), '{"paths":["a.txt"]}'],
    [
      'a glob',
      'list_files',
      offer('enumerate_files', 'wildcard_pattern! folder'),
      '{"wildcard_pattern":"*.ts","folder":"src"}',
    ],
    ['a regular expression', 'search_files', offer('scan', 'regex! directory'), '{"regex":"x+","directory":"src"}'],
    [
      'required arguments of other kinds',
      'shell',
      offer('run', 'cmd! reason! wait!:boolean retries!:integer mode!:enum=fg|bg tags!:strings'),
      '{"cmd":"ls","reason":"Run a command.","wait":false,"retries":1,"mode":"fg","tags":[]}',
    ],
  ])('%s', (_name, intent, tool, expected) => {
    expect(call(INTENTS[intent], tool)).toBe(`${tool.name} ${expected}`);
  });

  it.each([
    ['lines', 'startLine!:integer endLine!:integer', '"startLine":1,"endLine":2000'],
    ['a part or the whole', 'read_entire_file!:boolean', '"read_entire_file":true'],
    ['a time in seconds', 'timeout!:number', '"timeout":60'],
    ['a time in milliseconds', 'timeout_ms!:number', '"timeout_ms":60000'],
    ['a place', 'cwd!', '"cwd":"."'],
    ['one of several things it does', 'mode!:enum=edit|open|delete', '"mode":"open"'],
    ['one of things that say nothing', 'mode!:enum=a|b', '"mode":"a"'],
  ])('gets what a required argument suggests: %s', (_name, keys, expected) => {
    expect(call(INTENTS.read_file, offer('open_file', `file! ${keys}`))).toBe(`open_file {"file":"a.txt",${expected}}`);
  });

  it.each([
    [{ minimum: 5, maximum: 10 }, 10],
    [{ minimum: 3000 }, 3000],
    [{ maximum: 7 }, 7],
  ])('keeps a suggested number within %j', (limits, limit) => {
    const properties = { file: { type: 'string' }, limit: { type: 'integer', ...limits } };
    const tool: OfferedTool = {
      name: 'open_file',
      input: 'json',
      parameters: { type: 'object', properties, required: ['file', 'limit'] },
    };
    expect(call(INTENTS.read_file, tool)).toBe(`open_file {"file":"a.txt","limit":${limit}}`);
  });

  it.each([
    ['a description that says absolute', 'Absolute path of the file', '/w/a.txt'],
    ['one that says not relative', 'Path of the file, absolute and not relative', '/w/a.txt'],
    ['one that takes both', 'Path of the file, relative or absolute', 'a.txt'],
    ['one that says nothing', 'Path of the file', 'a.txt'],
  ])('%s decides how paths are written', (_name, description, path) => {
    const parameters = { type: 'object', properties: { f: { type: 'string', description } }, required: ['f'] };
    expect(call(INTENTS.read_file, { name: 'x', description: 'Reads a file.', input: 'json', parameters })).toBe(
      `x {"f":"${path}"}`,
    );
  });

  it('gets null for what may be null, and what is prescribed', () => {
    const properties = {
      cmd: { type: 'string' },
      cwd: { type: ['string', 'null'] },
      env: { anyOf: [{ type: 'object' }, { type: 'null' }] },
      account: { type: 'STRING', nullable: true },
      version: { const: 2 },
      shell: { type: ['string', 'null'], default: 'sh' },
      limits: { $ref: '#/$defs/limits' },
      note: true,
    };
    const $defs = {
      limits: { type: 'object', properties: { seconds: { type: 'number', minimum: 5 } }, required: ['seconds'] },
    };
    const parameters = { type: 'object', properties, required: Object.keys(properties), $defs };
    expect(call(INTENTS.shell, { name: 'run', input: 'json', parameters })).toBe(
      'run {"cmd":"ls","cwd":null,"env":null,"account":null,"version":2,"shell":"sh","limits":{"seconds":5},"note":"Run a command."}',
    );
  });

  const file = {
    type: 'object',
    properties: { path: {}, contents: { type: 'string' } },
    required: ['path', 'contents'],
  };
  const edits = {
    type: 'array',
    items: {
      type: 'object',
      properties: { oldText: { type: 'string' }, newText: { type: 'string' }, all: { type: 'boolean' } },
      required: ['oldText', 'newText'],
    },
  };
  it.each<readonly [string, IntentName, string, object, readonly string[], string]>([
    ['an object', 'write_file', 'put', { file }, ['file'], 'put {"file":{"path":"a.txt","contents":"hi"}}'],
    [
      'an object that may be left out',
      'write_file',
      'put',
      { file },
      [],
      'put {"file":{"path":"a.txt","contents":"hi"}}',
    ],
    [
      'a list of objects',
      'write_file',
      'write_files',
      { files: { type: 'array', items: file } },
      ['files'],
      'write_files {"files":[{"path":"a.txt","contents":"hi"}]}',
    ],
    [
      'a list beside a path',
      'edit_file',
      'change_text',
      { edits, path: { type: 'string' } },
      ['edits', 'path'],
      'change_text {"path":"a.txt","edits":[{"oldText":"one","newText":"two"}]}',
    ],
    [
      'an argument of its own rather than one inside of another',
      'read_file',
      'open_file',
      { options: { type: 'object', properties: { path: { type: 'string' } } }, path: { type: 'string' } },
      ['path'],
      'open_file {"path":"a.txt"}',
    ],
    ['not where something inside is open', 'read_file', 'open_file', { file }, ['file'], 'nothing'],
    [
      'not two levels inside',
      'write_file',
      'put',
      { all: { type: 'object', properties: { file } } },
      ['all'],
      'nothing',
    ],
  ])('takes texts inside of arguments: %s', (_name, intent, name, properties, required, expected) => {
    const tool: OfferedTool = { name, input: 'json', parameters: { type: 'object', properties, required } };
    expect(call(INTENTS[intent], tool)).toBe(expected);
  });

  it.each<readonly [IntentName, string]>([
    ['write_file', 'file_manager {"path":"a.txt","content":"hi","action":"write_file"}'],
    ['read_file', 'file_manager {"path":"a.txt","action":"read"}'],
    ['list_files', 'file_manager {"path":"src","action":"list"}'],
    ['edit_file', 'nothing'],
    ['shell', 'nothing'],
  ])('does what it is told to do: %s', (name, expected) => {
    const tool = offer('file_manager', 'action!:enum=create_folder|write_file|read|list|delete path! content');
    const intent: Intent = name === 'list_files' ? { intent: name, path: 'src' } : INTENTS[name];
    expect(call(intent, tool)).toBe(expected);
    const optional = offer('file_manager', 'action:enum=create_folder|write_file|read|list|delete path! content');
    expect(call(intent, optional)).toBe(expected);
  });

  it('is passed over for the shell where it wants what nobody knows', () => {
    const github = offer('get_file_contents', 'owner! repo! path!', { description: 'Get the contents of a file.' });
    expect(call(INTENTS.read_file, github, offer('bash', 'command!'))).toBe(`bash {"command":"cat -- 'a.txt'"}`);
    expect(call(INTENTS.read_file, offer('python', 'code!', { description: 'Runs Python.' }))).toBe('nothing');
  });

  it('may want an id that it also leaves open', () => {
    expect(call(INTENTS.read_file, offer('open_file', 'file! session_id!:types=string|null'))).toBe(
      'open_file {"file":"a.txt","session_id":null}',
    );
    expect(call(INTENTS.read_file, offer('open_file', 'file! session_id'))).toBe('open_file {"file":"a.txt"}');
  });

  it('may take a text', () => {
    expect(call(INTENTS.shell, { ...offerText('console'), description: 'Runs a script in the shell.' })).toBe(
      'console ls',
    );
  });

  it.each<[string, IntentName, OfferedTool]>([
    ['pages are no files', 'read_file', offer('open_page', 'path!', { description: 'Opens a web page.' })],
    ['pictures are no files', 'read_file', offer('view_image', 'path!')],
    ['a copy is no write', 'write_file', offer('copy_file', 'path! content!')],
    [
      'a part is no whole',
      'write_file',
      offer('change_text', 'path! old! new!', { description: 'Replaces text in a file.' }),
    ],
    ['a task is no command', 'shell', offer('run_task', 'command!')],
    [
      'agents are no files',
      'list_files',
      offer('list_agents', 'path_prefix', { description: 'List the live agents in the current tree of agents.' }),
    ],
    [
      'a tool that only mentions files lists none',
      'list_files',
      {
        name: 'apply_patch',
        description: 'Use `apply_patch` to edit files with the grammar of patches.',
        input: 'json',
        parameters: {
          type: 'object',
          properties: { input: { type: 'string', description: 'The patch (*** Update File: and so on)' } },
          required: ['input'],
        },
      },
    ],
    ['a query is no pattern for files', 'search_files', offer('search_web', 'query!')],
    ['required work of another kind', 'read_file', offer('show', 'file! command!')],
    ['no schema', 'read_file', { name: 'load_file', input: 'json' }],
    [
      'a schema that is none',
      'read_file',
      { name: 'load_file', input: 'json', parameters: { properties: 5, required: 'x' } },
    ],
    ['nothing to bind', 'list_files', offer('list_everything', 'depth:number')],
    ['choices take no path', 'read_file', offer('load', 'file!:enum=a|b')],
    [
      'a file of a repository somewhere',
      'read_file',
      offer('get_file_contents', 'owner! repo! path!', { description: 'Get the contents of a file.' }),
    ],
    ['a file of another', 'write_file', offer('save_file', 'path! content! workspaceId!')],
    ['a number that means something', 'read_file', offer('show_file', 'path! issue_number!:integer')],
    ['something at an address', 'search_files', offer('grep_code', 'pattern! base_url!')],
    ['what only its description tells', 'read_file', describedThing],
    [
      'a program in a language is no command',
      'shell',
      offer('python', 'code!', { description: 'Executes a Python script.' }),
    ],
    [
      'nor is one that a shell runs',
      'shell',
      offer('run_python', 'script!', { description: 'Executes code in a shell.' }),
    ],
    ['a text is no file', 'read_file', { ...offerText('read'), description: 'Reads a file.' }],
  ])('is not taken for what it is not: %s', (_name, intent, tool) => {
    expect(call(INTENTS[intent], tool)).toBe('nothing');
  });
});

/** Words of which tools that mean the same are made; what stands in one row means one thing. */
const SAID: Readonly<
  Record<IntentName, { readonly names: readonly string[]; readonly descriptions: readonly string[] }>
> = {
  write_file: {
    names: ['save_file', 'storeFile', 'put-document', 'CreateFile', 'overwrite_file'],
    descriptions: [
      'Writes a file.',
      'Create or overwrite a file on disk with the given content.',
      'Saves text to a file',
    ],
  },
  read_file: {
    names: ['open_file', 'loadFile', 'cat', 'show-file', 'FileReader_read'],
    descriptions: [
      'Reads a file from disk.',
      'Returns the contents of a file',
      'Show the text of one file. Large files are cut.',
    ],
  },
  edit_file: {
    names: ['change_text', 'modifyFile', 'string-replace', 'SwapText', 'patch_text'],
    descriptions: [
      'Replaces an exact string in a file.',
      'Edit an existing file by replacing one passage',
      'Modifies a text in a file.',
    ],
  },
  shell: {
    names: ['terminal', 'runCommand', 'exec-shell', 'Console', 'invoke_command'],
    descriptions: [
      'Runs a command.',
      'Execute a command line in the shell and return its output',
      'Run a shell command. Do not use it to read files.',
    ],
  },
  list_files: {
    names: ['enumerate_files', 'listDir', 'find-files-by-name', 'DirectoryListing', 'tree'],
    descriptions: [
      'Lists the names of files in a directory.',
      'List files whose names match a glob',
      'Finds files by name.',
    ],
  },
  search_files: {
    names: ['search_code', 'grepFiles', 'scan-contents', 'RegexSearch', 'lookup_text'],
    descriptions: [
      'Searches file contents with a regular expression.',
      'Search for a pattern inside files',
      'Greps the text of all files.',
    ],
  },
};

/** Arguments by what they stand for: a key that tells, or a description that tells for a key that does not. */
const ARGUMENTS = {
  path: {
    keys: ['filePathname', 'target_file', 'fileName', 'location'],
    descriptions: ['Path of the file', 'Which file, by its path'],
  },
  folder: {
    keys: ['root_dir', 'baseFolder', 'directory'],
    descriptions: ['Directory to look in', 'The folder to start from'],
  },
  content: {
    keys: ['body', 'fileContents', 'new_content', 'data'],
    descriptions: ['The full text', 'Whole content to be written'],
  },
  old_text: {
    keys: ['before', 'oldValue', 'original_text', 'find_this'],
    descriptions: ['The exact old text', 'What to find; must match exactly'],
  },
  new_text: {
    keys: ['after', 'newValue', 'replacement_text', 'with_this'],
    descriptions: ['The new text', 'The text to put instead'],
  },
  command: {
    keys: ['cmdline', 'shell_command', 'script', 'commandLine'],
    descriptions: ['The command to execute', 'Shell command line'],
  },
  glob: {
    keys: ['name_pattern', 'fileGlob', 'glob_expression'],
    descriptions: ['A glob for the names', 'Wildcard pattern'],
  },
  regex: {
    keys: ['searchPattern', 'reg_exp_pattern', 'query'],
    descriptions: ['The regular expression', 'Regex pattern to search for'],
  },
} as const;
type Meaning = keyof typeof ARGUMENTS;

const TAKES: Readonly<Record<IntentName, readonly Meaning[]>> = {
  write_file: ['path', 'content'],
  read_file: ['path'],
  edit_file: ['path', 'old_text', 'new_text'],
  shell: ['command'],
  list_files: ['glob', 'folder'],
  search_files: ['regex', 'folder'],
};
const MEANT: Readonly<Record<IntentName, Readonly<Partial<Record<Meaning, string>>>>> = {
  write_file: { path: 'a.txt', content: 'hi' },
  read_file: { path: 'a.txt' },
  edit_file: { path: 'a.txt', old_text: 'one', new_text: 'two' },
  shell: { command: 'ls' },
  list_files: { glob: '*.ts', folder: 'src' },
  search_files: { regex: 'x+', folder: 'src' },
};

interface Made {
  readonly intent: IntentName;
  readonly tool: OfferedTool;
  /** Keys by meaning. */
  readonly keys: Readonly<Partial<Record<Meaning, string>>>;
}

const meaningless = fc.string({ unit: fc.constantFrom(...'bcdfghjklmnpqrstvwxz'), minLength: 5, maxLength: 9 });

/** One argument: its key and what the schema says of it. */
function argument(meaning: Meaning, index: number) {
  const { keys, descriptions } = ARGUMENTS[meaning];
  return fc
    .record({
      key: fc.constantFrom(...keys),
      description: fc.constantFrom(...descriptions),
      word: meaningless,
      tells: fc.constantFrom('key', 'description', 'both'),
    })
    .map(({ key, description, word, tells }) => ({
      meaning,
      key: tells === 'description' ? `${word}${index}` : key,
      schema: { type: 'string', ...(tells !== 'key' && { description }) },
    }));
}

/** A tool for an intent: its name tells what it is for, or its description does, or both. */
function toolFor(intent: IntentName): fc.Arbitrary<Made> {
  const { names, descriptions } = SAID[intent];
  return fc
    .record({
      name: fc.constantFrom(...names),
      description: fc.constantFrom(...descriptions),
      word: meaningless,
      tells: fc.constantFrom('name', 'description', 'both'),
      parts: fc.tuple(...TAKES[intent].map(argument)),
      extra: fc.constantFrom(undefined, 'reason', 'verbose'),
      order: fc.boolean(),
    })
    .map(({ name, description, word, tells, parts, extra, order }) => {
      const shown = order ? parts : [...parts].reverse();
      const properties = Object.fromEntries(shown.map(({ key, schema }) => [key, schema]));
      const more = extra === undefined ? {} : { [extra]: { type: extra === 'reason' ? 'string' : 'boolean' } };
      return {
        intent,
        keys: Object.fromEntries(parts.map(({ meaning, key }) => [meaning, key])),
        tool: {
          name: tells === 'description' ? word : name,
          ...(tells !== 'name' && { description }),
          input: 'json',
          parameters: {
            type: 'object',
            properties: { ...properties, ...more },
            required: [...parts.map(({ key }) => key), ...Object.keys(more)],
            additionalProperties: false,
          },
        },
      };
    });
}

const OTHERS: readonly OfferedTool[] = [
  offer('web_search', 'query!', { description: 'Searches the web.' }),
  offer('fetch_page', 'url! prompt!', { description: 'Reads a page from the internet.' }),
  offer('todo_write', 'todos!:objects', { description: 'Writes the list of tasks.' }),
  offer('ask', 'question!', { description: 'Asks the user.' }),
  offer('remember', 'text!', { description: 'Saves a memory.' }),
  offer('delegate', 'description! prompt!', { description: 'Runs an agent for a task.' }),
  offer('delete_file', 'path!', { description: 'Deletes a file.' }),
];

const agent = fc
  .tuple(
    toolFor('write_file'),
    toolFor('read_file'),
    toolFor('edit_file'),
    toolFor('shell'),
    toolFor('list_files'),
    toolFor('search_files'),
  )
  .chain((made) =>
    fc.record({
      made: fc.constant(made),
      tools: fc.shuffledSubarray([...made.map(({ tool }) => tool), ...OTHERS], { minLength: 13, maxLength: 13 }),
    }),
  )
  .filter(({ tools }) => new Set(tools.map(({ name }) => name)).size === tools.length);

/** What an agent would understand of a call: the tool, and the texts by their meaning. */
function understand(intent: IntentName, made: readonly Made[], tools: readonly OfferedTool[]) {
  const resolved = resolveIntent({ intent: INTENTS[intent], tools, directory: undefined });
  if (resolved.type !== 'call') return resolved;
  const target = made.find(({ tool }) => tool.name === resolved.name);
  const args = Object(JSON.parse(resolved.arguments));
  const texts = Object.entries(target?.keys ?? {}).map(([meaning, key]) => [meaning, args[key]]);
  return { intent: target?.intent ?? resolved.name, texts: Object.fromEntries(texts), size: Object.keys(args).length };
}

describe('an agent whose tools are made up', () => {
  it('gets every intent as the call of the right tool, with every text in the right argument', () => {
    const property = fc.property(agent, ({ made, tools }) => {
      for (const { intent, tool } of made) {
        const required = Object(tool.parameters)['required'].length;
        expect(understand(intent, made, tools)).toEqual({ intent, texts: MEANT[intent], size: required });
      }
    });
    fc.assert(property, propertySettings(60));
  });

  it('gets everything through its shell when it has nothing else', () => {
    const property = fc.property(toolFor('shell'), fc.constantFrom(...Object.values(INTENTS)), (shell, intent) => {
      expect(understand(intent.intent, [shell], [...OTHERS, shell.tool])).toMatchObject({
        intent: 'shell',
        texts: { command: expect.stringMatching(/./) },
      });
    });
    fc.assert(property, propertySettings(50));
  });

  it('has no tool that the table knows', () => {
    const known = new Set(Object.values(KNOWN_TOOLS).flatMap((tools) => tools.map(({ name }) => name)));
    const names = [...Object.values(SAID).flatMap(({ names: some }) => some), ...OTHERS.map(({ name }) => name)];
    expect(names.filter((name) => known.has(name))).toEqual([]);
  });
});
