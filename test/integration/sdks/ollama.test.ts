import { OLLAMA_SDKS } from '../../support/sdks/ollama.ts';
import { checkSdks } from '../../support/sdks/sdk-checks.ts';

checkSdks(OLLAMA_SDKS);
