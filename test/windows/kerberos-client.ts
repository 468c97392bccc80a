import type { GssCalls } from '../../src/sspi/gss/gss-calls.ts';
import type { Initiator } from './sspi-login.ts';

/** A ticket's token that has been made already, to be sent once or again; the server's answer is let be. */
export async function ticketFor(
  calls: GssCalls,
  service: string,
  environment: Readonly<Record<string, string>>,
  bindings?: Uint8Array,
): Promise<Initiator> {
  Object.assign(process.env, environment);
  const context = calls.nextContext();
  const bound = bindings === undefined ? {} : { bindings };
  const { reply } = await calls.run({ kind: 'initiate', context, service, ...bound });
  calls.close(context);
  return sending(Buffer.from(reply));
}

/** A client that has one token and no other. */
export const sending = (token: Buffer): Initiator => ({ first: () => token, second: () => undefined });
