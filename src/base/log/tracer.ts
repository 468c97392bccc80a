/** A completed call as a trace records it: names and numbers, never a value. */
export interface CallSpan {
  readonly database: string;
  readonly procedure: string;
  readonly session: number;
  readonly login: string;
  /** When it began (`performance.now()`), and how long it took. */
  readonly started: number;
  readonly milliseconds: number;
  /** Its return code; undefined if it failed. */
  readonly status: number | undefined;
  /** The number of the error that it ended with; 0 for a fault, undefined if it succeeded. */
  readonly error: number | undefined;
  /** What the client reported about the context of the call: a W3C traceparent, and the activity id of its request. */
  readonly parent: string;
  readonly activity: string;
}

/** Is notified of calls; must neither throw nor take time. */
export interface Tracer {
  called(span: CallSpan): void;
}
