// A program that loads zod, for the test of the module trace.
import * as z from 'zod';

console.log(JSON.stringify(z.toJSONSchema(z.null())));
