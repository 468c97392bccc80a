/** A call that is over, as a trace tells it: names and numbers, never a value. */
export interface CallSpan {
  readonly database: string;
  readonly procedure: string;
  readonly session: number;
  readonly login: string;
  /** When it began, by `performance.now()`, and how long it took. */
  readonly started: number;
  readonly milliseconds: number;
  /** What it returned; undefined where it failed. */
  readonly status: number | undefined;
  /** The number of the error that it ended in; 0 for a fault, undefined where it succeeded. */
  readonly error: number | undefined;
  /** What the client said that the call belongs to: a W3C traceparent, and the activity of its request. */
  readonly parent: string;
  readonly activity: string;
}

/** Takes notice of calls; it must neither throw nor take time. */
export interface Tracer {
  called(span: CallSpan): void;
}
