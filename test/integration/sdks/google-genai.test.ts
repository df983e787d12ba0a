import { GOOGLE_GENAI_SDKS } from '../../support/sdks/google-genai.ts';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';

checkSdks(GOOGLE_GENAI_SDKS);
