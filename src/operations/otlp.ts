import { randomBytes } from 'node:crypto';
import type { CallSpan } from '../base/log/tracer.ts';

/** What the spans are of, as OpenTelemetry names it: `service.name` and the like. */
export type Resource = Readonly<Record<string, string>>;

/** Where a span belongs: the trace, and the span above it. */
interface Parent {
  readonly trace: string;
  readonly span: string;
  readonly sampled: boolean;
}

/** A W3C trace context: version 00, and what later ones begin with. */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a traceparent; undefined if it is invalid, which is treated as missing. */
export function parentOf(text: string): Parent | undefined {
  const [, trace, span, flags = '00'] = form.exec(text) ?? [];
  return trace === undefined || span === undefined
    ? undefined
    : { trace, span, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

const spanKind = { server: 2 };
const statusCode = { error: 2 };

/**
 * Spans as the body of a request to a collector: OTLP 1.x in JSON, where 64-bit numbers are texts and ids hex digits.
 * `origin` is the start of the clock that spans are measured with, in milliseconds since 1970.
 */
export function otlp(spans: readonly CallSpan[], resource: Resource, version: string, origin: number): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributes(resource) },
        scopeSpans: [{ scope: { name: 'granary', version }, spans: spans.map((span) => spanOf(span, origin)) }],
      },
    ],
  });
}

function spanOf(span: CallSpan, origin: number) {
  const { database, procedure, session, login, status, error, activity } = span;
  const parent = parentOf(span.parent);
  const start = origin + span.started;
  return {
    traceId: parent?.trace ?? traceOf(activity) ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent === undefined ? {} : { parentSpanId: parent.span }),
    name: `EXECUTE ${procedure}`,
    kind: spanKind.server,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(start + span.milliseconds),
    attributes: attributes({
      'db.system.name': 'microsoft.sql_server',
      'db.namespace': database,
      'db.operation.name': 'EXECUTE',
      'db.stored_procedure.name': procedure,
      'granary.session': session,
      'granary.login': login,
      ...(status === undefined ? {} : { 'granary.return_code': status }),
      ...(activity === '' ? {} : { 'granary.client_activity': activity }),
      ...(error === undefined ? {} : { 'db.response.status_code': `${error}`, 'error.type': `${error}` }),
    }),
    status: error === undefined ? {} : { code: statusCode.error },
  };
}

/** The trace of an activity; zeros are a GUID, but not the number of a trace. */
const traceOf = (activity: string): string | undefined =>
  /[1-9a-f]/i.test(activity) ? activity.replaceAll('-', '') : undefined;

/** Milliseconds with their fraction as whole nanoseconds, which no double holds. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return `${BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1_000_000))}`;
}

const attributes = (of: Readonly<Record<string, string | number>>) =>
  Object.entries(of).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: `${value}` } : { stringValue: value },
  }));
