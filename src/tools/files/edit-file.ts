import * as z from 'zod';
import { ToolError } from '../../core/errors.ts';
import type { PlannedEffect, Tool } from '../../ports/tool.ts';
import {
  bytesToUnits,
  concatBytes,
  decodeText,
  markLength,
  type TextEncoding,
  textToUnits,
  unitSize,
  unitsToBytes,
} from '../../text/decode.ts';
import { findExact, spliceAll, withoutOverlaps } from '../../text/exact-match.ts';
import { lineNumbersAt } from '../../text/line-endings.ts';
import { countOf } from '../../text/quantities.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import { defineTool, wellFormedText } from '../define-tool.ts';
import { editAmbiguous, editNotFound } from './edit-errors.ts';
import {
  effectOnFile,
  type FilePorts,
  type FileVersion,
  type LoadedFile,
  requireLoadedFile,
  requireText,
  requireWhole,
} from './load-file.ts';
import { requireUnchangedSinceRead } from './read-ledger.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';
import { requireUnchanged, storeFile } from './store-file.ts';

/** The plan of an `edit_file` call. */
interface EditFilePlan extends PlannedEffect {
  readonly file: ResolvedPath;
  readonly old: LoadedFile;
  /** The whole file after the edit; absent if the edit changes nothing. */
  readonly edited?: FileVersion;
  /** The result for the model after the edit. */
  readonly report: string;
}

const schema = z.object({
  path: z.string().describe('Path of the file, relative to the workspace or absolute'),
  old_text: wellFormedText().describe('The exact text to replace, with its indentation; it must be unique in the file'),
  new_text: wellFormedText().describe('The replacement text; empty to delete'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence instead of exactly one'),
});

type EditArguments = z.infer<typeof schema>;

const DESCRIPTION = `Replace an exact piece of text in a file. Read the file first and copy old_text exactly, without line numbers.
old_text must occur exactly once; add neighbouring lines to make it unique, or set replace_all.
The line endings and the encoding of the file are kept. The result shows the changed lines, so do not read the file again.`;

/** Creates `edit_file`, which replaces an exact text in a file and keeps every other byte. */
export function createEditFile(ports: FilePorts): Tool {
  return defineTool<EditArguments, EditFilePlan>({
    name: 'edit_file',
    description: DESCRIPTION,
    effect: 'write',
    schema,
    async plan(args) {
      if (args.old_text === '') throw new ToolError('invalid_arguments', EMPTY_OLD_TEXT);
      const file = await resolvePath(args.path, 'write', ports);
      const old = await requireLoadedFile(file, ports);
      const { text, encoding } = requireText(file, old);
      requireWhole(file, old);
      const known = ports.ledger.get(file.realPath);
      requireUnchangedSinceRead(file.display, known, old);
      const use = { ...file.use, access: 'read' } as const;
      const summary = `edit ${file.display} (no change)`;
      const unchanged = { summary, paths: [use], unchanged: true, file, old } as const;
      if (args.old_text === args.new_text) {
        return { ...unchanged, report: `old_text and new_text are the same, so ${file.display} was not changed.` };
      }
      const { bytes, replacements } = editBytes(file, old, encoding, text, args);
      const digest = ports.digest(bytes);
      if (digest === old.digest) {
        return { ...unchanged, report: `${file.display} already has these line endings, so it was not changed.` };
      }
      const newText = decodeText(bytes, encoding);
      const { hunks, ...preview } = unifiedDiff(file.display, text, newText);
      const numbers = `+${preview.added} −${preview.removed}`;
      const report = `edited ${file.display}: ${countOf(replacements, 'replacement')} (${numbers} lines)\n${hunks}`;
      const edited: FileVersion = { bytes, digest, content: { type: 'text', encoding, text: newText } };
      const effect = effectOnFile(file, old, known);
      return { ...effect, summary: `edit ${file.display} (${numbers})`, preview, file, old, edited, report };
    },
    async *run({ file, old, edited, report, summary }, { signal }) {
      await requireUnchanged(file, old, ports);
      signal.throwIfAborted();
      if (edited !== undefined) await storeFile(file, edited, ports);
      return { content: report, isError: false, summary };
    },
  });
}

const EMPTY_OLD_TEXT =
  'old_text is empty. To insert text, use the adjacent text as old_text and repeat it in new_text; ' +
  'to create a file or fill an empty one, use write_file.';

/** Computes the bytes of the file after the edit. Throws `edit_not_found` or `edit_ambiguous`. */
function editBytes(
  file: ResolvedPath,
  old: LoadedFile,
  encoding: TextEncoding,
  text: string,
  args: EditArguments,
): { readonly bytes: Uint8Array; readonly replacements: number } {
  const units = bytesToUnits(old.bytes, encoding);
  const matches = findExact(units, textToUnits(args.old_text, encoding));
  if (matches.length === 0) throw editNotFound(file.display, text, args.old_text, args.new_text);
  if (matches.length > 1 && !args.replace_all) {
    const starts = matches.map(({ start }) => start);
    throw editAmbiguous(file.display, lineNumbersAt(units, starts));
  }
  const replaced = withoutOverlaps(matches);
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (const splice of spliceAll(units, replaced, textToUnits(args.new_text, encoding))) {
    const start = markLength(encoding) + splice.start * unitSize(encoding);
    parts.push(old.bytes.subarray(offset, start), unitsToBytes(splice.replacement, encoding));
    offset = markLength(encoding) + splice.end * unitSize(encoding);
  }
  return { bytes: concatBytes([...parts, old.bytes.subarray(offset)]), replacements: replaced.length };
}
