import type { Command } from '../command.ts';
import { pause, stop } from './ask-commands.ts';
import { errors, log, status } from './list-commands.ts';
import { resume, runCommand, start } from './start-command.ts';
import { why } from './why-command.ts';

/** What is done with crawls. */
export const crawlCommands: readonly Command[] = [start, status, log, errors, stop, pause, resume, why, runCommand];
