import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/agent/ports/language-model.ts';
import type { Message } from '../../../src/agent/ports/messages.ts';
import { collect } from '../../support/contracts/language-model.ts';
import { createScriptedModel } from '../../support/fakes/scripted-model.ts';

const never = new AbortController().signal;
const request: ModelRequest = { system: 'Be brief.', messages: [{ role: 'user', content: 'hello' }], tools: [] };

// Its answers keep the contract of language models: test/unit/providers/language-model-contract.test.ts.
describe('scripted model', () => {
  it('keeps a copy of each request', async () => {
    const messages: Message[] = [{ role: 'user', content: 'first' }];
    const model = createScriptedModel({});
    await collect(model.stream({ ...request, messages }, never));
    messages.push({ role: 'user', content: 'added later' });
    expect(model.requests).toEqual([{ ...request, messages: [{ role: 'user', content: 'first' }] }]);
  });

  it('rejects a request after its last answer, and reports it at the end', async () => {
    const model = createScriptedModel();
    const problem = 'no answer for request 1: the last of 1 is {"role":"user","content":"hello"}, tools none';
    await expect(collect(model.stream(request, never))).rejects.toThrow(problem);
    await expect(collect(model.stream({ ...request, messages: [] }, never))).rejects.toThrow('2: no messages');
    expect(() => model.assertExhausted()).toThrow(problem);
  });

  it('names the unused answers', () => {
    const model = createScriptedModel({ text: 'left over' });
    expect(() => model.assertExhausted()).toThrow('unused answer: {"text":"left over"}');
  });
});
