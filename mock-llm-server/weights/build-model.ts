import { ScenarioError } from '../scenario/problems.ts';
import { type GgufMetadata, writeGguf } from './files/gguf.ts';
import { writeModelfile } from './files/modelfile.ts';
import { writeSafetensors } from './files/safetensors.ts';
import type { Markup } from './markups/markup.ts';
import { MARKUPS, type MarkupName } from './markups/markups.ts';
import type { Script } from './script/script.ts';
import { writeJinjaTemplate } from './templates/jinja-template.ts';
import { marksOf } from './templates/marks.ts';
import { Chains } from './tokens/chains.ts';
import { createWeights, type Dimensions } from './tokens/tensors.ts';
import { type Tokenizer, type TokenizerName, tokenizerOf } from './tokens/tokenizers.ts';
import { type Token, Vocabulary } from './tokens/vocabulary.ts';

export interface ModelOptions {
  readonly markup: MarkupName;
  readonly tokenizer: TokenizerName;
  /** Size of the context window. */
  readonly context: number;
}

/** Start of a message; servers want a token for the start of a text, which no prompt here has. */
const START = '<|im_start|>';
const END = '<|im_end|>';
/** A token that follows itself. No server shows it: it has an unused type in GGUF, and elsewhere an empty text. */
const ENDLESS = '<|endless|>';

/** Types of tokens in GGUF. */
const GGUF_TYPES = { normal: 1, control: 3, unused: 5 } as const;

const NO_TOKENS = [
  'other answers of the model use all pieces of this text, and each piece is followed by one other alone',
  'change the text, remove its timing.chunk, or compile the scenario into a model of its own',
] as const;

const NAME = 'mock-llm-server-script';
const LICENSE = 'MIT';
const ROPE_BASE = 10_000;
const EPSILON = 1e-6;
const ARCHITECTURE = 'llama';

/**
 * The files of a model, by name. The same script gives the same bytes. Throws `ScenarioError` for an answer that no model
 * can give beside the others.
 */
export function buildModel(
  script: Script,
  { markup: markupName, tokenizer: tokenizerName, context }: ModelOptions,
): Map<string, Uint8Array> {
  const markup: Markup = MARKUPS[markupName];
  const description = describe(script);
  const tokenizer = tokenizerOf(tokenizerName);
  const { tokens, successors } = buildVocabulary(script, markup, tokenizer);
  const endToken = tokens.findIndex(({ text }) => text === END);
  const startToken = tokens.findIndex(({ text }) => text === START);
  const { dimensions, tensors } = createWeights(tokens.length, successors, endToken);
  const template = writeJinjaTemplate(script, markup, description);
  const common = { tokens, tokenizer, context, template, startToken, endToken, dimensions, description };
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 1)}\n`;
  const files: [string, string | Uint8Array][] = [
    ['model.gguf', writeGguf(ggufMetadata(common), tensors)],
    ['Modelfile', writeModelfile(script, markup, { context, description, license: LICENSE })],
    ['chat_template.jinja', template],
    ['model.safetensors', writeSafetensors({ description, license: LICENSE }, tensors)],
    ['config.json', json(llamaConfig(common))],
    ['tokenizer.json', json(tokenizerJson(tokens, tokenizer))],
    ['tokenizer_config.json', json(tokenizerConfig(context))],
    ['generation_config.json', json({ bos_token_id: startToken, eos_token_id: endToken, do_sample: false })],
  ];
  const encoder = new TextEncoder();
  return new Map(files.map(([name, file]) => [name, typeof file === 'string' ? encoder.encode(file) : file]));
}

function describe({ scenarios }: Script): string {
  const names = scenarios.map(({ name }) => JSON.stringify(name)).join(', ');
  return `Not a language model: these weights replay scenarios of mock-llm-server, which has compiled them: ${names}.`;
}

function buildVocabulary(script: Script, markup: Markup, tokenizer: Tokenizer) {
  const vocabulary = new Vocabulary();
  for (const text of tokenizer.tokens) vocabulary.add(text, 'normal');
  for (const text of markup.otherTokens ?? []) vocabulary.add(text, 'normal');
  for (const text of [START, END]) vocabulary.add(text, 'control');
  const [end, endless] = [vocabulary.add(END, 'control'), vocabulary.add(ENDLESS, 'unused')];
  const chains = new Chains(vocabulary, markup.marks);
  chains.link(endless, endless);
  const answers = marksOf(script).map((marked) => ({
    ...marked,
    text: markup.write(marked.answer),
    token: vocabulary.add(marked.mark, 'control'),
  }));
  // A short text has few ways to be split, so it comes before the longer ones.
  for (const { token, answer, text, place } of answers.sort((left, right) => left.text.length - right.text.length)) {
    const first = chains.add(text, answer.isEndless ? endless : end, answer.pieceLength);
    if (first === undefined) throw ScenarioError.of(place?.file ?? '', place?.path ?? '$', ...NO_TOKENS);
    chains.link(token, first);
  }
  return sortTokens(vocabulary.tokens, chains.successors);
}

/** Moves control tokens behind the others, where Hugging Face's tokenizers number them. */
function sortTokens(tokens: readonly Token[], successors: ReadonlyMap<number, number>) {
  const order = [...tokens.keys()].sort((left, right) => rankOf(tokens[left]) - rankOf(tokens[right]));
  const place = new Map(order.map((token, index) => [token, index]));
  const placeOf = (token: number) => place.get(token) ?? token;
  return {
    tokens: order.flatMap((token) => tokens[token] ?? []),
    successors: new Map([...successors].map(([token, next]) => [placeOf(token), placeOf(next)])),
  };
}

function rankOf(token: Token | undefined): number {
  return token?.type === 'control' ? 1 : 0;
}

interface ModelParts {
  readonly tokens: readonly Token[];
  readonly tokenizer: Tokenizer;
  readonly context: number;
  readonly template: string;
  readonly startToken: number;
  readonly endToken: number;
  readonly dimensions: Dimensions;
  readonly description: string;
}

function ggufMetadata({
  tokens,
  tokenizer,
  context,
  template,
  startToken,
  endToken,
  dimensions,
  description,
}: ModelParts): GgufMetadata {
  const { vocabulary, hidden, feedForward, heads, headSize } = dimensions;
  const uint32 = (value: number) => ({ type: 'uint32', value }) as const;
  const float32 = (value: number) => ({ type: 'float32', value }) as const;
  const string = (value: string) => ({ type: 'string', value }) as const;
  return [
    ['general.architecture', string(ARCHITECTURE)],
    ['general.type', string('model')],
    ['general.name', string(NAME)],
    ['general.description', string(description)],
    ['general.license', string(LICENSE)],
    ['general.file_type', uint32(1)],
    ['general.quantization_version', uint32(2)],
    ['llama.context_length', uint32(context)],
    ['llama.embedding_length', uint32(hidden)],
    ['llama.block_count', uint32(1)],
    ['llama.feed_forward_length', uint32(feedForward)],
    ['llama.attention.head_count', uint32(heads)],
    ['llama.attention.head_count_kv', uint32(heads)],
    ['llama.attention.layer_norm_rms_epsilon', float32(EPSILON)],
    ['llama.rope.dimension_count', uint32(headSize)],
    ['llama.rope.freq_base', float32(ROPE_BASE)],
    ['llama.vocab_size', uint32(vocabulary)],
    ['tokenizer.ggml.model', string('gpt2')],
    ['tokenizer.ggml.pre', string('gpt-2')],
    ['tokenizer.ggml.tokens', { type: 'strings', value: tokens.map(({ text }) => text) }],
    ['tokenizer.ggml.token_type', { type: 'int32s', value: tokens.map(({ type }) => GGUF_TYPES[type]) }],
    ['tokenizer.ggml.merges', { type: 'strings', value: tokenizer.merges.map((merge) => merge.join(' ')) }],
    ['tokenizer.ggml.bos_token_id', uint32(startToken)],
    ['tokenizer.ggml.eos_token_id', uint32(endToken)],
    ['tokenizer.ggml.padding_token_id', uint32(endToken)],
    ['tokenizer.ggml.add_bos_token', { type: 'bool', value: false }],
    ['tokenizer.chat_template', string(template)],
  ];
}

function llamaConfig({ context, startToken, endToken, dimensions }: ModelParts) {
  const { vocabulary, hidden, feedForward, heads, headSize } = dimensions;
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: hidden,
    intermediate_size: feedForward,
    num_hidden_layers: 1,
    num_attention_heads: heads,
    num_key_value_heads: heads,
    head_dim: headSize,
    vocab_size: vocabulary,
    max_position_embeddings: context,
    rms_norm_eps: EPSILON,
    rope_theta: ROPE_BASE,
    hidden_act: 'silu',
    tie_word_embeddings: false,
    attention_bias: false,
    mlp_bias: false,
    bos_token_id: startToken,
    eos_token_id: endToken,
    pad_token_id: endToken,
    // The file has 16 bits; 32 is a type that every server computes with on a processor.
    torch_dtype: 'float32',
    dtype: 'float32',
  };
}

function tokenizerJson(tokens: readonly Token[], { merges, splitsWords }: Tokenizer) {
  const indexed = tokens.map((token, id) => ({ ...token, id }));
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: splitsWords };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: indexed
      .filter(({ type }) => type === 'control')
      .map(({ id, text }) => {
        return {
          id,
          content: text,
          single_word: false,
          lstrip: false,
          rstrip: false,
          normalized: false,
          special: true,
        };
      }),
    normalizer: null,
    pre_tokenizer: byteLevel,
    post_processor: null,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries(
        indexed.flatMap(({ type, text, id }) => (type === 'control' ? [] : [[type === 'unused' ? '' : text, id]])),
      ),
      merges,
    },
  };
}

function tokenizerConfig(context: number) {
  return {
    tokenizer_class: 'PreTrainedTokenizerFast',
    bos_token: null,
    eos_token: END,
    pad_token: END,
    clean_up_tokenization_spaces: false,
    model_max_length: context,
  };
}
