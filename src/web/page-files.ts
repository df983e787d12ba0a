import { readFile } from 'node:fs/promises';

/** A file of the page. The browser gets its parts as they are, one after another. */
interface PageFile {
  readonly type: string;
  /** The possible paths of each part, relative to this module: in `dist`, or in the sources and their libraries. */
  readonly parts: readonly (readonly string[])[];
}

const HTML = 'text/html; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

function own(name: string, type: string): readonly [string, PageFile] {
  return [`/${name}`, { type, parts: [[`page/${name}`]] }];
}

/** The styles of the page, in the order in which the browser applies them. */
const STYLES = ['layout', 'conversation', 'panels'];

/** The modules of the page, by their folder. */
const MODULES = {
  '': ['dom', 'page'],
  'session/': ['connection', 'model'],
  'conversation/': [
    'conversation',
    'diff',
    'highlight',
    'item-views',
    'lists',
    'mark-words',
    'markdown',
    'scroller',
    'transcript',
  ],
  'question/': ['form-view', 'in-view', 'question-keys', 'question-view', 'questions'],
  'input/': ['completion', 'message-box'],
  'panels/': ['dialog', 'sessions', 'settings', 'token-form'],
};

/** The files of the page, by the path of their address. */
const PAGE_FILES: ReadonlyMap<string, PageFile> = new Map([
  ['/', { type: HTML, parts: [['page/index.html']] }],
  // One file, because the browser shows nothing before it has all styles.
  ['/page.css', { type: STYLE, parts: STYLES.map((name) => [`page/styles/${name}.css`]) }],
  own('icon.svg', 'image/svg+xml'),
  own('manifest.webmanifest', 'application/manifest+json'),
  ...Object.entries(MODULES).flatMap(([folder, names]) => names.map((name) => own(`${folder}${name}.js`, SCRIPT))),
  // The build puts the file of the library beside those of the page.
  [
    '/conversation/marked.js',
    { type: SCRIPT, parts: [['page/conversation/marked.js', '../../node_modules/marked/lib/marked.esm.js']] },
  ],
]);

export const PAGE_PATHS: ReadonlySet<string> = new Set(PAGE_FILES.keys());

/** A file of the page with its content. */
export interface ServedFile {
  readonly type: string;
  readonly content: Uint8Array;
}

/** Reads the files of the page, by the path of their address. Rejects if one is missing. */
export async function readPageFiles(): Promise<ReadonlyMap<string, ServedFile>> {
  const entries = [...PAGE_FILES].map(async ([path, file]) => {
    return [path, { type: file.type, content: Buffer.concat(await Promise.all(file.parts.map(readFirst))) }] as const;
  });
  return new Map(await Promise.all(entries));
}

async function readFirst([place, ...others]: readonly string[]): Promise<Uint8Array> {
  if (place === undefined) throw new Error('The installation of ybs is incomplete: a file of the page is missing.');
  try {
    return await readFile(new URL(place, import.meta.url));
  } catch {
    return readFirst(others);
  }
}
