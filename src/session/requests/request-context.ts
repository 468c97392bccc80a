import type { PayloadStream } from '../../tds/packet/index.ts';
import type { ServerContext } from '../context.ts';
import type { SessionHost } from '../session-host.ts';
import type { Response } from './response.ts';

/** What a request handler needs. */
export interface RequestContext {
  readonly host: SessionHost;
  readonly response: Response;
  readonly server: ServerContext;
  /** Present for a bulk load: its bytes as they arrive. */
  readonly stream?: PayloadStream | undefined;
  /** With MARS: waits for the client are run inside this, so that its other requests can run. */
  readonly aside?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined;
  /** Aborted when the client cancels or vanishes. */
  readonly signal: AbortSignal;
  /** Reports to the catalog what runs, with its T-SQL text if it has one. */
  running(command: string, text?: string): void;
}
