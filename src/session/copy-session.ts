import path from 'node:path';
import type { FileSystem } from '../agent/ports/file-system.ts';
import { eventLine } from './log/log-line.ts';
import { exists, LOG_SUFFIX } from './session-names.ts';

import { outputDirectoryOf, type SessionRecord } from './session-record.ts';
import { writesDirectoryOf } from './writes/write-storage.ts';

/** The place of a copy: the real directory of all sessions, and the name and the id of the copy. */
interface CopyTarget {
  readonly directory: string;
  readonly name: string;
  readonly id: string;
}

/** Copies a session, which does not change: its log, with the id and the paths of the copy, and its files. */
export async function copySession(
  source: Pick<SessionRecord, 'lines' | 'outputDirectories' | 'writes'>,
  { directory, name, id }: CopyTarget,
  fileSystem: FileSystem,
): Promise<void> {
  const outputs = outputDirectoryOf(directory, name);
  for (const from of source.outputDirectories) await copyFiles(from, outputs, fileSystem);
  await source.writes.copyTo(writesDirectoryOf(directory, name));
  const { readEvent } = await import('./log/read-line.ts');
  const lines: string[] = [];
  for await (const line of source.lines()) {
    const moved = source.outputDirectories.reduce((rest, from) => rest.replaceAll(inJson(from), inJson(outputs)), line);
    const event = moved.includes('"session_start"') ? readEvent(moved) : undefined;
    lines.push(event?.type === 'session_start' ? withId(moved, { ...event, sessionId: id }) : moved);
  }
  await fileSystem.replaceFile(
    directory,
    `${name}${LOG_SUFFIX}`,
    new TextEncoder().encode(`${lines.join('\n')}\n`),
    0o600,
  );
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function withId(line: string, event: Parameters<typeof eventLine>[1]): string {
  const { timestamp }: { timestamp: string } = JSON.parse(line);
  return eventLine(timestamp, event, (text) => text) ?? line;
}

async function copyFiles(from: string, to: string, fileSystem: FileSystem): Promise<void> {
  if (!(await exists(fileSystem.stat(from)))) return;
  await fileSystem.createDirectory(to, 'owner');
  for (const { name, kind } of await fileSystem.list(from)) {
    if (kind !== 'file') continue;
    const { bytes } = await fileSystem.readFile(path.join(from, name), Number.MAX_SAFE_INTEGER);
    await fileSystem.replaceFile(to, name, bytes, 0o600);
  }
}
