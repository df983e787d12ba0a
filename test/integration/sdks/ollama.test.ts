import { checkSdks } from '../../support/sdk-checks.ts';
import { OLLAMA_SDKS } from '../../support/sdks/ollama.ts';

checkSdks(OLLAMA_SDKS);
