import * as z from 'zod';
import { findTemplateFault } from './templates.ts';

/** A text that may hold templates; they must be well-formed. */
export const TemplateText = z.string().superRefine((text, context) => {
  const message = findTemplateFault(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** A JSON value whose texts may hold templates. Every fault is reported at its place. */
export const TemplateJson = z.json().superRefine((value, context) => {
  for (const { path, message } of faultsIn(value, [])) context.addIssue({ code: 'custom', path: [...path], message });
});

interface Fault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function faultsIn(value: unknown, path: readonly (string | number)[]): Fault[] {
  if (typeof value === 'string') {
    const message = findTemplateFault(value);
    return message === undefined ? [] : [{ path, message }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => faultsIn(item, [...path, key]));
}
