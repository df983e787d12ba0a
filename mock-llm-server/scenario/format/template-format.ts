import * as z from 'zod';
import { JsonValue } from '../../../src/schema/data-schema.ts';
import { checked, problemText } from './strict-object.ts';

/** A string that may contain templates. */
export const TemplateText = checked(z.string(), 'templates');

/** A template for a whole value. */
export const WholeTemplate = TemplateText.regex(
  /^\s*\{\{(?!\{)[^{}]*\}\}\s*$/,
  problemText('must be an object, or one template', 'write an object, or a template like "{{match.arguments}}"'),
);

/** A JSON object whose strings and names of fields may contain templates. */
export const TemplateObject = checked(z.record(z.string(), JsonValue), 'templates');
