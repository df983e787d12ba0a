import type { ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk';
import type { ImageContent } from '../../agent/ports/messages.ts';
import type { FileDiff, PlannedEffect } from '../../agent/ports/tool.ts';

/** The kinds of the tools for which the effect alone would give another kind. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  list_files: 'search',
  search_files: 'search',
  update_tasks: 'think',
};

/** The kind of a call, from which a client chooses an icon. */
export function toolKindOf(toolName: string, effect: PlannedEffect | undefined): ToolKind {
  if (effect?.plan !== undefined) return 'switch_mode';
  if (effect?.command !== undefined || effect?.program !== undefined) return 'execute';
  if (Object.hasOwn(KINDS, toolName)) return KINDS[toolName] ?? 'other';
  if (effect?.paths.some(({ access }) => access === 'write')) return 'edit';
  return effect !== undefined && effect.paths.length > 0 ? 'read' : 'other';
}

/** The files of a call, for a client that follows the agent: each change with its line, else the paths. */
export function locationsOf(effect: PlannedEffect): ToolCallLocation[] {
  const written = effect.paths.find(({ access }) => access === 'write');
  if (written !== undefined && effect.preview !== undefined) {
    const changes = hunksOf(effect.preview);
    if (changes.length > 0) return changes.map(({ line }) => ({ path: written.realPath, line }));
  }
  return effect.paths.map(({ realPath }) => ({ path: realPath }));
}

/** The change of a call as texts before and after it, one pair for each part of the file that changes; or its plan. */
export function contentOf(effect: PlannedEffect): ToolCallContent[] {
  if (effect.plan !== undefined) return [textContent(effect.plan)];
  const path = effect.paths.find(({ access }) => access === 'write')?.realPath;
  if (path === undefined || effect.preview === undefined) return [];
  const isNew = effect.preview.unified.startsWith('--- /dev/null\n');
  return hunksOf(effect.preview).map(({ before, after }) => ({
    type: 'diff',
    path,
    ...(!isNew && { oldText: before }),
    newText: after,
  }));
}

/** Text as content of a call. */
export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** A terminal of the client as content of a call. */
export function terminalContent(terminalId: string): ToolCallContent {
  return { type: 'terminal', terminalId };
}

/** A picture as content of a call. */
export function imageContent({ mediaType, data }: ImageContent): ToolCallContent {
  return { type: 'content', content: { type: 'image', mimeType: mediaType, data } };
}

/** A part of a file that changes. `line` is that of its first change, counted from 1. */
interface Hunk {
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** The hunks of a diff. A very long diff leaves out lines, with a note in their place. */
function hunksOf({ unified }: FileDiff): readonly Hunk[] {
  return unified
    .split(/^(?=@@ -\d+,\d+ \+\d+,\d+ @@$)/m)
    .slice(1)
    .map((hunk) => {
      const [header = '', ...lines] = hunk.replace(/\n$/, '').split('\n');
      const start = Number(/\+(\d+),/.exec(header)?.[1]);
      const isChange = (line: string): boolean => line.startsWith('-') || line.startsWith('+');
      const first = lines.findIndex(isChange);
      return { line: Math.max(1, start + first), before: side(lines, '+'), after: side(lines, '-') };
    });
}

/** One side of a hunk: the lines without those of the other side. */
function side(lines: readonly string[], other: '+' | '-'): string {
  let text = '';
  let kept = false;
  for (const line of lines) {
    if (line.startsWith('\\')) {
      // The last line of this side has no line feed.
      if (kept) text = text.replace(/\n$/, '');
      continue;
    }
    kept = !line.startsWith(other);
    if (kept) text += `${/^[ +-]/.test(line) ? line.slice(1) : line}\n`;
  }
  return text;
}
