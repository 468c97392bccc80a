import type { CommandFlag } from './command.ts';

/** Everything as JSON. */
export const json: CommandFlag = { placeholder: '', help: 'As JSON.', bare: true };
