import * as z from 'zod';
import type { FileDiff, PlannedEffect, Tool } from '../../ports/tool.ts';
import { encodeFile } from '../../text/decode.ts';
import { splitLines } from '../../text/line-endings.ts';
import { countOf, formatSize } from '../../text/quantities.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import { defineTool, wellFormedText } from '../define-tool.ts';
import { requireUnchanged } from './file-changes.ts';
import { describeForm, formOf } from './file-texts.ts';
import { type FilePorts, type LoadedFile, loadFile, rememberFile, requireWhole, storeFile } from './load-file.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';

/** What `write_file` is going to write. */
export interface WriteFilePlan extends PlannedEffect {
  readonly file: ResolvedPath;
  readonly bytes: Uint8Array;
  readonly change: 'created' | 'replaced' | 'unchanged';
  /** What the model is told besides the size. */
  readonly details: string;
}

const schema = z.object({
  path: z.string().describe('Path of the file, relative to the workspace or absolute'),
  content: wellFormedText().describe('The complete new content of the file'),
});

const DESCRIPTION = `Create a file or replace all of its content. Missing directories are created.
The content is written exactly as given: nothing is added, line endings are not changed.
To change a part of an existing file, use edit_file.`;

/** The tool that creates a file or replaces it whole. */
export function createWriteFile(ports: FilePorts): Tool {
  return defineTool<z.infer<typeof schema>, WriteFilePlan>({
    name: 'write_file',
    description: DESCRIPTION,
    effect: 'write',
    schema,
    async plan({ path, content }) {
      const file = await resolvePath(path, 'write', ports);
      const bytes = encodeFile(content, 'utf-8');
      const old = await loadFile(file, ports);
      const base = { paths: [file.use], file, bytes };
      if (old === undefined) {
        const preview = fileDiff(file, undefined, content);
        const details = `, ${countOf(splitLines(content).length, 'line')}`;
        return { ...base, summary: `create ${file.display} (+${preview.added})`, change: 'created', details, preview };
      }
      requireWhole(file, old);
      const known = { before: old.digest, readThisSession: ports.ledger.get(file.realPath)?.digest === old.digest };
      if (old.digest === ports.digest(bytes)) {
        return { ...base, ...known, summary: `write ${file.display} (unchanged)`, change: 'unchanged', details: '' };
      }
      const preview = fileDiff(file, old, content);
      const numbers = `+${preview.added} −${preview.removed}`;
      const details = ` (${formatSize(old.size)} before, ${numbers} lines)${formNote(old, content)}`;
      return {
        ...base,
        ...known,
        summary: `replace ${file.display} (${numbers})`,
        change: 'replaced',
        details,
        preview,
      };
    },
    async *run({ file, bytes, change, details, before }, { signal }) {
      await requireUnchanged(file, before, ports);
      signal.throwIfAborted();
      const size = countOf(bytes.length, 'byte');
      if (change === 'unchanged') {
        rememberFile(file, bytes, ports);
        const content = `unchanged: ${file.display} already has exactly this content (${size}). Nothing was written.`;
        return { content, isError: false, summary: 'unchanged' };
      }
      await storeFile(file, bytes, ports);
      const content = `${change} ${file.display}: ${size}${details}`;
      return { content, isError: false, summary: `${change}, ${size}` };
    },
  });
}

function fileDiff(file: ResolvedPath, old: LoadedFile | undefined, content: string): FileDiff {
  if (old?.content.type !== 'binary') return unifiedDiff(file.display, old?.content.text, content);
  const replaced = `Binary file ${file.display} (${old.content.fileType}, ${formatSize(old.size)}) is replaced by text:`;
  const fresh = unifiedDiff(file.display, undefined, content);
  return { ...fresh, unified: `${replaced}\n${fresh.unified}` };
}

/** Says what the file was and no longer is in encoding and line endings, because no line of the text shows it. */
function formNote(old: LoadedFile, content: string): string {
  const was = formOf(old.bytes).join(', ');
  const is = describeForm('utf-8', content).join(', ');
  if (was === is) return '';
  const plain = 'UTF-8 without BOM, LF line endings';
  return `\nNote: the file had ${was || plain}; as sent, it now has ${is || plain}.`;
}
