import { checkSdks } from '../../support/sdk-checks.ts';
import { GOOGLE_GENAI_SDKS } from '../../support/sdks/google-genai.ts';

checkSdks(GOOGLE_GENAI_SDKS);
