import { DEFAULT_MODEL } from '../model-routes.ts';

const YES = { supported: true };
const NO = { supported: false };

/** Capabilities of every model: everything that scenarios can answer. */
const CAPABILITIES = {
  batch: NO,
  citations: NO,
  code_execution: NO,
  context_management: {
    supported: false,
    clear_thinking_20251015: null,
    clear_tool_uses_20250919: null,
    compact_20260112: null,
  },
  effort: { supported: true, low: YES, medium: YES, high: YES, xhigh: YES, max: YES },
  image_input: YES,
  pdf_input: YES,
  server_tools: { supported: false, code_execution: NO, web_search: NO },
  structured_outputs: YES,
  thinking: { supported: true, types: { adaptive: YES, between_tools: YES, disabled: YES, enabled: YES } },
};

/** The list of models. */
export function listModels(model: object): object {
  return { data: [model], has_more: false, first_id: DEFAULT_MODEL, last_id: DEFAULT_MODEL };
}

/** A model with all fields that the official client declares. */
export function encodeModel(id: string) {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: '2025-01-01T00:00:00Z',
    capabilities: CAPABILITIES,
    deprecated_at: null,
    lifecycle: 'active',
    line: null,
    max_input_tokens: 200_000,
    max_tokens: 64_000,
    retires_at: null,
  };
}
