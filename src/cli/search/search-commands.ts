import type { Command } from '../command.ts';
import { componentCommands } from './component-commands.ts';
import { mergeCommand } from './merge-command.ts';
import { scopeCommands } from './scope-commands.ts';
import { sourceCommands } from './source-commands.ts';
import { statusCommand } from './status-command.ts';
import { storeCommands } from './store-commands.ts';

/** The commands for a search topology, while the server is running. */
export const searchCommands: readonly Command[] = [
  ...componentCommands,
  ...storeCommands,
  ...sourceCommands,
  ...scopeCommands,
  mergeCommand,
  statusCommand,
];
