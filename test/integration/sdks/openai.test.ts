import { checkSdks } from '../../support/sdk-checks.ts';
import { OPENAI_SDKS } from '../../support/sdks/openai.ts';

checkSdks(OPENAI_SDKS);
