import { describe, expect, it } from 'vitest';
import { readResources } from '../../../../src/tools/mcp/lists.ts';
import { readResult } from '../../../../src/tools/mcp/results.ts';

// In brackets: reports about other agents.
describe('a result', () => {
  const PNG = 'iVBORw0KGgo=';
  const JPEG = '/9j/4AAQSkZJRg==';
  const text = (value: unknown) => ({ type: 'text', text: value });
  const image = (data: string, mimeType?: string) => ({ content: [{ type: 'image', data, mimeType }] });
  const png = { content: '', images: [{ mediaType: 'image/png', data: PNG }] };
  const jpeg = { content: '', images: [{ mediaType: 'image/jpeg', data: JPEG }] };

  it.each<readonly [string, object, object]>([
    ['is an error without a text', { content: [], isError: true }, { content: /^The call failed. The server gave no/ }],
    ['is empty', { content: [] }, { content: 'The call is done. The server returned nothing.', isError: false }],
    [
      'has sound',
      { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
      { content: '[audio, audio/wav, 3 bytes: not shown]' },
    ],
    [
      'has a binary resource and a link',
      {
        content: [
          { type: 'resource', resource: { uri: 'a://2', blob: 'AAAA', mimeType: 'application/zip' } },
          { type: 'resource_link', uri: 'a://3', name: 'three' },
        ],
      },
      { content: '[resource a://2, application/zip, 3 bytes: not shown]\n[resource three: a://3]' },
    ],
    ['has a text as error', { content: [text('x')], isError: 'true' }, { content: 'x', isError: true }],
    ['has a text as content', { content: 'plain' }, { content: 'plain' }],
    ['has one part as content', { content: text('one') }, { content: 'one' }],
    ['has texts as parts', { content: ['a', 'b'] }, { content: 'a\nb' }],
    ['has no content', { content: null }, { content: 'The call is done. The server returned nothing.' }],
    ['has another form', { answer: 42, _meta: {} }, { content: '{"answer":42}' }],
    ['is of an early revision', { toolResult: { a: 1 } }, { content: '{"toolResult":{"a":1}}' }],
    ['has a number as text', { content: [text(42)] }, { content: '42' }],
    ['has an object as text', { content: [text({ a: 1 })] }, { content: '{"a":1}' }],
    ['has a part without a type', { content: [{ text: 'x' }] }, { content: 'x' }],
    [
      'has a resource in one piece',
      { content: [{ type: 'resource', uri: 'a://x', text: 'x' }] },
      { content: '[resource a://x]\nx' },
    ],
    [
      'only names a resource (open-webui#25260, hermes-agent#86201)',
      { content: [{ type: 'resource', resource: { uri: 'a://x', text: '' } }] },
      { content: '[resource a://x]' },
    ],
    ['has separators of lines (anthropic-sdk-typescript#882)', { content: [text('a\u2028b')] }, { content: 'a\nb' }],
    ['is structured as null', { content: [text('x')], structuredContent: null }, { content: 'x' }],
    [
      'has much white space in a part of an unknown type',
      { content: [{ type: 'x', value: `${' '.repeat(1_000_000)}!` }] },
      { content: / !"\}$/ },
    ],
    ['is a list twice', { content: [text('[1,2]')], structuredContent: [1, 2] }, { content: '[1,2]' }],
    ...['{"a": 1}', '42', 'true', '["x"]'].map((file): [string, object, object] => [
      `wraps a text that is the JSON ${file}`,
      { content: [text(file)], structuredContent: { content: file } },
      { content: file },
    ]),
    [
      'wraps a text with line ends of Windows and a colour',
      { content: [text('a\r\n\u001b[31mb')], structuredContent: { content: 'a\r\n\u001b[31mb' } },
      { content: 'a\nb' },
    ],
    ['is wrapped by FastMCP', { content: [text('hi')], structuredContent: { result: 'hi' } }, { content: 'hi' }],
    [
      'is a wrapped list',
      { content: [text('1'), text('2')], structuredContent: { result: [1, 2] } },
      { content: '1\n2' },
    ],
    // As server-filesystem and server-memory do.
    [
      'is wrapped as content',
      { content: [text('[FILE] a')], structuredContent: { content: '[FILE] a' } },
      { content: '[FILE] a' },
    ],
    [
      'is wrapped as a list',
      { content: [text('[{"a":1}]')], structuredContent: { all: [{ a: 1 }] } },
      { content: '[{"a":1}]' },
    ],
    ['is an empty wrapped list', { content: [], structuredContent: { result: [] } }, { content: /"result": \[\]/ }],
    [
      'is a text of many brackets beside structured content',
      { content: [text('['.repeat(30_000) + ']'.repeat(30_000))], structuredContent: { a: 1 } },
      { content: /\]\]\n\[structured content\]\n\{\n "a": 1/ },
    ],
    [
      'has one more key than the text',
      { content: [text('3')], structuredContent: { left: 3 } },
      { content: /"left": 3/ },
    ],
    [
      'repeats its picture as structured content (claude-code#31208)',
      { ...image(PNG), structuredContent: { result: [{ type: 'image', data: PNG }] } },
      { ...png, content: /"data": "\[the picture\]"/ },
    ],
    ['has the URL of a picture (joplin#16141)', image(`data:image/png;base64,${PNG}`, 'image/png'), png],
    ['has a picture of an old type', image(JPEG, 'image/jpg'), jpeg],
    ['has a picture of another type (claude-code#12009)', image(JPEG, 'image/png'), jpeg],
    ['has a picture of a doubled type (inspect_ai#3394)', image(PNG, 'image/image/png'), png],
    ['has a picture in lines', image('iVBOR\nw0KGgo=', 'image/png'), png],
    ['has a picture without a type (openai-agents-js#1070)', image(PNG), png],
    ['has an empty picture', image('', 'image/png'), { content: '[picture, image/png, 0 bytes: not shown]' }],
    ['has a picture that is none', image('AAAA', 'image/png'), { content: '[picture, image/png, 3 bytes: not shown]' }],
    // Parts that are not of the protocol: what they say is not lost.
    [
      'has a part of JSON (unpaywall-mcp#4)',
      { content: [{ type: 'json', json: { a: 1 } }] },
      { content: '{"json":{"a":1}}' },
    ],
    [
      'has a type of media as type (waldzell-mcp#44)',
      { content: [{ type: 'application/json', text: '{}' }] },
      { content: '{}' },
    ],
    [
      'has an error as a part (ynab-mcp-server#31)',
      { content: [{ type: 'error', text: 'wrong' }] },
      { content: 'wrong', isError: true },
    ],
    [
      'has a text by another name',
      { content: [{ type: 'markdown', markdown: '# x' }] },
      { content: '{"markdown":"# x"}' },
    ],
    ['has lists of parts', { content: [[text('a')], [text('b')]] }, { content: 'a\nb' }],
    ['has values as parts', { content: [42, true, null] }, { content: '42\ntrue\nnull' }],
    ['has a result as a part', { content: [{ type: 'tool_result', content: [text('x')] }] }, { content: /"text":"x"/ }],
    [
      'has a resource by another type',
      { content: [{ type: 'embedded_resource', resource: { uri: 'a://x', text: 'x' } }] },
      { content: '[resource a://x]\nx' },
    ],
    ['has a link without an address', { content: [{ type: 'resource_link', name: 'x' }] }, { content: '{"name":"x"}' }],
    [
      'has the picture of another protocol',
      { content: [{ type: 'image', source: { type: 'base64', data: PNG } }] },
      png,
    ],
    [
      'has the picture of a third protocol',
      { content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] },
      png,
    ],
    ['only names a picture', { content: [{ type: 'image', url: 'https://x/a.png' }] }, { content: /a\.png/ }],
    [
      'has bytes of an unknown type',
      { content: [{ type: 'file', bytes: 'QUJD'.repeat(60) }] },
      { content: '[file, unknown type, 180 bytes: not shown]' },
    ],
    [
      'has a text without it (fastmail-mcp#15)',
      { content: [{ type: 'text' }] },
      { content: /^\[a part of the type text/ },
    ],
    [
      'has a text as Base64 (LibreChat#15595)',
      { content: [{ type: 'resource', resource: { uri: 'a://x', blob: btoa('class A {}') } }] },
      { content: '[resource a://x]\nclass A {}' },
    ],
    ['has half a character', { content: [text('\ud800 lone')] }, { content: / lone$/ }],
  ])('%s', (_name, result, { content, ...expected }: { content?: string | RegExp }) => {
    const read = readResult(result);
    expect(read).toMatchObject(expected);
    if (typeof content === 'string') expect(read.content).toBe(content);
    else expect(read.content).toMatch(content ?? '');
  });
});

it('the resources that cannot be read are counted in one line', async () => {
  const ask = async (method: string) =>
    method === 'resources/list' ? { resources: [{ uri: 'a://b' }, ...Array(500).fill('x')] } : {};
  const { content } = await readResources(ask, true, {});
  expect(content).toEqual([{ type: 'text', text: 'a://b: \na resource that cannot be read is left out (500 times)' }]);
});
