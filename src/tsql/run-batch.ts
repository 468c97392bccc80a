import { SqlError, sqlError } from '../base/messages/sql-error.ts';
import { inTurns, type Steps } from '../base/threads/steps.ts';
import type { Statement } from '../syntax/ast/statement.ts';
import { recentTrees } from '../syntax/parser/kept-trees.ts';
import { quotedIdentifierSetBy } from '../syntax/parser/parse.ts';
import { Frame } from './frame.ts';
import type { Host } from './host.ts';
import { interpreter } from './interpreter.ts';
import type { StatementSink } from './statement-sink.ts';
import { endBatch } from './statements/checked.ts';
import { Failure, untilAborted } from './statements/failure.ts';

/** How a batch ended. */
interface BatchEnd {
  /** True if an error stopped the batch before its end. */
  readonly aborted: boolean;
}

/**
 * Runs a batch of T-SQL. Errors go to sink.error and the promise resolves; it rejects only when the signal aborts (with
 * its reason), with an error of severity 20 or more (the session ends), or on an internal fault.
 */
export async function runBatch(host: Host, text: string, sink: StatementSink, signal: AbortSignal): Promise<BatchEnd> {
  const frame = new Frame(host, sink, signal);
  const statements = await read(frame, text);
  if (statements === undefined) return { aborted: true };
  if (host.options.parseOnly && !(await inTurns(setsParseOnly(text), frame.turn))) return { aborted: false };
  let aborted: Failure | undefined;
  try {
    aborted = await untilAborted(async () => {
      const completion = await interpreter.statements(statements, frame);
      if (completion.kind === 'goto') throw reported(sink, sqlError(133, completion.label));
      if (completion.kind === 'break') throw reported(sink, sqlError(135));
      if (completion.kind === 'continue') throw reported(sink, sqlError(136));
    });
  } finally {
    frame.drop();
  }
  if (await endBatch(frame)) sink.done({ command: 'other', failed: true });
  return { aborted: aborted !== undefined };
}

/** Characters that are searched between two checks of the clock. */
const stretch = 100_000;

/**
 * True for a text that may set PARSEONLY, which takes effect although nothing is run; in steps, since it may be long.
 */
function* setsParseOnly(text: string): Steps<boolean> {
  const overlap = 'PARSEONLY'.length - 1;
  for (let at = 0; at < text.length; at += stretch) {
    if (/parseonly/i.test(text.slice(at, at + stretch + overlap))) return true;
    yield;
  }
  return false;
}

/** The statements of the batch; undefined if it cannot be parsed, which has then been reported. */
async function read({ host, sink, turn }: Frame, text: string): Promise<readonly Statement[] | undefined> {
  try {
    const statements = await recentTrees.read(text, { quotedIdentifier: host.options.quotedIdentifier }, turn);
    host.options.quotedIdentifier = quotedIdentifierSetBy(statements) ?? host.options.quotedIdentifier;
    return statements;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    reported(sink, error);
    return undefined;
  }
}

function reported(sink: StatementSink, error: SqlError): Failure {
  sink.error(error);
  sink.done({ command: 'other', failed: true });
  return new Failure(error, { ends: 'batch', isTold: true });
}
