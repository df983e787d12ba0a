import { BEDROCK_SDKS } from '../../support/sdks/bedrock.ts';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';

checkSdks(BEDROCK_SDKS);
