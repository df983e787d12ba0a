import type { Misfit } from '../forms/find-faults.ts';
import type { Form } from '../forms/form.ts';

/** The words of Anthropic for a value that does not have its form. */
export function anthropicViolation({ kind, path, shape, found }: Misfit): { readonly message: string } {
  const at = path.join('.');
  const say = (message: string) => ({ message: `${at}: ${message}` });
  switch (kind) {
    case 'missing':
      return say('Field required');
    case 'unknown':
      return say('Extra inputs are not permitted');
    case 'type':
      return say(`Input should be ${wordsOf(shape)}`);
    case 'min':
    case 'max':
      return shape.type === 'decimal'
        ? say(`range: ${shape.min}..${shape.max}`)
        : say(`must be greater than or equal to ${'min' in shape ? shape.min : 0}`);
    default: {
      if (shape.type === 'tagged') {
        const tags = Object.keys(shape.cases).map((tag) => `'${tag}'`);
        return say(
          `Input tag '${String(found)}' found using '${shape.by}' does not match any of the expected tags: ${tags.join(', ')}`,
        );
      }
      const values = shape.type === 'string' ? (shape.values ?? []) : [];
      return say(`Input should be ${values.map((value) => `'${value}'`).join(' or ')}`);
    }
  }
}

function wordsOf(shape: Form): string {
  switch (shape.type) {
    case 'either':
      return wordsOf(shape.shapes.at(-1) ?? { type: 'any' });
    case 'string':
      return shape.values === undefined ? 'a valid string' : shape.values.map((value) => `'${value}'`).join(' or ');
    case 'decimal':
      return 'a valid number';
    case 'integer':
    case 'boolean':
    case 'array':
      return `a valid ${shape.type}`;
    default:
      return 'an object';
  }
}
