import { limitedLog } from '../base/log/limited-log.ts';
import { jsonLog, type Log } from '../base/log/log.ts';
import type { World } from './command.ts';
import { LogFile } from './log-file.ts';
import type { Settings } from './settings.ts';

/** A log, and the file underneath that is closed at the end. */
interface OpenLog extends Disposable {
  readonly log: Log;
}

/** The log according to the settings: a file, which SIGHUP reopens, or standard error. */
export function openLog({ logFile, logLevel, logMaxSize, logKeep }: Settings, world: World): OpenLog {
  const { stderr } = world;
  using opening = new DisposableStack();
  let write = (line: string): void => void stderr.write(line);
  if (logFile !== undefined) {
    const complain = (text: string) => void stderr.write(`granary: ${text}\n`);
    const file = opening.use(new LogFile({ path: logFile, longest: logMaxSize, kept: logKeep, complain }));
    world.onHangUp(() => file.reopen());
    write = (line) => file.write(line);
  }
  const { log } = opening.use(limitedLog(jsonLog(write, logLevel)));
  const opened = opening.move();
  return { log, [Symbol.dispose]: () => opened.dispose() };
}
