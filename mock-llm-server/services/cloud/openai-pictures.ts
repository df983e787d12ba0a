import type { JsonObject } from '../../conversation/conversation.ts';
import { isJsonObject } from '../../conversation/json.ts';
import { objectOf, objectsOf, textOf } from '../raw.ts';
import type { Check, RawRequest, Rule } from '../service.ts';
import { rulesOf } from '../share-rules.ts';

/** The starts of pictures in base64: PNG, JPEG, GIF and WebP. */
const START = /^data:[^;,]*;base64,(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/;

/** The addresses of the pictures of messages or items. */
function picturesOf({ protocol, body }: RawRequest): readonly string[] {
  const items = objectsOf(body[protocol === 'openai-chat' ? 'messages' : 'input']);
  return items
    .flatMap(({ content, output }) => [...objectsOf(content), ...objectsOf(output)])
    .filter(({ type }) => type === 'image_url' || type === 'input_image')
    .map(({ image_url: picture }: JsonObject) => textOf(isJsonObject(picture) ? objectOf(picture)['url'] : picture));
}

/** Refuses a picture in base64 whose bytes begin like none of the four types. */
const refuseBrokenPicture: Check = (request) => {
  const isBroken = (url: string) => url.startsWith('data:') && !START.test(url);
  if (!picturesOf(request).some(isBroken)) return undefined;
  if (request.protocol === 'openai-responses') {
    return {
      message:
        'The image data you provided does not represent a valid image. Please check your input and try again with one ' +
        "of the supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].",
      code: 'invalid_value',
    };
  }
  return {
    message:
      "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    code: 'invalid_image_format',
  };
};

export const OPENAI_PICTURE_RULES: readonly Rule[] = rulesOf('openai', {
  'broken-picture': {
    protocols: ['openai-chat', 'openai-responses'],
    only: true,
    refuses: 'a picture whose bytes begin like no PNG, JPEG, GIF or WebP',
    accepts: 'a PNG, and an address of `https`',
    source: 'https://github.com/openai/openai-node/issues/1463',
    date: '2025-04-10',
    check: refuseBrokenPicture,
  },
});
