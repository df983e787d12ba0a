import * as z from 'zod';
import { problemText } from './problem-text.ts';
import { findTemplateFault } from './templates.ts';

/** A text that may hold templates; they must be well-formed. */
export const TemplateText = z.string().superRefine((text, context) => {
  const fault = findTemplateFault(text);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: problemText(fault.reason, fault.fix) });
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
    const fault = findTemplateFault(value);
    return fault === undefined ? [] : [{ path, message: problemText(fault.reason, fault.fix) }];
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsIn(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => faultsIn(item, [...path, key]));
}
