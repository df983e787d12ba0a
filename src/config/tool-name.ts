/** The name of a tool, ours or another one. */
export const TOOL_NAME = /^[A-Za-z][\w-]{0,63}$/;
