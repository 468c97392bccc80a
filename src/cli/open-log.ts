import { closeSync, openSync, writeSync } from 'node:fs';
import { jsonLog, type Log } from '../base/log.ts';
import type { World } from './command.ts';
import { messageOf, OperatorError } from './errors.ts';
import type { Settings } from './settings.ts';

/** A log, and the file underneath that is closed at the end. */
interface OpenLog extends Disposable {
  readonly log: Log;
}

/** The log that the settings ask for: a file, or standard error. */
export function openLog({ logFile, logLevel }: Settings, { stderr }: World): OpenLog {
  if (logFile === undefined) {
    return { log: jsonLog((line) => stderr.write(line), logLevel), [Symbol.dispose]: () => {} };
  }
  const file = openForAppending(logFile);
  const write = (line: string) => {
    try {
      writeSync(file, line);
    } catch (error) {
      // A full disk must not fail the call that logs.
      stderr.write(`granary: the log file ${logFile} cannot be written: ${messageOf(error)}\n${line}`);
    }
  };
  return { log: jsonLog(write, logLevel), [Symbol.dispose]: () => closeSync(file) };
}

function openForAppending(path: string): number {
  try {
    return openSync(path, 'a', 0o640);
  } catch (error) {
    throw new OperatorError(`The log file ${path} cannot be written: ${messageOf(error)}`);
  }
}
