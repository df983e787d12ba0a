import { type Tensor, type TensorName, tensorBytes } from '../tokens/tensors.ts';

const TYPES = { 32: 'F32', 16: 'F16' } as const;
const LAYER = 'model.layers.0';

const NAMES: Readonly<Record<TensorName, string>> = {
  embedding: 'model.embed_tokens.weight',
  output: 'lm_head.weight',
  output_norm: 'model.norm.weight',
  attention_norm: `${LAYER}.input_layernorm.weight`,
  query: `${LAYER}.self_attn.q_proj.weight`,
  key: `${LAYER}.self_attn.k_proj.weight`,
  value: `${LAYER}.self_attn.v_proj.weight`,
  attention_output: `${LAYER}.self_attn.o_proj.weight`,
  feed_forward_norm: `${LAYER}.post_attention_layernorm.weight`,
  gate: `${LAYER}.mlp.gate_proj.weight`,
  up: `${LAYER}.mlp.up_proj.weight`,
  down: `${LAYER}.mlp.down_proj.weight`,
};

/** A safetensors file with the names of a Llama of Hugging Face. */
export function writeSafetensors(metadata: Readonly<Record<string, string>>, tensors: readonly Tensor[]): Uint8Array {
  const contents = tensors.map(tensorBytes);
  let offset = 0;
  const entries = tensors.map(({ name, shape, bits }, index) => {
    const start = offset;
    offset += contents[index]?.length ?? 0;
    return [NAMES[name], { dtype: TYPES[bits], shape, data_offsets: [start, offset] }] as const;
  });
  // `format` tells transformers which library wrote the tensors; without it, older versions refuse the file.
  const header = JSON.stringify({ __metadata__: { format: 'pt', ...metadata }, ...Object.fromEntries(entries) });
  // The header is padded with spaces, so that the tensors are aligned.
  const headerBytes = new TextEncoder().encode(header);
  const length = Math.ceil(headerBytes.length / 8) * 8;
  const file = new Uint8Array(8 + length + offset).fill(0x20, 8, 8 + length);
  new DataView(file.buffer).setBigUint64(0, BigInt(length), true);
  file.set(headerBytes, 8);
  let position = 8 + length;
  for (const content of contents) {
    file.set(content, position);
    position += content.length;
  }
  return file;
}
