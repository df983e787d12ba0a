// Started by the test of the module trace: a program that loads zod and does nothing with it that matters.
import * as z from 'zod';

console.log(JSON.stringify(z.toJSONSchema(z.null())));
