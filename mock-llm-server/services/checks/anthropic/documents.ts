import type { JsonObject } from '../../../conversation/conversation.ts';
import { objectOf, textOf } from '../../raw.ts';
import type { Check } from '../../service.ts';
import { findInBlocks, refuseBlock } from './blocks.ts';

/** The bytes of a PDF in base64 begin with `%PDF-`. */
const PDF = 'JVBERi';
const PAGE = /\/Type\s*\/Page(?![a-zA-Z])/;
/** The models with a window of 200,000 tokens. */
const BEFORE_4_6 = /claude-(?:[23]|[a-z]+-4(?!-[6-9]))/;

function dataOf({ source }: JsonObject): string | undefined {
  const { type, media_type: media, data } = objectOf(source);
  return type === 'base64' && media === 'application/pdf' ? textOf(data) : undefined;
}

/** Refuses a document in base64 that is no PDF. */
export const refuseDocument: Check = refuseBlock((block) => {
  const { type, media_type: media } = objectOf(block['source']);
  if (type === 'base64' && media !== 'application/pdf') {
    return ".document.source.base64.media_type: Input should be 'application/pdf'";
  }
  const data = dataOf(block);
  return data === undefined || data.startsWith(PDF)
    ? undefined
    : '.pdf.source.base64.data: The PDF specified was not valid.';
}, 'document');

/** Refuses a PDF with more pages than the model reads, as far as its objects are not compressed. */
export const limitPages: Check = (request) => {
  const max = BEFORE_4_6.test(request.model) ? 100 : 600;
  const found = findInBlocks(
    request,
    (block) => {
      const objects = Buffer.from(dataOf(block) ?? '', 'base64')
        .toString('latin1')
        .split('endobj');
      // A later revision repeats the number of an object that it replaces.
      const pages = objects.flatMap((object) => (PAGE.test(object) ? [/(\d+)\s+\d+\s+obj/.exec(object)?.[1]] : []));
      return new Set(pages).size > max ? true : undefined;
    },
    'document',
  );
  return found && { message: `${found.path}.pdf.source.base64.data: A maximum of ${max} PDF pages may be provided.` };
};
