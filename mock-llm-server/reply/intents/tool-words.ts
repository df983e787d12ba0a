import type { IntentName } from '../../scenario/intent-format.ts';
import type { Role } from './argument-shape.ts';

/** The words of a name in any spelling or of a text, in lower case, plurals as they are. */
export function wordsOf(text: string): ReadonlySet<string> {
  const apart = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ');
  return new Set(apart.toLowerCase().match(/[a-z]+/g) ?? []);
}

/** What a description says the tool is for; what follows are mostly rules that name other tools. */
export function firstSentence(description: string): string {
  return /^[\s\S]{0,300}?(?:[.!]\s|\n|$)/.exec(description)?.[0] ?? description.slice(0, 300);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** What tools of each kind are called and say of themselves; `weak` words say little alone. */
export const INTENT_WORDS: Readonly<
  Record<IntentName, { readonly strong: ReadonlySet<string>; readonly weak: ReadonlySet<string> }>
> = {
  write_file: {
    strong: words('write writes writing create creates save saves store stores overwrite overwrites put puts'),
    weak: words('file files document new content contents text disk whole entire'),
  },
  read_file: {
    strong: words('read reads reading view views open opens load loads show shows cat display displays return returns'),
    weak: words('file files document content contents text lines'),
  },
  edit_file: {
    strong: words(
      'edit edits editing replace replaces modify modifies change changes substitute substitutes swap swaps patch',
    ),
    weak: words('file files text string strings exact occurrence passage update updates existing'),
  },
  shell: {
    strong: words('shell bash sh zsh command commands terminal execute executes exec run runs cmd console process'),
    weak: words('line program script invoke system'),
  },
  list_files: {
    strong: words('list lists listing glob globs ls dir tree enumerate enumerates find finds'),
    weak: words('files file directory directories folder folders names name paths matching entries'),
  },
  search_files: {
    strong: words('search searches grep greps find finds rg regex lookup scan scans'),
    weak: words('content contents text files lines expression regular code pattern occurrences inside'),
  },
};

/** What tools for something else work on. */
export const OTHER_OBJECTS: ReadonlySet<string> = words(
  'web url http https internet browser page todo todos task tasks agent agents subagent memory memories notebook image ' +
    'images screenshot question questions email calendar weather database sql commit branch skill skills plan',
);

/** Words of tools for something else; a tool that says them of itself is not taken for an intent. */
export const OTHER_TRADES: ReadonlySet<string> = new Set([
  ...OTHER_OBJECTS,
  ...words(
    'fetch user ask delete deletes remove removes move moves rename renames copy copies download upload git mcp server',
  ),
]);

/** What arguments are called (`key`) and what their descriptions say (`said`). */
export const ROLE_WORDS: Readonly<
  Record<Role, { readonly key: ReadonlySet<string>; readonly said: ReadonlySet<string> }>
> = {
  path: {
    key: words(
      'path paths file files filename filepath pathname target destination location dir directory folder dirpath',
    ),
    said: words('path paths file filename directory folder location where'),
  },
  content: {
    key: words('content contents text body data source payload'),
    said: words('content contents text body whole full complete entire write written'),
  },
  old_text: {
    key: words('old search find before original existing previous from match'),
    said: words('old find before original existing previous replaced current exact match'),
  },
  new_text: {
    key: words('new replace replacement after updated to with substitute'),
    said: words('new replacement after updated with instead substitute place'),
  },
  command: {
    key: words('command commands cmd cmds cmdline script shell bash commandline exec argv line'),
    said: words('command commands shell execute executed run script'),
  },
  pattern: {
    key: words('pattern patterns glob globs query queries regex regexp expression needle term'),
    said: words('pattern glob regex regexp regular expression wildcard search'),
  },
  // No argument of an unknown tool is taken for a patch.
  patch: { key: new Set(), said: new Set() },
};

/** Arguments that name a thing which is there or is not: nothing that is made up will do. */
export const THINGS: ReadonlySet<string> = words(
  'owner repo repos repository organization organisation org id ids uuid guid url urls uri uris href link token secret ' +
    'password host hostname port account user username email channel project bucket table database db branch ref sha ' +
    'commit issue pull namespace cluster number',
);

/** The same in a description, where more words are only mentioned. */
export const SAID_THINGS: ReadonlySet<string> = words('owner repository organization identifier id ids url urls uuid');

/** Languages and what runs programs in them. */
export const LANGUAGES: ReadonlySet<string> = words(
  'python ipython jupyter javascript typescript js ts node deno ruby perl php lua sql julia interpreter repl notebook cell',
);

/** What tells a shell from what runs programs in a language. */
export const SHELLS: ReadonlySet<string> = words('shell bash sh zsh command commands terminal cmd console');
