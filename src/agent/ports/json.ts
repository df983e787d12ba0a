export type { JsonObject, JsonValue } from '../../text/json.ts';
