import type { Command } from '../command.ts';
import { errors, log, pause, status, stop } from './list-commands.ts';
import { resume, runCommand, start } from './start-command.ts';
import { why } from './why-command.ts';

/** What is done with crawls. */
export const crawlCommands: readonly Command[] = [start, status, log, errors, stop, pause, resume, why, runCommand];
