import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, jsonErrorOf, tryJson } from '../../conversation/json.ts';
import { loadJsonFromSchema } from '../../reply/json-from-schema.ts';
import { errorText } from '../../text.ts';
import { decompressBody } from '../decompress.ts';
import { convertAimock } from './aimock.ts';
import type { Converted } from './converted.ts';
import { convertExchanges } from './exchanges.ts';
import { isHttprr, readHttprr } from './httprr.ts';
import { isFlowFile, readFlows } from './mitmproxy.ts';
import { convertVidaimock } from './vidaimock.ts';

/** A file that holds nothing to convert. The message says what it should be. */
class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

const KNOWN = 'docs/recording.md lists the tools whose recordings can be converted, under “From other tools”.';

/** Failures to read the file, by the codes of Node. */
const UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'does not exist. Correct the path; a relative one starts at the working directory.'],
  ['EISDIR', 'is a directory. Name one recorded file in it.'],
]);

/** Converts a recorded file of another tool to scenarios. Rejects with `ForeignFileError` for a file of no known kind. */
export async function convertForeignFile(file: string): Promise<Converted> {
  await loadJsonFromSchema();
  const bytes = await readPlain(file).catch((error: NodeJS.ErrnoException) => {
    const problem = UNREADABLE.get(error.code ?? '');
    throw problem === undefined ? error : new ForeignFileError(`${file} ${problem}`);
  });
  if (isFlowFile(bytes)) return convertExchanges(readFlows(bytes), (index) => `flow ${index + 1}`);
  if (isHttprr(bytes)) return convertExchanges(readHttprr(bytes), (index) => `exchange ${index + 1}`);
  // PowerShell writes UTF-16.
  const text = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
  const value = await readBodyFiles(await parse(text, file), file);
  if (Array.isArray(value)) return convertExchanges(value, (index) => `entry ${index + 1}`);
  if (!isJsonObject(value)) throw new ForeignFileError(`${file} is not a recording: it is not a JSON object. ${KNOWN}`);
  const { fixtures, interactions, http_interactions: older, mappings, log, requests, responses } = value;
  if (Array.isArray(value['scenarios'])) {
    throw new ForeignFileError(`${file} is a scenario file already. Pass it to --scenarios as it is.`);
  }
  if (Array.isArray(fixtures)) return convertAimock(fixtures);
  const recorded = interactions ?? older ?? mappings ?? pairsOf(requests, responses);
  if (Array.isArray(recorded)) return convertExchanges(recorded, (index) => `interactions[${index}]`);
  if (isJsonObject(log) && Array.isArray(log['entries'])) {
    return convertExchanges(log['entries'], (index) => `log.entries[${index}]`);
  }
  if ('matcher' in value) {
    return convertVidaimock(value, async (template) => {
      // config/providers/NAME.yaml and config/templates are beside each other.
      return readFile(path.join(path.dirname(file), '..', 'templates', template), 'utf8');
    });
  }
  if ('response' in value || 'then' in value) return convertExchanges([value], () => 'the exchange');
  throw new ForeignFileError(
    `${file} is not a recording of a known kind: its fields are ${Object.keys(value).join(', ')}. ${KNOWN}`,
  );
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

/** The exchanges of a cassette of langchain-tests, which has requests and responses apart. */
function pairsOf(requests: unknown, responses: unknown): unknown {
  if (!Array.isArray(requests) || !Array.isArray(responses)) return undefined;
  return requests.map((request: unknown, index) => ({ request, response: responses[index] }));
}

/**
 * Mappings of WireMock with the bodies that are files: `mappings` and `__files` are beside each other, and no name
 * leads out of them.
 */
async function readBodyFiles(value: unknown, file: string): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((each) => readBodyFiles(each, file)));
  if (!isJsonObject(value)) return value;
  const { mappings, response } = value;
  if (Array.isArray(mappings)) return { ...value, mappings: await readBodyFiles(mappings, file) };
  if (!isJsonObject(response) || typeof response['bodyFileName'] !== 'string') return value;
  const place = path.join(path.dirname(file), '../__files', path.join('/', response['bodyFileName']));
  const body = await readFile(place).catch(() => undefined);
  return { ...value, response: { ...response, body } };
}

/** The value of JSON, of JSON lines, or of YAML. */
async function parse(text: string, file: string): Promise<unknown> {
  const whole = tryJson(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(tryJson);
  // A long text in YAML may have lines of JSON.
  if (isJsonObject(values[0]) && values.filter(isJsonObject).length * 2 > values.length)
    return values.map((value) => value ?? null);
  return parseYaml(text, file);
}

/** The value of YAML as vcrpy, VCR and go-vcr write it: with bytes of Ruby, and with names that are objects of Python. */
async function parseYaml(text: string, file: string): Promise<unknown> {
  const { parseAllDocuments, visit, isSeq } = await import('yaml');
  const binary = { tag: '!binary', resolve: (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64')) };
  try {
    const values = [...parseAllDocuments(text, { customTags: ['binary', binary], logLevel: 'error' })].map(
      (document) => {
        const [problem] = document.errors;
        if (problem !== undefined) throw problem;
        visit(document, {
          Pair(_key, pair) {
            if (isSeq(pair.key)) pair.key = pair.key.items[0];
          },
        });
        return document.toJS({ maxAliasCount: 1000 });
      },
    );
    return values.length === 1 ? values[0] : values;
  } catch (error) {
    const problem = errorText(error).split('\n', 1)[0]?.replace(/:$/, '');
    const reason = /^\s*[{[]/.test(text) ? jsonErrorOf(text) : undefined;
    if (reason !== undefined) throw new ForeignFileError(`${file} is not valid JSON (${reason}). ${KNOWN}`);
    throw new ForeignFileError(`${file} is neither JSON, JSON lines nor YAML (${problem}). ${KNOWN}`);
  }
}
