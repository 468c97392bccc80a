import type { Command } from '../command.ts';
import { cancel } from './cancel-command.ts';
import { list } from './list-command.ts';
import { show } from './show-command.ts';
import { submit } from './submit-command.ts';
import { why } from './why-command.ts';

/** What is done with jobs of conversions and translations. */
export const jobCommands: readonly Command[] = [submit, list, show, why, cancel];
