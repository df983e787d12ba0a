export type { JsonObject, JsonValue } from '../../text/json/json.ts';
