import { OPENAI_SDKS } from '../../support/sdks/openai.ts';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';

checkSdks(OPENAI_SDKS);
