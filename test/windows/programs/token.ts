import { InitContext } from '../../../src/sspi/gss/init-context.ts';

/** Prints the first token for a service, in base 64: for a client whose clock is another's. */
const context = new InitContext(process.argv[2] ?? '', undefined);
process.stdout.write(context.step().reply.toString('base64'));
context.close();
