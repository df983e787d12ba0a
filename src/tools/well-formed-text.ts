import * as z from 'zod';

/** A text that UTF-8 can hold: half of a surrogate pair would silently become another character in the file. */
export function wellFormedText(): z.ZodString {
  return z
    .string()
    .refine((text) => !/\p{Surrogate}/u.test(text), 'holds half of a surrogate pair (\\ud800 to \\udfff)');
}
