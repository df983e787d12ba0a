import { FileSystemError, UsageError } from '../agent/errors.ts';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { type LockPorts, whileLocked } from '../session/log/lock.ts';
import { jsonOr } from '../text/json/json.ts';
import { ConfigError } from './config-error.ts';
import { type ConfigValue, configValues } from './describe/describe-config.ts';
import { type ConfigKeys, suggestKey } from './describe/keys.ts';
import { parseJson } from './layers/json-text.ts';
import { API_KEY_ADVICE, checkValue, readLayer, toolNameProblem } from './layers/read-layer.ts';
import { type ConfigSources, loadConfig, readText, userFiles } from './load.ts';
import { pathOf } from './places.ts';

/** A change of one key of the user's configuration. */
export interface ConfigChange {
  /** Name of the key: `llm.max_tokens`. */
  readonly name: string;
  /** JSON, or a string without quotes; `null` removes the key. */
  readonly text: string;
}

export interface ChangedConfig {
  readonly file: string;
  readonly isNew: boolean;
  /** False if the file had this value before. */
  readonly isChanged: boolean;
  /** Another file of the user has the key, too. */
  readonly isElsewhere: boolean;
  /** The value that applies after the change; `undefined` if the configuration cannot be loaded because of another file. */
  readonly effective: ConfigValue | undefined;
  /** A mistake that the change may be. */
  readonly warning: string | undefined;
}

/**
 * Sets one key in a file of the user: in the `--config` file if there is one; else in the file that has the key, or one
 * that exists, or a new one in the configuration directory. Keeps comments, order and line endings. Throws `UsageError`
 * and changes nothing if the value is invalid, the file cannot be written or would not load afterwards.
 */
export async function setConfigValue(
  ports: LockPorts,
  sources: ConfigSources,
  { name, text }: ConfigChange,
): Promise<ChangedConfig> {
  const value = await readValue(sources.keys, name, text);
  const { file } = await fileToChange(ports.fileSystem, sources, name);
  return withFileErrors(file, async () => {
    await ports.fileSystem.createDirectory(pathOf(sources.platform).dirname(file));
    // Another ybs may change the file at the same time, so it is read again while no other one can.
    return whileLocked(`${file}.lock`, ports, () => changeFile(ports.fileSystem, sources, name, value));
  });
}

async function changeFile(fileSystem: FileSystem, sources: ConfigSources, name: string, value: unknown) {
  const { keys } = sources;
  const { file, content, isElsewhere } = await fileToChange(fileSystem, sources, name);
  const before = content ?? '{}\n';
  const after = await editText(file, before, name.split('.'), value);
  await checkResult(keys, file, after, name, value);
  const bytes = new TextEncoder().encode(after);
  const readChanged: FileSystem['readFile'] = async (wanted, ...more) =>
    wanted === file
      ? { bytes: new TextEncoder().encode(withoutMark(after)), size: bytes.length, mode: 0o600 }
      : fileSystem.readFile(wanted, ...more);
  let effective: ConfigValue | undefined;
  try {
    const loaded = await loadConfig({ ...fileSystem, readFile: readChanged }, sources);
    effective = configValues(loaded).find((row) => row.name === name);
  } catch (error) {
    if (!(error instanceof ConfigError) || error.source === file) throw error;
  }
  const isChanged = after !== content;
  if (isChanged) await writeFile(fileSystem, file, content !== undefined, bytes, pathOf(sources.platform));
  return {
    ...{ file, isChanged, isElsewhere },
    isNew: content === undefined,
    effective,
    warning: value === undefined ? undefined : await warningAbout(name, keys),
  };
}

/** A level for a tool that looks like one of ours. An external tool may have any other name. */
async function warningAbout(name: string, keys: ConfigKeys): Promise<string | undefined> {
  if (keys.find(name)?.isEntry !== true) return undefined;
  const meant = await keys.suggestTool(name.slice(name.lastIndexOf('.') + 1));
  return meant === undefined ? undefined : toolNameProblem(name, meant);
}

/** The value that `text` stands for; `undefined` to remove the key. */
async function readValue(keys: ConfigKeys, name: string, text: string): Promise<unknown> {
  const key = keys.find(name);
  if (key === undefined) {
    const nearest = suggestKey(name, keys.byName.keys());
    const hint = nearest === undefined ? 'ybs config lists the keys.' : `Did you mean ${nearest}?`;
    throw new UsageError(`There is no key ${JSON.stringify(name)}. ${hint}`);
  }
  if (name === 'llm.api_key' && text !== 'null') throw new UsageError(`${name} is not allowed. ${API_KEY_ADVICE}`);
  // The reader of addresses accepts other slashes after the scheme, or none.
  if (endpointsIn(name, jsonOr(text, text)).some((each) => /^(?:https?:)?[\\/]*[^\\/?#]*@|[?#]/i.test(each))) {
    const what = name.endsWith('endpoint') ? name : `The endpoint of a profile in ${name}`;
    throw new UsageError(`${what} cannot contain a user name, password, query or fragment. ${API_KEY_ADVICE}`);
  }
  if (text === 'null') return name === 'llm.api_key' ? null : undefined;
  // `ybs config set llm.model 4` means the model "4".
  const checks = await Promise.all([jsonOr(text, text), text].map((value) => checkValue(keys, key, name, value)));
  const valid = checks.find((check) => check.type === 'valid');
  if (valid !== undefined) return valid.value;
  const [problem] = checks.flatMap((check) => (check.type === 'invalid' ? [check.text] : []));
  throw new UsageError(problem ?? `${name} is invalid.`);
}

/** The endpoints in the value of a key. */
function endpointsIn(name: string, value: unknown): readonly string[] {
  if (typeof value === 'string') return name.endsWith('endpoint') ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => endpointsIn(key, inner));
}

/** The file to change, and its content with its byte order mark; a file without content does not exist. */
async function fileToChange(
  fileSystem: FileSystem,
  sources: ConfigSources,
  name: string,
): Promise<{ readonly file: string; readonly content: string | undefined; readonly isElsewhere: boolean }> {
  const { configFile } = sources;
  const files = configFile === undefined ? userFiles(sources) : [configFile];
  const found: { readonly file: string; readonly content: string; readonly hasKey: boolean }[] = [];
  for (const file of files) {
    const content = await readText(fileSystem, file, new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));
    if (content === undefined) continue;
    const root = content.trim() === '' ? {} : await parseJson(file, withoutMark(content));
    found.push({ file, content, hasKey: hasPath(root, name.split('.')) });
  }
  const [first] = found;
  const [created] = files;
  const chosen = found.findLast(({ hasKey }) => hasKey) ?? first;
  if (chosen !== undefined) return { ...chosen, isElsewhere: found.filter(({ hasKey }) => hasKey).length > 1 };
  if (configFile !== undefined) throw new ConfigError(configFile, 'the --config file does not exist. Check the path.');
  if (created === undefined) throw new Error('there is no place for a configuration file');
  return { file: created, content: undefined, isElsewhere: false };
}

function hasPath(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return hasPath(Object.entries(value).find(([key]) => key === name)?.[1], rest);
}

/** The text with another value at `path`; `undefined` removes the key. */
async function editText(file: string, text: string, keyPath: readonly string[], value: unknown): Promise<string> {
  const { applyEdits, findNodeAtLocation, modify, parseTree } = await import('jsonc-parser');
  const mark = text.startsWith(MARK) ? MARK : '';
  const body = withoutMark(text);
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(body) ?? [];
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: body.includes('\r\n') ? '\r\n' : '\n',
  };
  // After a last key that a comment follows, the library would put the new one between the two.
  const root = parseTree(body);
  const isThere = root !== undefined && findNodeAtLocation(root, [...keyPath]) !== undefined;
  if (value === undefined && !isThere) return text;
  const parents = keyPath.map((_, index) => keyPath.slice(0, index));
  const nodes = parents.map((parent) => root && findNodeAtLocation(root, parent)).filter((node) => node !== undefined);
  const last = nodes.at(-1)?.children?.at(-1);
  const isCommented = last !== undefined && /^[ \t]*\/[/*]/.test(body.slice(last.offset + last.length));
  const getInsertionIndex = (names: readonly string[]): number => (isCommented ? 0 : names.length);
  try {
    return mark + applyEdits(body, modify(body, [...keyPath], value, { formattingOptions, getInsertionIndex }));
  } catch {
    throw new ConfigError(file, `${keyPath.slice(0, -1).join('.')} is not an object. Correct it in an editor first.`);
  }
}

const MARK = '\ufeff';

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(1) : text;
}

async function checkResult(keys: ConfigKeys, file: string, text: string, name: string, value: unknown): Promise<void> {
  const { values } = await readLayer(keys, file, true, withoutMark(text));
  if (name === 'llm.api_key' || JSON.stringify(values.get(name)) === JSON.stringify(value)) return;
  throw new ConfigError(file, `${name} is in the file twice. Remove one of the two in an editor first.`);
}

async function writeFile(
  fileSystem: FileSystem,
  file: string,
  exists: boolean,
  bytes: Uint8Array,
  path: ReturnType<typeof pathOf>,
): Promise<void> {
  const directory = await fileSystem.realPath(exists ? file : path.dirname(file));
  const real = exists ? directory : path.join(directory, path.basename(file));
  if (exists && (await fileSystem.readFile(real, 0)).protection !== undefined) {
    throw new ConfigError(file, 'the file is write-protected. Make it writable, or change it in an editor.');
  }
  await fileSystem.replaceFile(path.dirname(real), path.basename(real), bytes);
}

async function withFileErrors<T>(file: string, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof FileSystemError)) throw error;
    throw new ConfigError(file, `the file cannot be written: ${error.reason}. It was not changed.`);
  });
}
