import { throwIfAborted } from '../../agent/async/abort.ts';
import { ToolError } from '../../agent/errors.ts';
import type { Tool, ToolContext } from '../../agent/ports/tool.ts';
import { ByteBuilder } from '../../text/bytes/byte-builder.ts';
import {
  bytesToUnits,
  decodeText,
  type FileContent,
  markLength,
  textToUnits,
  unitSize,
  unitsToBytes,
} from '../../text/bytes/decode.ts';
import { createSplicer, findExact } from '../../text/diff/exact-match.ts';
import { unifiedDiff } from '../../text/diff/unified-diff.ts';
import { countOf, formatSize } from '../../text/quantities.ts';
import { LINES_PER_STEP, runSteps, type Steps } from '../../text/steps.ts';
import { defineTool, rephraseToolError, type ToolPlan, variant } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS, type ToolArguments } from '../definitions.data.ts';
import { editAmbiguous, editNotFound } from './edit-errors.ts';
import { deleteLines, insertLines, type LineEdit } from './line-edits.ts';
import {
  type DecodedFile,
  effectOnFile,
  type FilePorts,
  type LoadedFile,
  MAX_FILE_BYTES,
  otherNamesOf,
  requireLoadedFile,
  requireText,
  requireWhole,
  unitsFor,
} from './load-file.ts';
import { type KnownFile, requireUnchangedSinceRead } from './read-ledger.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';
import { requireUnchanged, storeFile } from './store-file.ts';

interface EditFilePlan extends ToolPlan {
  readonly file: ResolvedPath;
  readonly old: LoadedFile;
  /** The whole file after the edit; absent if the edit changes nothing. */
  readonly edited?: DecodedFile;
  /** The result for the model after the edit. */
  readonly report: string;
}

type EditArguments = Omit<ToolArguments['edit_file'], 'path'>;
type TextContent = Extract<FileContent, { type: 'text' }>;

/** Creates `edit_file`, which replaces an exact text in a file and keeps every other byte. */
export function createEditFile(ports: FilePorts): Tool {
  return defineTool(TOOL_DEFINITIONS.edit_file, ARGUMENT_SCHEMAS.edit_file, {
    variants: [
      variant(
        ({ action }) => action === 'insert',
        ARGUMENT_SCHEMAS.insert_lines,
        ({ path, insertAfter, new_text }, context) =>
          planLineEdit(path, ports, context, (display, units, encode) =>
            insertLines(display, units, insertAfter, encode(new_text)),
          ),
      ),
      variant(
        ({ action }) => action === 'delete_range',
        ARGUMENT_SCHEMAS.delete_lines,
        ({ path, range: [from = 0, to = from] }, context) =>
          planLineEdit(path, ports, context, (display, units) => deleteLines(display, units, from, to)),
      ),
      variant(
        (args) => 'edits' in args,
        ARGUMENT_SCHEMAS.several_edits,
        async ({ path, edits }, context) => {
          const opened = await openForEdit(path, ports, context);
          return planChange(opened, editInTurn(opened, edits), ports, context);
        },
      ),
    ],
    async plan(args, context) {
      requireOldText(args);
      const opened = await openForEdit(args.path, ports, context);
      if (args.old_text === args.new_text) {
        return unchanged(opened, `old_text and new_text are the same, so ${opened.file.display} was not changed.`);
      }
      return planChange(opened, editBytes(opened, args), ports, context);
    },
    async *run({ file, old, edited, report, effect: { summary } }, { signal }) {
      await requireUnchanged(file, old, ports);
      throwIfAborted(signal);
      const result = { content: report, isError: false, summary };
      return edited === undefined ? result : { ...result, files: [await storeFile(file, edited, ports)] };
    },
  });
}

/** A text file that may be edited, and the version of it that the session knows. */
interface OpenedFile {
  readonly file: ResolvedPath;
  readonly old: LoadedFile;
  readonly content: TextContent;
  readonly known: KnownFile | undefined;
}

async function openForEdit(path: string, ports: FilePorts, context: ToolContext): Promise<OpenedFile> {
  const file = await resolvePath(path, 'write', ports);
  const old = await requireLoadedFile(file, ports);
  const content = requireText(file, old);
  requireWhole(file, old);
  const known = ports.ledger.get(file.realPath);
  await requireUnchangedSinceRead(file.display, known, old, context);
  return { file, old, content, known };
}

function unchanged({ file, old }: OpenedFile, report: string): EditFilePlan {
  const use = { ...file.use, access: 'read' } as const;
  return { effect: { summary: `edit ${file.display} (no change)`, paths: [use], unchanged: true }, file, old, report };
}

/** The bytes of a file after an edit, and a summary: `1 replacement`. */
interface Edited {
  readonly bytes: Uint8Array;
  readonly done: string;
}

async function planChange(
  opened: OpenedFile,
  edit: Steps<Edited>,
  ports: FilePorts,
  context: ToolContext,
): Promise<EditFilePlan> {
  const { file, old, content, known } = opened;
  const { text, encoding } = content;
  const { bytes, done } = await runSteps(edit, context.pause);
  const digest = ports.digest(bytes);
  if (digest === old.digest) {
    return unchanged(opened, `${file.display} already is as it would be after this, so it was not changed.`);
  }
  const newText = decodeText(bytes, encoding);
  const { hunks, ...preview } = await runSteps(unifiedDiff(file.display, text, newText), context.pause);
  const numbers = `+${preview.added} −${preview.removed}`;
  const others = otherNamesOf(old);
  const report = `edited ${file.display}: ${done} (${numbers} lines)\n${hunks}${others.note}`;
  const edited: DecodedFile = { bytes, digest, content: { type: 'text', encoding, text: newText } };
  const summary = `edit ${file.display} (${numbers})${others.summary}`;
  const effect = { ...effectOnFile(file, old, known), summary, preview, after: digest };
  return { effect, file, old, edited, report };
}

/** Plans an edit of whole lines. `edit` gets the text of the file and a function that converts other text to its form. */
async function planLineEdit(
  path: string,
  ports: FilePorts,
  context: ToolContext,
  edit: (display: string, units: string, encode: (text: string) => string) => Steps<LineEdit>,
): Promise<EditFilePlan> {
  const opened = await openForEdit(path, ports, context);
  return planChange(opened, editLines(opened, edit), ports, context);
}

function* editLines({ file, old, content }: OpenedFile, edit: Parameters<typeof planLineEdit>[3]): Steps<Edited> {
  const { encoding } = content;
  const units = yield* bytesToUnits(old.bytes, encoding);
  const { start, end, replacement } = yield* edit(file.display, units, (text) => unitsFor(file, text, content));
  const edited = new ByteBuilder();
  edited.add(old.bytes, 0, markLength(encoding) + start * unitSize(encoding));
  edited.add(unitsToBytes(replacement, encoding));
  const rest = markLength(encoding) + end * unitSize(encoding);
  requireSize(file, edited.length + old.bytes.length - rest);
  edited.add(old.bytes, rest);
  return { bytes: edited.take(), done: 'whole lines' };
}

/** The bytes after several edits, each of the text that the one before it leaves. An error names the edit. */
function* editInTurn(opened: OpenedFile, edits: readonly EditArguments[]): Steps<Edited> {
  const { encoding } = opened.content;
  let current = opened;
  for (const [index, edit] of edits.entries()) {
    try {
      requireOldText(edit);
      const { bytes } = yield* editBytes(current, edit);
      const text = decodeText(bytes, encoding);
      current = { ...current, old: { ...current.old, bytes }, content: { ...current.content, text } };
    } catch (error) {
      const place = `Edit ${index + 1} of ${edits.length} failed, so none was made.`;
      throw rephraseToolError(error, (message) => `${place} ${message}`);
    }
  }
  return { bytes: current.old.bytes, done: countOf(edits.length, 'edit') };
}

function requireOldText({ old_text }: EditArguments): void {
  if (old_text === '') throw new ToolError('invalid_arguments', EMPTY_OLD_TEXT);
}

const INVALID_OLD_TEXT =
  'old_text contains \ufffd, which stands for bytes that are not UTF-8. Use text next to them, or whole lines.';

const EMPTY_OLD_TEXT =
  'old_text is empty. To insert text, use the adjacent text as old_text and repeat it in new_text; ' +
  'to create a file or fill an empty one, use write_file.';

/** Computes the bytes of the file after the edit. Throws `edit_not_found`, `edit_ambiguous` or `too_large`. */
function* editBytes({ file, old, content }: OpenedFile, args: EditArguments): Steps<Edited> {
  const { text, encoding } = content;
  const units = yield* bytesToUnits(old.bytes, encoding);
  const wanted = textToUnits(args.old_text, encoding);
  const matches = yield* findExact(units, wanted);
  if (matches.count === 0 && encoding === 'utf-8' && args.old_text.includes('\ufffd')) {
    throw new ToolError('edit_not_found', `${INVALID_OLD_TEXT} Nothing was changed.`);
  }
  if (matches.count === 0) throw yield* editNotFound(file.display, text, args.old_text, args.new_text);
  if (matches.count > 1 && !args.replace_all) throw editAmbiguous(file.display, units, matches);
  const splice = createSplicer(units, wanted, unitsFor(file, args.new_text, content));
  const encode = rememberLast((replacement: string) => unitsToBytes(replacement, encoding));
  const edited = new ByteBuilder();
  let replacements = 0;
  let offset = 0;
  let end = 0;
  for (let index = 0; index < matches.count; index++) {
    if (index % LINES_PER_STEP === LINES_PER_STEP - 1) yield;
    const range = matches.at(index);
    // A match that overlaps the previous one is part of the replaced text.
    if (range.start < end) continue;
    end = range.end;
    replacements++;
    const change = splice(range);
    edited.add(old.bytes, offset, markLength(encoding) + change.start * unitSize(encoding));
    edited.add(encode(change.replacement));
    offset = markLength(encoding) + change.end * unitSize(encoding);
    requireSize(file, edited.length + old.bytes.length - offset);
  }
  edited.add(old.bytes, offset);
  return { bytes: edited.take(), done: countOf(replacements, 'replacement') };
}

function requireSize(file: ResolvedPath, size: number): void {
  if (size <= MAX_FILE_BYTES) return;
  throw new ToolError(
    'too_large',
    `The edit would make ${file.display} larger than ${formatSize(MAX_FILE_BYTES)}, so nothing was written. Replace less.`,
  );
}

/** Returns the last result again for the last argument, because the replacements of an edit are mostly equal. */
function rememberLast<Result>(compute: (text: string) => Result): (text: string) => Result {
  let last: { readonly text: string; readonly result: Result } | undefined;
  return (text) => {
    if (last?.text !== text) last = { text, result: compute(text) };
    return last.result;
  };
}
