import { wireParams } from '../../src/client/call.ts';
import type { ClientConnection } from '../../src/client/connection.ts';
import type { CallInput, Outcomes, Params, Procedure } from '../../src/procedure/declare.ts';

/** Calls a procedure and waits for the end of its answer, which nobody reads. */
export function callUnread<P extends Params, O extends Outcomes>(
  connection: ClientConnection,
  procedure: Procedure<P, O>,
  input: CallInput<P>,
): Promise<Buffer> {
  return connection.rpcUnread([{ procedure: procedure.name, params: wireParams(procedure, input) }]);
}
