import { checkSdks } from '../../support/sdk-checks.ts';
import { ANTHROPIC_SDKS } from '../../support/sdks/anthropic.ts';

checkSdks(ANTHROPIC_SDKS);
