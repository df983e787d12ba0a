import { type HistoryWire, type Piece, rewritten } from './history-wires.ts';

/** A change of a history. */
export type Change = (pieces: readonly Piece[], wire: HistoryWire) => readonly Piece[];

type Place = readonly [kind: Piece['kind'], answer: number, index?: number];

function found(pieces: readonly Piece[], [kind, answer, index = 0]: Place): Piece {
  const piece = pieces.filter((each) => each.kind === kind && each.answer === answer)[index];
  if (piece === undefined) throw new Error(`The history has no ${kind} ${index} of answer ${answer}.`);
  return piece;
}

const drop =
  (...places: readonly Place[]): Change =>
  (pieces) => {
    const gone = places.flatMap(([kind, answer, index]) =>
      pieces.filter(
        (piece) =>
          piece.kind === kind &&
          piece.answer === answer &&
          (index === undefined || piece === found(pieces, [kind, answer, index])),
      ),
    );
    return pieces.filter((piece) => !gone.includes(piece));
  };

const swap =
  (one: Place, other: Place): Change =>
  (pieces) => {
    const [first, second] = [found(pieces, one), found(pieces, other)];
    return pieces.map((piece) => {
      if (piece === first) return { ...second, answer: first.answer };
      return piece === second ? { ...first, answer: second.answer } : piece;
    });
  };

const move =
  (from: Place, to: Place): Change =>
  (pieces) => {
    const [moved, target] = [found(pieces, from), found(pieces, to)];
    return pieces.flatMap((piece) => {
      if (piece === moved) return [];
      return piece === target ? [piece, { ...moved, answer: target.answer }] : [piece];
    });
  };

const repeat =
  (place: Place): Change =>
  (pieces) =>
    pieces.flatMap((piece) => (piece === found(pieces, place) ? [piece, piece] : [piece]));

/** Rewrites the JSON text of pieces of one kind, or of the whole answers. */
const rewrite =
  (kind: Piece['kind'] | 'answers', from: RegExp, to: string): Change =>
  (pieces) =>
    pieces.map((piece) => {
      const isOwn = kind === 'answers' ? piece.kind !== 'prompt' && piece.kind !== 'result' : piece.kind === kind;
      return isOwn ? rewritten(piece, (text) => text.replace(from, to)) : piece;
    });

const all =
  (...changes: readonly Change[]): Change =>
  (pieces, wire) =>
    changes.reduce((changed, change) => change(changed, wire), pieces);

/** The answer and its results, or those of all others. */
const ofAnswer = (pieces: readonly Piece[], answer: number) => pieces.filter((piece) => piece.answer === answer);

const isMark = /"(?:signature|thoughtSignature|encrypted_content)":"[^"]*",?/g;
const signed = (piece: Piece, to: string) =>
  rewritten(piece, (text) => text.replace(isMark, to).replace(/,(?=\})/g, ''));

/** A last answer, and a prompt after it. */
const thenPrompt =
  (text: string): Change =>
  (pieces, wire) => [
    ...pieces,
    { kind: 'text', answer: 2, json: wire.text(text) },
    prompt(wire, 'Explain the change.'),
  ];

function prompt(wire: HistoryWire, text: string): Piece {
  return { kind: 'prompt', answer: 9, json: wire.prompt(text) };
}

/** Changes that break a correct history of two answers. */
export const MISTAKES = {
  'the text is dropped': drop(['text', 1]),
  'the text of an earlier answer is dropped': drop(['text', 0]),
  'the text is changed': rewrite('text', /I write the result\./, 'I wrote nothing.'),
  'the last text is changed': thenPrompt('It is broken now.'),
  'the texts of two answers are swapped': swap(['text', 0], ['text', 1]),
  'the text is there twice': repeat(['text', 1]),
  'the text comes after the call': move(['text', 1], ['call', 1]),
  'the tool is renamed': rewrite('call', /write_gamma/, 'write_delta'),
  'the tool of an earlier answer is renamed': rewrite('call', /read_beta/, 'read_delta'),
  'an argument is changed': rewrite('call', /gamma\.txt/, 'delta.txt'),
  'the arguments are emptied': rewrite('call', /\\?"path\\?":\\?"gamma\.txt\\?",\\?"text\\?":\\?"done so\\?"/, ''),
  'an argument is dropped': rewrite('call', /,\\?"text\\?":\\?"done so\\?"/, ''),
  'a nested argument is changed': rewrite('call', /\[1\]/, '[1,2]'),
  'the first of two calls is dropped with its result': drop(['call', 0, 0], ['result', 0, 0]),
  'the second of two calls is dropped with its result': drop(['call', 0, 1], ['result', 0, 1]),
  'the calls are in another order': all(swap(['call', 0, 0], ['call', 0, 1]), swap(['result', 0, 0], ['result', 0, 1])),
  'the answers are in another order': (pieces) => [-1, 1, 0].flatMap((answer) => ofAnswer(pieces, answer)),
  'an answer is there twice': (pieces) => [...pieces, ...ofAnswer(pieces, 1)],
  'the thinking of the last answer is dropped': drop(['thinking', 1]),
  'the thinking is changed': rewrite('thinking', /Now I write it down\./, 'Now I do not.'),
  'the thinking is emptied': rewrite('thinking', /Now I write it down\./, ''),
  'the thinking of two answers is swapped': swap(['thinking', 0], ['thinking', 1]),
  'the thinking comes after the call': move(['thinking', 1], ['call', 1]),
  'the signature of the last answer is dropped': (pieces) =>
    pieces.map((piece) => (piece.answer === 1 ? signed(piece, '') : piece)),
  'the signature is changed': (pieces) =>
    pieces.map((piece) =>
      piece.answer === 1
        ? rewritten(piece, (text) => text.replace(isMark, (mark) => mark.replace(/:"[^"]*"/, ':"Zm9yZWlnbg=="')))
        : piece,
    ),
  'the phase of one text is dropped': (pieces) =>
    pieces.map((piece) =>
      piece === found(pieces, ['text', 1]) ? rewritten(piece, (text) => text.replace(/,"phase":"\w+"/, '')) : piece,
    ),
  'the phase is changed': rewrite('text', /"phase":"\w+"/, '"phase":"final_answer"'),
  'a result is missing': drop(['result', 0, 1]),
  'a result is there twice': repeat(['result', 0, 1]),
  'a result has a foreign id': rewrite('result', /(?:call|toolu|tooluse)_repair_\w+?_1_0_\w+/, 'call_foreign'),
  'a call has a foreign id': rewrite('call', /(?:call|toolu|tooluse)_repair_\w+?_1_0_\w+/g, 'call_foreign'),
  'the last call has no result': drop(['result', 1]),
  'the calls of an earlier answer have no results': drop(['result', 0]),
  'a result comes after the next answer': move(['result', 0, 1], ['result', 1]),
  'the results of two answers are swapped': swap(['result', 0, 0], ['result', 1, 0]),
} as const satisfies Readonly<Record<string, Change>>;

/** Changes that agents make on purpose. */
export const PURPOSES: Readonly<Record<string, Change>> = {
  'everything as it came': (pieces) => pieces,
  'a summary in place of the beginning': (pieces, wire) => [
    prompt(wire, 'Repair the alpha. Summary: the files were read.'),
    ...ofAnswer(pieces, 1),
  ],
  'an answer left out with its results': (pieces) => pieces.filter(({ answer }) => answer !== 0),
  'pruned results': rewrite('result', /result \d+/, '[pruned]'),
  'no thinking': (pieces) => pieces.filter(({ kind }) => kind !== 'thinking'),
  'no thinking in an earlier answer': drop(['thinking', 0]),
  'no text of the thinking': rewrite('thinking', /"summary":\[.*?\]/, '"summary":[]'),
  'other spaces in the text': rewrite('text', /I look at both\./, ' I look  at both. '),
  'a text that was cut': rewrite('text', /I look at both\./, 'I look at'),
  'JSON in another form': rewrite('call', /\\"path\\":/, '\\"path\\" : '),
  'defaults of arguments': rewrite(
    'call',
    /(\\?)"path\\?":\\?"beta\.txt\\?"/,
    '$1"path$1":$1"beta.txt$1",$1"limit$1":9',
  ),
  'arguments in another order': rewrite(
    'call',
    /(\\?)"path\\?":\\?"gamma\.txt\\?",(\\?"text\\?":\\?"done so\\?")/,
    '$2,$1"path$1":$1"gamma.txt$1"',
  ),
  'a reminder at the end': (pieces, wire) => [
    ...pieces,
    prompt(wire, '<system-reminder>\nUse the list of tasks.\n</system-reminder>'),
  ],
  'a message of the user within the turn': (pieces, wire) => [...pieces, prompt(wire, 'Be quick, please.')],
  'results in another order': swap(['result', 0, 0], ['result', 0, 1]),
  'ids for another service': (pieces) => {
    const ids = [...new Set(JSON.stringify(pieces).match(/(?:call|toolu|tooluse)_repair_[0-9a-f_]+/g))];
    return pieces.map((piece) =>
      rewritten(piece, (text) => ids.reduce((all, id, index) => all.replaceAll(id, `abcdefgh${index}`), text)),
    );
  },
  'the name of the server before the tool': all(
    rewrite('call', /write_gamma/, 'functions_write_gamma'),
    rewrite('result', /write_gamma/, 'functions_write_gamma'),
  ),
  'no ids of items': rewrite('answers', /"id":"(?:rs|msg|fc)_\w+",/, ''),
  'no phases': rewrite('text', /,"phase":"\w+"/, ''),
  'signatures for calls of other models': (pieces) =>
    pieces.map((piece) =>
      rewritten(piece, (text) =>
        text.replace(/"thoughtSignature":"[^"]*"/, '"thoughtSignature":"skip_thought_signature_validator"'),
      ),
    ),
  'marks for the cache': rewrite(
    'result',
    /"type":"tool_result"/,
    '"cache_control":{"type":"ephemeral"},"type":"tool_result"',
  ),
  'failed results': rewrite('result', /"type":"tool_result"/, '"is_error":true,"type":"tool_result"'),
  'a note in place of an interrupted answer': thenPrompt('[interrupted by the user]'),
  'another prompt': thenPrompt('It is repaired now.'),
  'another prompt after an answer that was cut': thenPrompt('It is repaired'),
  'another prompt in place of an answer': (pieces, wire) => [...pieces, prompt(wire, 'Explain the change.')],
  'an answer of another model before': (pieces, wire) => [
    prompt(wire, 'Hello.'),
    { kind: 'text', answer: -2, json: wire.text('Hello, too.') },
    ...pieces,
  ],
  'an answer of another model in one message with it': (pieces, wire) => [
    ...pieces.slice(0, 1),
    { kind: 'text', answer: 0, json: wire.text('Well.') },
    ...pieces.slice(1),
  ],
  'calls and results as text': (pieces, wire) =>
    [...pieces, prompt(wire, 'Explain the change.')].flatMap((piece): readonly Piece[] => {
      if (piece.kind === 'call' || piece.kind === 'thinking') return [];
      return piece.kind === 'result' ? [prompt(wire, 'The result of the tool: ok')] : [piece];
    }),
};
