/** How servers say that a request is longer than the model can read; one row per way of saying it. */
const OVERFLOW_TEXTS: readonly RegExp[] = [
  /context_length_exceeded/i, // OpenAI and many proxies, as the code
  /exceed_context_size/i, // llama.cpp, as the type
  /maximum context length/i, // OpenAI, vLLM, OpenRouter, Mistral, DeepSeek
  /exceeds? the (available |model'?s? )?context (window|size|length)/i, // OpenAI, llama.cpp, Ollama
  /(greater|longer) than the (model'?s )?context (length|window)/i, // LM Studio, vLLM
  /context (length|window|size)[^.]{0,20} (exceeded|overflow)/i, // LM Studio, Together
  /exceeds (the )?(model'?s )?context (limit|window limit)/i, // Moonshot, MiniMax
  /maximum prompt length is \d+/i, // xAI
  /prompt is too long/i, // Anthropic behind a proxy
  /input is too long/i, // Bedrock behind a proxy
  /input token count .*exceeds the maximum/i, // Gemini behind a proxy
  /reduce the length of the (messages|input)/i, // Groq
  /too large for model with \d+ maximum context/i, // Mistral
  /exceeded model token limit/i, // Moonshot
];

/** Whether an error text of a server means that the conversation is too long for the model. */
export function isContextOverflow(text: string): boolean {
  return OVERFLOW_TEXTS.some((pattern) => pattern.test(text));
}
