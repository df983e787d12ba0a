import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject } from '../../conversation/json.ts';
import { loadJsonFromSchema } from '../../reply/json-from-schema.ts';
import { freeName } from '../../text.ts';
import { decompressBody } from '../decompress.ts';
import { convertAimock } from './aimock.ts';
import type { Converted } from './converted.ts';
import { convertExchanges } from './exchanges.ts';
import { entriesIn, type ForeignEntry } from './foreign-entry.ts';
import { isHttprr, readHttprr } from './httprr.ts';
import { isFlowFile, readFlows } from './mitmproxy.ts';
import { ForeignFileError, KNOWN, parseForeign } from './parse-foreign.ts';
import { convertVidaimock } from './vidaimock.ts';

/** Failures to read a file, by the codes of Node. */
const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist. Correct the path; a relative one starts at the working directory.'],
]);

/** Names of the files of a directory that may be recordings. The bodies of WireMock are in `__files`. */
const RECORDED =
  /^(?!(?:.*\/)?(?:__files|node_modules|\.[^/]*)\/)(?!(?:.*\/)?\.).*\.(?:json5?|jsonl|ndjson|ya?ml|har|httprr|flow|mitm)(?:\.gz)?$/i;

/**
 * Converts recorded files of other tools, and those in directories, to the scenarios of one story. Rejects with
 * `ForeignFileError` for a file of no known kind; in a directory, such a file is noted.
 */
export async function convertForeignFiles(files: readonly string[]): Promise<Converted> {
  await loadJsonFromSchema();
  const entries: ForeignEntry[] = [];
  const others: Converted[] = [];
  const read = async (file: string, label: string) => {
    const content = await readForeignFile(file);
    if ('notes' in content) others.push({ ...content, notes: content.notes.map((note) => label + note) });
    else for (const each of content) entries.push({ ...each, label: label + each.label });
  };
  for (const file of files) {
    const inside = await filesIn(file);
    if (inside === undefined) await read(file, files.length === 1 ? '' : `${path.basename(file)}: `);
    for (const name of inside ?? []) {
      await read(path.join(file, name), `${name}: `).catch((error: unknown) => {
        if (!(error instanceof ForeignFileError)) throw error;
        others.push({ scenarios: [], notes: [error.message.replace(` ${KNOWN}`, '')] });
      });
    }
  }
  return joined([convertExchanges(entries), ...others]);
}

/** The paths of the recordings in a directory, `_2` before `_10`; undefined for anything else. */
async function filesIn(directory: string): Promise<readonly string[] | undefined> {
  const names = await readdir(directory, { recursive: true }).catch(() => undefined);
  const order = new Intl.Collator('en', { numeric: true });
  return names
    ?.map((name) => name.replaceAll(path.sep, '/'))
    .filter((name) => RECORDED.test(name))
    .sort(order.compare);
}

/** The content of several conversions, with a name of its own for each scenario. */
function joined(all: readonly Converted[]): Converted {
  const names = new Set<string>();
  return {
    scenarios: all.flatMap(({ scenarios }) =>
      scenarios.map((scenario) => {
        const name = freeName(scenario.name, (each) => names.has(each));
        names.add(name);
        return { ...scenario, name };
      }),
    ),
    prompts: all.flatMap(({ prompts = [] }) => prompts),
    embeddings: all.flatMap(({ embeddings = [] }) => embeddings),
    notes: all.flatMap(({ notes }) => notes),
  };
}

/** The exchanges of a file, or the scenarios of one that has none. */
async function readForeignFile(file: string): Promise<readonly ForeignEntry[] | Converted> {
  const bytes = await readPlain(file).catch((error: NodeJS.ErrnoException) => {
    const problem = UNREADABLE.get(error.code ?? '');
    throw problem === undefined ? error : new ForeignFileError(`${file} ${problem}`);
  });
  if (isFlowFile(bytes)) return labelled(readFlows(bytes), 'flow');
  if (isHttprr(bytes)) return labelled(readHttprr(bytes), 'exchange');
  const parsed = await parseForeign(bytes, file);
  const namesFiles = BODY_FILES.some(([name]) => bytes.includes(name));
  const value = namesFiles ? await readBodyFiles(parsed, path.dirname(file)) : parsed;
  if (isJsonObject(value)) {
    const { fixtures, requests, responses } = value;
    if (Array.isArray(value['scenarios'])) {
      throw new ForeignFileError(`${file} is a scenario file already. Pass it to --scenarios as it is.`);
    }
    if (Array.isArray(fixtures)) return convertAimock(fixtures);
    if ('matcher' in value) {
      return convertVidaimock(value, async (template) => {
        // config/providers/NAME.yaml and config/templates are beside each other.
        return readFile(path.join(path.dirname(file), '..', 'templates', template), 'utf8');
      });
    }
    // The cassettes of langchain-tests have requests and responses apart.
    if (Array.isArray(requests) && Array.isArray(responses)) {
      return labelled(
        requests.map((request: unknown, index) => ({ request, response: responses[index] })),
        'exchange',
      );
    }
  }
  const entries = entriesIn(value);
  if (entries.length > 0 || Array.isArray(value)) return entries;
  const found = isJsonObject(value) ? `its fields are ${Object.keys(value).join(', ')}` : 'it is not a JSON object';
  throw new ForeignFileError(`${file} is not a recording of a known kind: ${found}. ${KNOWN}`);
}

function labelled(entries: readonly unknown[], noun: string): readonly ForeignEntry[] {
  return entries.map((entry, index) => ({ entry, label: `${noun} ${index + 1}` }));
}

/** The bytes of a file, decompressed: langchain-tests and httprr write `.gz`. A broken one stays as it is. */
async function readPlain(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  try {
    return Buffer.from(decompressBody(bytes, undefined).bytes);
  } catch {
    return bytes;
  }
}

/** The fields that name the file of a body, the folder of it beside the recording, and the field of the body. */
const BODY_FILES = [
  ['bodyFileName', '../__files', 'body'],
  ['_file', '.', 'text'],
] as const;

/** A value with the bodies that WireMock and Playwright keep in files. No name leads out of their folder. */
async function readBodyFiles(value: unknown, directory: string): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => readBodyFiles(each, directory)));
  if (!isJsonObject(value) || value instanceof Uint8Array) return value;
  for (const [name, folder, field] of BODY_FILES) {
    const file = value[name];
    if (typeof file !== 'string') continue;
    const body = await readFile(path.join(directory, folder, path.join('/', file))).catch(() => undefined);
    return { ...value, [field]: body };
  }
  const fields = Object.entries(value).map(
    async ([name, item]) => [name, await readBodyFiles(item, directory)] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
}
