import { ANTHROPIC_SDKS } from '../../support/sdks/anthropic.ts';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';

checkSdks(ANTHROPIC_SDKS);
