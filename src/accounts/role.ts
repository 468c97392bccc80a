/** What a login may do in a database, weakest first: each role includes the ones before it. */
export const roles = ['reader', 'writer', 'admin'] as const;

/** reader: procedures that only read, and SELECT; writer: every procedure; admin: databases and logins too. */
export type Role = (typeof roles)[number];

/** Whether a word is the name of a role. */
export function isRole(word: string): word is Role {
  return (roles as readonly string[]).includes(word);
}

/** Whether a role includes the rights of another one. */
export function includesRole(held: Role, wanted: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(wanted);
}

/** The stronger of two roles, either of which may be missing. */
export function strongerRole(a: Role | undefined, b: Role | undefined): Role | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return includesRole(a, b) ? a : b;
}
