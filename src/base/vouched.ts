/** How somebody proved who it is. */
export type AuthenticationScheme = 'SQL' | 'KERBEROS' | 'NTLM';

/** Somebody who has been let in: who it is, whose roles it has, and how that was proven. */
export interface Vouched {
  readonly login: string;
  /** The logins whose roles it has: its own, or those of the Windows user and groups that it came in through. */
  readonly through: readonly string[];
  readonly authentication: AuthenticationScheme;
}

/** A login by itself, whose password was right or is not asked for. */
export const loginItself = (login: string): Vouched => ({ login, through: [login], authentication: 'SQL' });
