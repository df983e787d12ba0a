import { readFile } from 'node:fs/promises';

/** A file of the page. The browser gets its parts as they are, one after another. */
export interface PageFile {
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
  'question/': ['in-view', 'question-keys', 'question-view', 'questions'],
  'input/': ['completion', 'message-box'],
  'panels/': ['dialog', 'sessions', 'settings'],
};

/** The files of the page, by the path of their address. */
export const PAGE_FILES: ReadonlyMap<string, PageFile> = new Map([
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

const contents = new Map<PageFile, Promise<Uint8Array<ArrayBuffer>>>();

/** Reads a file of the page. It is read once. */
export function readPageFile(file: PageFile): Promise<Uint8Array<ArrayBuffer>> {
  const content = contents.get(file) ?? readParts(file);
  contents.set(file, content);
  return content;
}

async function readParts({ parts }: PageFile): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Blob(await Promise.all(parts.map(readFirst))).arrayBuffer());
}

async function readFirst([place, ...others]: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  if (place === undefined) throw new Error('The installation of ybs is incomplete: a file of the page is missing.');
  try {
    return new Uint8Array(await readFile(new URL(place, import.meta.url)));
  } catch {
    return readFirst(others);
  }
}
