import { isJsonObject, jsonErrorOf, tryJson } from '../../conversation/json.ts';
import { errorText } from '../../text.ts';

/** A file that holds nothing to convert. The message says what it should be. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

/** The page that names the known kinds. */
export const KNOWN = 'docs/recording.md lists the tools whose recordings can be converted, under “From other tools”.';

/** Files that hold others or are no text, by their first bytes. */
const CONTAINERS: readonly (readonly [start: string, advice: string])[] = [
  ['PK\u0003\u0004', 'is a zip archive. Unpack it and name the recording in it.'],
  ['SQLite format 3', 'is a database. Export its rows as JSON, one exchange a line.'],
];

/** The value of JSON, of JSON lines, or of YAML. Throws `ForeignFileError` for any other content. */
export async function parseForeign(bytes: Buffer, file: string): Promise<unknown> {
  const start = bytes.toString('latin1', 0, 16);
  const container = CONTAINERS.find(([mark]) => start.startsWith(mark));
  if (container !== undefined) throw new ForeignFileError(`${file} ${container[1]}`);
  // PowerShell writes UTF-16.
  const text = new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
  const whole = tryJson(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(tryJson);
  // A long text in YAML may have lines of JSON.
  if (isJsonObject(values[0]) && values.filter(isJsonObject).length * 2 > values.length)
    return values.map((value) => value ?? null);
  return parseYaml(text, file);
}

/**
 * The value of YAML as vcrpy, VCR and go-vcr write it: with bytes of Ruby, and with names that are objects of Python. It
 * also reads the JSON5 of talkback.
 */
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
