import { bracketPath, isJsonObject } from '../../conversation/json.ts';
import type { Misfit } from '../forms/find-faults.ts';
import type { Form } from '../forms/form.ts';
import type { WireError } from '../wire.ts';

/** The part of an error that depends on the fault. */
type Words = Pick<WireError, 'message' | 'param' | 'code'>;

/** The words of OpenAI for a value that does not have its form. */
export function openaiViolation({ kind, path, shape, found }: Misfit): Words {
  const param = bracketPath(path);
  const say = (message: string, code: string): Words => ({ message, param, code });
  switch (kind) {
    case 'missing':
      return say(`Missing required parameter: '${param}'.`, 'missing_required_parameter');
    case 'unknown':
      return say(`Unknown parameter: '${param}'.`, 'unknown_parameter');
    case 'type':
      return say(
        `Invalid type for '${param}': expected ${wordsOf(shape)}, but got ${typeWords(found)} instead.`,
        'invalid_type',
      );
    case 'value':
      return say(
        `Invalid value: '${String(found)}'. Supported values are: ${quoted(valuesOf(shape), 'and')}.`,
        'invalid_value',
      );
    case 'name': {
      const { maxName } = { maxName: 0, ...shape };
      const name = String(found);
      return say(
        `Invalid property name in '${bracketPath(path.slice(0, -1))}': '${name.slice(0, 3)}...${name.slice(-3)}' is too long. ` +
          `Expected a string with maximum length ${maxName}, but got a string with length ${name.length} instead.`,
        'property_name_above_max_length',
      );
    }
    case 'pattern':
      return say(
        `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^${'pattern' in shape ? shape.pattern : ''}$'.`,
        'invalid_value',
      );
    case 'min':
    case 'max':
      return outside(param, kind, shape, found);
    default:
      return kind satisfies never;
  }
}

function outside(param: string, kind: 'min' | 'max', shape: Form, found: unknown): Words {
  const { min = 0, max = 0 } = { min: 0, max: 0, ...shape };
  const say = (message: string, code: string): Words => ({
    message: `Invalid '${param}': ${message}`,
    param,
    code,
  });
  switch (shape.type) {
    case 'string':
      return kind === 'min'
        ? say(
            `empty string. Expected a string with minimum length ${min}, but got an empty string instead.`,
            'empty_string',
          )
        : say(
            `string too long. Expected a string with maximum length ${max}, but got a string with length ${String(found).length} instead.`,
            'string_above_max_length',
          );
    case 'array': {
      const { length } = Array.isArray(found) ? found : [];
      return kind === 'min'
        ? say(
            `empty array. Expected an array with minimum length ${min}, but got an empty array instead.`,
            'empty_array',
          )
        : say(
            `array too long. Expected an array with maximum length ${max}, but got an array with length ${length} instead.`,
            'array_above_max_length',
          );
    }
    case 'map': {
      const count = isJsonObject(found) ? Object.keys(found).length : 0;
      return say(
        `too many properties. Expected an object with at most ${max} properties, but got an object with ${count} properties instead.`,
        'object_above_max_properties',
      );
    }
    default: {
      const noun = shape.type === 'integer' ? 'integer' : 'decimal';
      return kind === 'min'
        ? say(
            `${noun} below minimum value. Expected a value >= ${min}, but got ${String(found)} instead.`,
            `${noun}_below_min_value`,
          )
        : say(
            `${noun} above maximum value. Expected a value <= ${max}, but got ${String(found)} instead.`,
            `${noun}_above_max_value`,
          );
    }
  }
}

/** The values that a form has, or the names of the forms of an object. */
function valuesOf(shape: Form): readonly string[] {
  if (shape.type === 'tagged') return Object.keys(shape.cases);
  return shape.type === 'string' ? (shape.values ?? []) : [];
}

function quoted(values: readonly string[], word: 'and' | 'or'): string {
  return joined(
    values.map((value) => `'${value}'`),
    word,
  );
}

function joined(items: readonly string[], word: 'and' | 'or'): string {
  if (items.length < 3) return items.join(` ${word} `);
  return `${items.slice(0, -1).join(', ')}, ${word} ${items.at(-1)}`;
}

function wordsOf(shape: Form): string {
  switch (shape.type) {
    case 'string':
      return shape.values === undefined ? (shape.noun ?? 'a string') : `one of ${quoted(shape.values, 'or')}`;
    case 'integer':
      return 'an integer';
    case 'decimal':
      return 'a decimal';
    case 'boolean':
      return 'a boolean';
    case 'array':
      return `an array of ${shape.noun ?? 'objects'}`;
    case 'map':
      return `a${shape.noun === undefined ? 'n' : ` ${shape.noun}`} object`;
    case 'either': {
      const [first = '', ...others] = shape.shapes.map(wordsOf);
      return `one of ${[first, ...others.map((words) => words.replace(/^(?:an? |one of )/, ''))].join(' or ')}`;
    }
    case 'tagged':
      return shape.noun ?? 'an object';
    default:
      return 'an object';
  }
}

function typeWords(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal number';
  return { string: 'a string', boolean: 'a boolean' }[String(typeof value)] ?? 'an object';
}
