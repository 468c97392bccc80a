import type { PayloadStream } from '../tds/packet/index.ts';
import type { ServerContext } from './context.ts';
import type { Response } from './response.ts';
import type { SessionHost } from './session-host.ts';

/** What a kind of request needs to be answered. */
export interface RequestContext {
  readonly host: SessionHost;
  readonly response: Response;
  readonly server: ServerContext;
  /** Present for a bulk load: what it says, as it comes. */
  readonly stream?: PayloadStream | undefined;
  /** With MARS: waits for the client inside of this let its other requests run. */
  readonly aside?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined;
  /** Aborted when the client cancels or vanishes. */
  readonly signal: AbortSignal;
  /** Tells the catalog what runs, and its text where it has one. */
  running(command: string, text?: string): void;
}
