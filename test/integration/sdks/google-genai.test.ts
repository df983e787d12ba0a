import { GOOGLE_GENAI_SDKS } from '../../support/sdks/google-genai.ts';
import { GOOGLE_INTERACTIONS_SDKS } from '../../support/sdks/google-interactions.ts';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';

checkSdks([...GOOGLE_GENAI_SDKS, ...GOOGLE_INTERACTIONS_SDKS]);
