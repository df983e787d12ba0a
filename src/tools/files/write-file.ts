import { throwIfAborted } from '../../agent/async/abort.ts';
import type { FileDiff, Tool, ToolContext } from '../../agent/ports/tool.ts';
import { concatBytes } from '../../text/bytes/byte-builder.ts';
import { decodeFile, describeFormat, encodeFile, type TextEncoding, unitsToBytes } from '../../text/bytes/decode.ts';
import { unifiedDiff } from '../../text/diff/unified-diff.ts';
import { countLines } from '../../text/line-endings.ts';
import { countOf, formatSize } from '../../text/quantities.ts';
import { runSteps, type Steps } from '../../text/steps.ts';
import { defineTool, type ToolPlan, variant } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS } from '../definitions.data.ts';
import {
  type DecodedFile,
  effectOnFile,
  type FilePorts,
  type LoadedFile,
  loadFile,
  otherNamesOf,
  requireText,
  requireWhole,
  unitsFor,
} from './load-file.ts';
import { requireUnchangedSinceRead } from './read-ledger.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';
import { recordFile, requireUnchanged, storeFile } from './store-file.ts';

interface WriteFilePlan extends ToolPlan {
  readonly file: ResolvedPath;
  /** Absent if the file is created. */
  readonly old?: LoadedFile;
  readonly written: DecodedFile;
  readonly change: 'created' | 'replaced' | 'unchanged';
  /** The end of the result for the model, after the size. */
  readonly details: string;
}

/** Creates `write_file`, which creates a file or replaces all of its content. */
export function createWriteFile(ports: FilePorts): Tool {
  return defineTool(TOOL_DEFINITIONS.write_file, ARGUMENT_SCHEMAS.write_file, {
    variants: [
      variant(
        ({ mode }) => mode === 'append',
        ARGUMENT_SCHEMAS.write_file,
        async ({ path, content }, context) => {
          const file = await resolvePath(path, 'write', ports);
          const old = await loadFile(file, ports);
          if (old === undefined) return planWrite(file, old, utf8(content), ports, context);
          const known = requireText(file, old);
          const { text, encoding } = known;
          const bytes = concatBytes([old.bytes, unitsToBytes(unitsFor(file, content, known), encoding)]);
          return planWrite(file, old, { bytes, text: text + content, encoding }, ports, context);
        },
      ),
    ],
    async plan({ path, content }, context) {
      const file = await resolvePath(path, 'write', ports);
      return planWrite(file, await loadFile(file, ports), utf8(content), ports, context);
    },
    async *run({ file, old, written, change, details }, { signal }) {
      await requireUnchanged(file, old, ports);
      throwIfAborted(signal);
      const size = countOf(written.bytes.length, 'byte');
      if (change === 'unchanged') {
        const files = [recordFile(file, written, ports)];
        const content = `unchanged: ${file.display} already has exactly this content (${size}). Nothing was written.`;
        return { content, isError: false, summary: 'unchanged', files };
      }
      const files = [await storeFile(file, written, ports)];
      const content = `${change} ${file.display}: ${size}${details}`;
      return { content, isError: false, summary: `${change}, ${size}`, files };
    },
  });
}

interface EncodedText {
  readonly text: string;
  readonly encoding: TextEncoding;
  readonly bytes: Uint8Array;
}

function utf8(text: string): EncodedText {
  return { text, encoding: 'utf-8', bytes: encodeFile(text, 'utf-8') };
}

/** Plans that the file has this content. */
async function planWrite(
  file: ResolvedPath,
  old: LoadedFile | undefined,
  wanted: EncodedText,
  ports: FilePorts,
  context: ToolContext,
): Promise<WriteFilePlan> {
  const { text, bytes } = wanted;
  const written = { bytes, content: decodeFile(bytes), digest: ports.digest(bytes) };
  if (old === undefined) {
    const preview = await runSteps(fileDiff(file, undefined, text), context.pause);
    const summary = `create ${file.display} (+${preview.added})`;
    const details = `, ${countOf(countLines(text), 'line')}`;
    const effect = { summary, paths: [file.use], preview, after: written.digest };
    return { effect, file, written, change: 'created', details };
  }
  requireWhole(file, old);
  if (written.digest === old.digest) {
    const use = { ...file.use, access: 'read' } as const;
    const effect = { summary: `write ${file.display} (unchanged)`, paths: [use], unchanged: true } as const;
    return { effect, file, old, written, change: 'unchanged', details: '' };
  }
  const known = ports.ledger.get(file.realPath);
  await requireUnchangedSinceRead(file.display, known, old, context);
  const preview = await runSteps(fileDiff(file, old, text), context.pause);
  const numbers = `+${preview.added} −${preview.removed}`;
  const others = otherNamesOf(old);
  const details = ` (${formatSize(old.size)} before, ${numbers} lines)${formatNote(old, wanted)}${others.note}`;
  const summary = `replace ${file.display} (${numbers})${others.summary}`;
  const effect = { ...effectOnFile(file, old, known), summary, preview, after: written.digest };
  return { effect, file, old, written, change: 'replaced', details };
}

function* fileDiff(file: ResolvedPath, old: LoadedFile | undefined, content: string): Steps<FileDiff> {
  if (old?.content.type !== 'binary') return yield* diffOf(file, old?.content.text, content);
  const replaced = `Binary file ${file.display} (${old.content.fileType}, ${formatSize(old.size)}) will be replaced by text:`;
  const fresh = yield* diffOf(file, undefined, content);
  return { ...fresh, unified: `${replaced}\n${fresh.unified}` };
}

function* diffOf(file: ResolvedPath, before: string | undefined, after: string): Steps<FileDiff> {
  const { hunks: _hunks, ...diff } = yield* unifiedDiff(file.display, before, after);
  return diff;
}

/** A note about a changed encoding or changed line endings, which no diff line shows; empty if neither changed. */
function formatNote({ content }: LoadedFile, wanted: EncodedText): string {
  const was = content.type === 'text' ? describeFormat(content.encoding, content.text).join(', ') : '';
  const is = describeFormat(wanted.encoding, wanted.text).join(', ');
  if (was === is) return '';
  const plain = 'UTF-8 without BOM, LF line endings';
  return `\nNote: the file had ${was || plain}. It now has ${is || plain}, as sent.`;
}
