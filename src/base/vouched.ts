/** How a user was authenticated. */
export type AuthenticationScheme = 'SQL' | 'KERBEROS' | 'NTLM';

/** An authenticated principal: who it is, whose roles it has, and how it was authenticated. */
export interface Vouched {
  readonly login: string;
  /** The logins whose roles it has: its own, or those of the Windows user and groups through which it was admitted. */
  readonly through: readonly string[];
  readonly authentication: AuthenticationScheme;
}

/** A login by itself, whose password was correct or is not required. */
export const loginItself = (login: string): Vouched => ({ login, through: [login], authentication: 'SQL' });
