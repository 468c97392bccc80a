import { withoutPassword } from '../engine/postgres/connect/url.ts';
import { StartError } from '../start-error.ts';
import { DataInUse } from './data-lock.ts';
import { DataOfAnother } from './data-owner.ts';
import { codeOf, messageOf, OperatorError } from './errors.ts';
import type { Settings } from './settings.ts';

type Step = StartError['step'];

/** Runs a step of a start; what the operator can mend is thrown as a clear message. */
export async function explained<T>(step: Step | 'start', settings: Settings, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof StartError) throw explain(error.step, error.cause, settings);
    if (step !== 'start') throw explain(step, error, settings);
    throw error;
  }
}

function explain(step: Step, error: unknown, settings: Settings): OperatorError {
  return new OperatorError(messages[step](codeOf(error), innermost(error), settings), { cause: error });
}

const messages: Readonly<Record<Step, (code: string | undefined, error: unknown, settings: Settings) => string>> = {
  data: (_code, error, { data }) =>
    error instanceof DataInUse || error instanceof DataOfAnother
      ? error.message
      : `The data folder ${data} cannot be used: ${messageOf(error)}.`,
  engine: (_code, error, { data, engine }) =>
    engine === 'sqlite'
      ? `The data in ${data} cannot be opened: ${messageOf(error)}`
      : `PostgreSQL at ${withoutPassword(engine)} cannot be used: ${messageOf(error)}`,
  certificate: (_code, error, { tlsCert, data }) =>
    `The certificate in ${tlsCert ?? data} cannot be used: ${messageOf(error)}`,
  kerberos: (_code, error, { kerberosKeytab }) =>
    `Kerberos cannot be used with the keytab ${kerberosKeytab}: ${messageOf(error)}.`,
  listen: (code, error, { host, port }) => notListening(code, error, host, port, ''),
  http: (code, error, { httpHost, httpPort }) => notListening(code, error, httpHost, httpPort, 'http-'),
};

function notListening(code: string | undefined, error: unknown, host: string, port: number | string, flag: string) {
  return (
    (code === undefined ? undefined : listening[code]?.(host, port, flag)) ??
    `Cannot listen on ${host}:${port}: ${messageOf(error)}`
  );
}

const listening: Readonly<Record<string, (host: string, port: number | string, flag: string) => string>> = {
  EADDRINUSE: (host, port, flag) =>
    `Port ${port} on ${host} is in use. Stop what uses it, or specify another port with --${flag}port (0 picks a free one).`,
  EACCES: (_host, port, flag) =>
    `This user is not allowed to listen on port ${port}. Specify another one with --${flag}port.`,
  EADDRNOTAVAIL: (host, _port, flag) =>
    `This machine does not have the address ${host}. Specify one of its addresses with --${flag}host.`,
  ENOTFOUND: (host, _port, flag) =>
    `The host name ${host} is unknown. Specify an address of this machine with --${flag}host.`,
};

/** The original cause: an engine wraps the errors of its driver. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}
