import type * as type from './setting-types.ts';

/** One setting: its flag and its environment variable derive from its key. */
export interface Setting<Value> {
  readonly type: type.SettingType<Value>;
  /** The default as text; undefined leaves the setting unset. */
  readonly default: string | undefined;
  /** The default as the help describes it. */
  readonly shownDefault?: string;
  readonly help: string;
  /** The command line is visible to every user of a machine: a secret has no flag. */
  readonly secret?: true;
  /** `all`: every command that touches the data has it; `serve`: only the server. */
  readonly used: 'all' | 'serve';
}

/** A setting that always has a value. */
export const setting = <Value>(declared: Setting<Value> & { readonly default: string }) => declared;
/** A setting that may be left out. */
export const optional = <Value>(declared: Omit<Setting<Value>, 'default'>) => ({ ...declared, default: undefined });
