import type { JsonObject } from '../../../conversation/conversation.ts';
import { objectOf, textOf } from '../../raw.ts';
import type { Check } from '../../service.ts';
import { countBlocks, findInBlocks, refuseBlock } from './blocks.ts';

const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
/** The starts of pictures in base64. */
const STARTS: readonly (readonly [start: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
];

function pictureOf({ type, source }: JsonObject): { readonly media: string; readonly data: string } | undefined {
  const { type: kind, media_type: media, data } = objectOf(source);
  if (type !== 'image' || kind !== 'base64') return undefined;
  return { media: textOf(media), data: textOf(data) };
}

/** Refuses pictures of another type than JPEG, PNG, GIF and WebP. */
export const refusePictureType: Check = refuseBlock((block) => {
  const picture = pictureOf(block);
  if (picture === undefined || PICTURE_TYPES.includes(picture.media)) return undefined;
  return `.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`;
}, 'image');

/** Refuses a picture whose bytes are of another type than it says. */
export const refuseOtherPicture: Check = refuseBlock((block) => {
  const picture = pictureOf(block);
  const found = picture && STARTS.find(([start]) => picture.data.startsWith(start))?.[1];
  if (found === undefined || found === picture?.media) return undefined;
  return (
    `.image.source.base64.data: The image was specified using the ${picture?.media} media type, but the image ` +
    `appears to be a ${found} image`
  );
}, 'image');

/** Refuses a picture whose bytes begin like none of the four types. */
export const refuseBrokenPicture: Check = refuseBlock((block) => {
  const picture = pictureOf(block);
  return picture === undefined || STARTS.some(([start]) => picture.data.startsWith(start))
    ? undefined
    : '.image.source.base64.data: Could not process image';
}, 'image');

const MAX_BASE64 = 5_242_880;

/** Refuses a picture of more than 5 MB as it stands in the request. */
export const limitPictureBytes: Check = refuseBlock((block) => {
  const { length } = pictureOf(block)?.data ?? '';
  if (length <= MAX_BASE64) return undefined;
  return `.image.source.base64: image exceeds 5 MB maximum: ${length} bytes > ${MAX_BASE64} bytes`;
}, 'image');

const MAX_PIXELS = 8000;

/** The start of a PNG with its size: the bytes 16 to 23 are the width and the height. */
const PNG_HEAD = 24;

/** The larger side of a PNG, whose header holds its size; zero for other pictures and for a cut header. */
function pixelsOf(data: string): number {
  if (!data.startsWith('iVBORw0KGgo')) return 0;
  const bytes = Buffer.from(data.slice(0, PNG_HEAD * 2), 'base64');
  return bytes.length < PNG_HEAD ? 0 : Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

/** Refuses a PNG with more than 8,000 pixels on a side. */
export const limitPicture: Check = refuseBlock((block) => {
  const picture = pictureOf(block);
  if (picture === undefined || pixelsOf(picture.data) <= MAX_PIXELS) return undefined;
  return `.image.source.base64.data: At least one of the image dimensions exceed max allowed size: ${MAX_PIXELS} pixels`;
}, 'image');

/** The maximum number of pixels on a side of a picture in a request with more than `MANY_PICTURES`. */
const MAX_PIXELS_OF_MANY = 2000;
const MANY_PICTURES = 20;

/** Refuses a PNG with more than 2,000 pixels on a side in a request with more than 20 pictures. */
export const limitPictures: Check = (request) => {
  const large = findInBlocks(
    request,
    (block) => {
      const picture = pictureOf(block);
      return picture !== undefined && pixelsOf(picture.data) > MAX_PIXELS_OF_MANY ? true : undefined;
    },
    'image',
  );
  if (large === undefined) return undefined;
  if (countBlocks(request, 'image') <= MANY_PICTURES) return undefined;
  return {
    message: `${large.path}.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: ${MAX_PIXELS_OF_MANY} pixels`,
  };
};
