import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanJson } from '../../../../mock-llm-server/scenario/scan-json.ts';
import { anyText } from '../../../support/any-text.ts';
import { propertySettings } from '../../../support/property.ts';

const faultsOf = (text: string) =>
  scanJson(text).map(({ line, column, text: said }) => `${line}:${column} ${said.replace('\n', ' / ')}`);

describe('scanJson', () => {
  it.each<readonly [string, ...string[]]>([
    ['{"a": [1, -2.5e3, true, null, "x\\u00e9\\n", {}, []]}'],
    ['"a text"'],
    ['{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}'],
    ['{"a": 1,\n}', '1:8 a comma stands before } / take the comma out'],
    ['[1, 2,\n]', '1:6 a comma stands before ] / take the comma out'],
    ['{"a": }', '1:7 } stands where a value belongs / write a value there, or take the sign out'],
    ['[,]', '1:2 , stands where a value belongs / write a value there, or take the sign out'],
    ['{"a" 1}', '1:6 a colon is missing before this / write a : behind the name of a field'],
    ['{"a": 1\n "b": 2}', '2:2 a comma is missing before this / put a comma between the two'],
    ['{"a": [1}', '1:9 } stands where ] belongs / write ] instead'],
    ['{1: 2}', '1:2 1 stands where a field belongs / write the name of a field in double quotes'],
    ['{a: 2}', '1:2 a is no value / put a text in double quotes'],
    ["{'a': 2}", '1:2 a text stands in single quotes / use double quotes'],
    [
      '{"a": "b\n"}',
      '1:7 a text does not end, or has a wrong escape / close it with "; write a line end as \\n and a \\ as \\\\',
    ],
    [
      '{"a": "\\d"}',
      '1:7 a text does not end, or has a wrong escape / close it with "; write a line end as \\n and a \\ as \\\\',
    ],
    ['{\n // why\n}', '2:2 JSON has no comments / take it out, or write the file as YAML'],
    ['{"a": [{"b": 1', '1:15 the text ends too early / close what is open: }]}'],
    ['', '1:1 the text ends too early / write {"scenarios": [ … ]}'],
    ['{} {}', '1:4 something follows the end / take out what stands behind the last }'],
    ['[01]', '1:2 01 is no value / put a text in double quotes'],
    ['[;]', '1:2 ";" stands where JSON has nothing like it / take it out'],
    [
      '{\n"a": 1,\n"\\u0061": 2,\n"a": 3}',
      '3:1 the field "\\u0061" is there twice, in line 2 and line 3 / take one of the two out',
      '4:1 the field "a" is there twice, in line 2 and line 4 / take one of the two out',
    ],
  ])('%j', (text, ...expected) => {
    expect(faultsOf(text)).toEqual(expected);
  });

  it('takes texts of any depth', () => {
    expect(scanJson('['.repeat(50_000) + ']'.repeat(50_000))).toEqual([]);
  });

  it('finds nothing in JSON, and something in what JSON.parse refuses', () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value, null, 1));
    const broken = fc.tuple(
      json,
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '{', ':', '1', '\\', '\u0001', ' '),
    );
    const cut = broken.map(([text, place, piece]) => {
      const start = place % (text.length + 1);
      return text.slice(0, start) + piece + text.slice(start + 1);
    });
    fc.assert(
      fc.property(fc.oneof(json, cut, anyText), (text) => {
        const faults = scanJson(text).filter(({ text: said }) => !said.includes('is there twice'));
        expect([text, faults.length === 0]).toEqual([text, isJson(text)]);
      }),
      propertySettings(1000),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
