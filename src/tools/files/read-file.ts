import { throwIfAborted } from '../../agent/async/abort.ts';
import { ToolError } from '../../agent/errors.ts';
import type { Tool } from '../../agent/ports/tool.ts';
import { classifyPath } from '../../policy/paths/path-policy.ts';
import { describeFormat } from '../../text/bytes/decode.ts';
import { type IndexedText, indexLines, lineAt } from '../../text/diff/line-diff.ts';
import { countOf, formatSize } from '../../text/quantities.ts';
import { runSteps } from '../../text/steps.ts';
import { truncateLine } from '../../text/truncate.ts';
import { defineTool, type ToolPlan, variant } from '../define-tool.ts';
import { ARGUMENT_SCHEMAS, TOOL_DEFINITIONS } from '../definitions.data.ts';
import { specialFileProblem } from './file-errors.ts';
import { type FilePorts, type LoadedFile, MAX_FILE_BYTES, requireLoadedFile, requireText } from './load-file.ts';
import { pictureOf } from './picture.ts';
import { type ResolvedPath, resolvePath } from './resolve-path.ts';
import { recordFile } from './store-file.ts';

interface ReadFilePlan extends ToolPlan {
  readonly file: ResolvedPath;
  readonly offset: number;
  readonly limit: number;
  readonly maxBytes: number;
}

/**
 * Numbered lines of a file for the model. `last` is the number of the last line, counted from 1; 0 if there is none.
 */
interface Page {
  readonly numbered: readonly string[];
  readonly last: number;
}

const MAX_LINE_LENGTH = 2_000;

/** The maximum size of the numbered lines, in bytes of UTF-8. It leaves room for the first and the last line. */
const MAX_PAGE_BYTES = 50 * 1024 - 512;

/** Creates `read_file`, which shows a text file page by page and records it in the ledger for `edit_file`; or a picture. */
export function createReadFile(ports: FilePorts): Tool {
  return defineTool(TOOL_DEFINITIONS.read_file, ARGUMENT_SCHEMAS.read_file, {
    variants: [
      variant(
        (args) => 'endLine' in args || 'maxBytes' in args,
        ARGUMENT_SCHEMAS.read_range,
        async ({ path, offset, endLine, maxBytes = MAX_PAGE_BYTES }) => {
          if (endLine !== -1 && endLine < offset) {
            throw new ToolError('invalid_arguments', `Line ${endLine} is before line ${offset}. Nothing was read.`);
          }
          const limit = endLine === -1 ? Number.POSITIVE_INFINITY : endLine - offset + 1;
          return planRead(path, { offset, limit, maxBytes: Math.min(maxBytes, MAX_PAGE_BYTES) }, ports);
        },
      ),
    ],
    plan: ({ path, offset, limit }) => planRead(path, { offset, limit, maxBytes: MAX_PAGE_BYTES }, ports),
    async *run({ file, offset, limit, maxBytes }, { signal, pause }) {
      const loaded = await requireLoadedFile(file, ports);
      throwIfAborted(signal);
      const picture = pictureOf(file, loaded);
      if (picture !== undefined) {
        const { image, summary } = picture;
        const content = `${file.display} is attached as a picture (${summary}).`;
        return { content, isError: false, summary, images: [image] };
      }
      const { text, encoding } = requireText(file, loaded);
      const form = describeFormat(encoding, text);
      const shown = () => (loaded.isWhole ? { files: [recordFile(file, loaded, ports)] } : {});
      if (text === '') {
        const content = `${file.display} is empty (${[formatSize(loaded.size), ...form].join(', ')}).`;
        return { content, isError: false, summary: 'empty file', ...shown() };
      }
      const lines = completeLines(await runSteps(indexLines(text), pause), loaded);
      if (offset > lines.count)
        throw new ToolError('invalid_arguments', pastEndMessage(file, lines.count, offset, loaded));
      const page = takePage(lines, { offset, limit, maxBytes });
      const isEnd = page.last === lines.count && loaded.isWhole;
      const range = `lines ${offset}–${page.last} of ${loaded.isWhole ? '' : 'more than '}${lines.count}`;
      const notes = [
        ...(isEnd ? [] : ['truncated']),
        ...form,
        ...(isEnd && !text.endsWith('\n') ? ['no newline at the end'] : []),
      ];
      const content = [
        notes.length === 0 ? range : `${range} (${notes.join('; ')})`,
        ...page.numbered,
        ...(isEnd ? [] : [continueNote(page.last, lines.count, loaded)]),
      ].join('\n');
      return { content, isError: false, summary: range, ...shown() };
    },
  });
}

/** The lines that a call asks for. */
type PageRange = Pick<ReadFilePlan, 'offset' | 'limit' | 'maxBytes'>;

async function planRead(path: string, range: PageRange, ports: FilePorts): Promise<ReadFilePlan> {
  const file = await resolvePath(path, 'read', ports);
  await refuseSpecialFile(file, ports);
  const from = range.offset === 1 ? '' : ` from line ${range.offset}`;
  return { effect: { summary: `read ${file.display}${from}`, paths: [file.use] }, file, ...range };
}

/** Throws `ToolError` `not_a_file` for a pipe, a device or a socket. Nothing is revealed about a file outside before the approval. */
async function refuseSpecialFile(
  { realPath, display }: ResolvedPath,
  { fileSystem, pathRules }: FilePorts,
): Promise<void> {
  if (classifyPath(realPath, 'read', pathRules).type !== 'inside') return;
  const { kind } = await fileSystem.stat(realPath).catch(() => ({ kind: undefined }));
  if (kind !== 'other') return;
  throw new ToolError(...specialFileProblem(display));
}

/** The lines of a text. The last line of a file that was not read completely may be cut off, so it is dropped. */
function completeLines(lines: IndexedText, loaded: LoadedFile): IndexedText {
  return loaded.isWhole || lines.count === 1 ? lines : { ...lines, count: lines.count - 1 };
}

const LINE_END = /\r?\n$/;

/** At least one line, so that a small limit makes progress. */
function takePage(lines: IndexedText, { offset, limit, maxBytes }: PageRange): Page {
  const encoder = new TextEncoder();
  const numbered: string[] = [];
  let bytes = 0;
  for (let index = offset - 1; index < Math.min(lines.count, offset - 1 + limit); index++) {
    const line = lineAt(lines, index).replace(LINE_END, '');
    const shown = `${index + 1}\t${truncateLine(line, MAX_LINE_LENGTH)}`;
    bytes += encoder.encode(shown).length + 1;
    if (bytes > maxBytes && numbered.length > 0) break;
    numbered.push(shown);
  }
  return { numbered, last: offset - 1 + numbered.length };
}

function continueNote(last: number, total: number, loaded: LoadedFile): string {
  const left = total - last;
  const more = left === 0 ? '' : `${countOf(left, 'more line')}. Continue with offset=${last + 1}.`;
  if (loaded.isWhole) return `[truncated: ${more}]`;
  const limit = `${formatSize(loaded.size)} in total, read_file shows the first ${formatSize(MAX_FILE_BYTES)}; use run_shell (tail, sed -n) for the rest.`;
  return `[truncated: ${[more, limit].filter((part) => part !== '').join(' ')}]`;
}

function pastEndMessage(file: ResolvedPath, total: number, offset: number, loaded: LoadedFile): string {
  const reach = loaded.isWhole ? 'has' : `is ${formatSize(loaded.size)}, of which read_file shows the first`;
  return `${file.display} ${reach} ${countOf(total, 'line')}; offset=${offset} is past the end. Use an offset from 1 to ${total}.`;
}
