import { describe, expect, it } from 'vitest';
import { MessageBox } from '../../../src/web/page/input/message-box.js';

function boxOf(value = '', typed: readonly string[] = []) {
  const field = { value, selectionStart: value.length, selectionEnd: value.length };
  return { field, box: new MessageBox(field), typed };
}

describe('returned messages', () => {
  it('are one text before the text that is being typed', () => {
    const { field, box } = boxOf('a draft');
    box.putBack('one', 'two');
    expect([field.value, box.returned]).toEqual(['one\ntwo\na draft', []]);
  });

  it.each([
    ['/mode plan', '!echo in run'],
    ['!echo one', 'touch pwned'],
    ['go on', '@!ls'],
    ['go on', ' !ls'],
  ])('are restored one after the other if a command is among them: %j, %j', (first, second) => {
    const { field, box } = boxOf();
    box.putBack(first, second);
    expect([field.value, box.returned]).toEqual([first, [second]]);
    expect(box.take()).toBe(first);
    expect([field.value, box.returned]).toEqual([second, []]);
    expect(box.take()).toBe(second);
    expect(field.value).toBe('');
  });

  it('are kept separate from a command, as is a draft', () => {
    const { field, box } = boxOf('a draft');
    box.putBack('!ls');
    expect([field.value, box.returned]).toEqual(['!ls', ['a draft']]);
    box.putBack('again');
    expect([field.value, box.returned]).toEqual(['again', ['!ls', 'a draft']]);
    box.remove(0);
    expect(box.returned).toEqual(['a draft']);
  });

  it('provide the next one when the box is empty', () => {
    const { field, box } = boxOf();
    box.putBack('!ls', 'then this');
    field.value = ' ';
    expect(box.take()).toBe(' ');
    expect([field.value, box.returned]).toEqual(['then this', []]);
  });

  it('stay separate when they are stored and restored', () => {
    const { box } = boxOf();
    box.putBack('!ls', 'then this');
    const later = boxOf();
    later.box.restore(box.keep());
    expect([later.field.value, later.box.returned]).toEqual(['!ls', ['then this']]);
  });

  it('are put before the text that was typed before their restoration', () => {
    const { field, box } = boxOf('typed');
    box.restore(JSON.stringify(['kept']));
    expect(field.value).toBe('kept\ntyped');
  });

  it.each(['', '{', 'null', '"kept"', '{"0":"kept"}', '[null,1]'])('are not restored from %j', (kept) => {
    const { field, box } = boxOf('typed');
    box.restore(kept);
    expect([field.value, box.returned]).toEqual(['typed', []]);
  });
});

it('a text that was typed elsewhere is put below the one in the box', () => {
  const { field, box } = boxOf('a draft');
  box.append('not here');
  box.append('');
  expect(field.value).toBe('a draft\nnot here');
  expect(JSON.parse(box.keep('from a field'))).toEqual(['a draft\nnot here\nfrom a field']);
});

describe('the keys for earlier messages', () => {
  it('go back to the previous one, and forward to an empty box', () => {
    const { field, box, typed } = boxOf('', ['one', 'two', 'two', 'three']);
    const values = [-1, -1, -1, -1, 1, 1, 1].map((step) => {
      box.recall(step, typed);
      return field.value;
    });
    expect(values).toEqual(['three', 'two', 'one', 'one', 'two', 'three', '']);
    expect(box.recall(1, typed)).toBe(false);
  });

  it('do not replace a text that was typed or changed', () => {
    const { field, box, typed } = boxOf('mine', ['one']);
    expect(box.recall(-1, typed)).toBe(false);
    field.value = '';
    expect(box.recall(-1, typed)).toBe(true);
    field.value = 'one more';
    expect(box.recall(-1, typed)).toBe(false);
    expect(box.recall(1, typed)).toBe(false);
    expect(field.value).toBe('one more');
  });

  it('move within a message of several lines first', () => {
    const { field, box, typed } = boxOf('', ['zero', 'one\ntwo']);
    box.recall(-1, typed);
    field.selectionStart = field.value.length;
    field.selectionEnd = field.value.length;
    expect(box.recall(-1, typed)).toBe(false);
    field.selectionStart = 2;
    field.selectionEnd = 2;
    expect(box.recall(1, typed)).toBe(false);
    expect(box.recall(-1, typed)).toBe(true);
    expect(field.value).toBe('zero');
  });

  it('begin again after a message was sent', () => {
    const { field, box } = boxOf('', []);
    box.recall(-1, ['one', 'two']);
    box.recall(-1, ['one', 'two']);
    expect(box.take()).toBe('one');
    box.recall(-1, ['one', 'two', 'one']);
    expect(field.value).toBe('one');
    box.recall(-1, ['one', 'two', 'one']);
    expect(field.value).toBe('two');
  });
});
