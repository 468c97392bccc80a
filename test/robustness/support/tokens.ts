import type { Token } from '../../../src/tds/token/index.ts';

type Narrowed<T extends Token, Name> = T extends Token
  ? Name extends T['token']
    ? T & { token: Name }
    : never
  : never;
type Of<Name extends Token['token']> = Narrowed<Token, Name>;

/** The tokens of one kind. */
export const only = <Name extends Token['token']>(tokens: readonly Token[], name: Name): Of<Name>[] =>
  tokens.filter((token): token is Of<Name> => token.token === name);

/** The rows of all result sets. */
export const rows = (tokens: readonly Token[]): (readonly unknown[])[] =>
  only(tokens, 'row').map(({ values }) => values);

/** The numbers of the errors. */
export const errors = (tokens: readonly Token[]): number[] => only(tokens, 'error').map(({ number }) => number);

/** The last token, which ends every answer, as `done 2` (its status in hexadecimal). */
export function ending(tokens: readonly Token[]): string {
  const last = tokens.at(-1);
  return last && 'status' in last ? `${last.token} ${last.status.toString(16)}` : String(last?.token);
}

/** The changes that the client was told of. */
export const changes = (tokens: readonly Token[]): string[] =>
  only(tokens, 'envChange').flatMap(({ change }) => change?.kind ?? []);
