import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isJsonObject, tryJson } from '../../conversation/json.ts';
import { errorText } from '../../text.ts';
import { convertAimock } from './aimock.ts';
import type { Converted } from './converted.ts';
import { convertExchanges } from './exchanges.ts';
import { convertVidaimock } from './vidaimock.ts';

/** A file that holds nothing to convert. The message says what it should be. */
export class ForeignFileError extends Error {
  override readonly name = 'ForeignFileError';
}

const KNOWN =
  'fixtures of aimock ("fixtures"), a provider of vidaimock ("matcher"), a cassette of vcrpy, VCR or go-vcr ("interactions"), ' +
  'HAR ("log"), recordings of nock, or a log with one exchange a line ("request" and "response")';

/** Converts a recorded file of another tool to scenarios. Rejects with `ForeignFileError` for a file of no known kind. */
export async function convertForeignFile(file: string): Promise<Converted> {
  const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  const value = await parse(text, file);
  if (Array.isArray(value)) return convertExchanges(value, (index) => `entry ${index + 1}`);
  if (!isJsonObject(value)) throw new ForeignFileError(`${file} is no recording: it has no object. Pass ${KNOWN}.`);
  const { fixtures, interactions, http_interactions: older, log } = value;
  if (Array.isArray(value['scenarios'])) {
    throw new ForeignFileError(`${file} is a scenario file already. Pass it to --scenarios as it is.`);
  }
  if (Array.isArray(fixtures)) return convertAimock(fixtures);
  const recorded = interactions ?? older;
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
  if ('response' in value) return convertExchanges([value], () => 'the exchange');
  throw new ForeignFileError(
    `${file} is of no known kind: its fields are ${Object.keys(value).join(', ')}. Pass ${KNOWN}.`,
  );
}

/** The value of JSON, of JSON lines, or of YAML. */
async function parse(text: string, file: string): Promise<unknown> {
  const whole = tryJson(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map(tryJson);
  if (values.length > 0 && values.some((value) => value !== undefined)) return values.map((value) => value ?? null);
  const { parse: parseYaml } = await import('yaml');
  try {
    return parseYaml(text, { maxAliasCount: 1000 });
  } catch (error) {
    throw new ForeignFileError(`${file} is neither JSON, JSON lines nor YAML: ${errorText(error).split('\n', 1)[0]}`);
  }
}
