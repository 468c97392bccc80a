/** The maximum length, in characters or bytes, of a value produced by an expression: 64 MB as nvarchar. */
export const mostCharacters = 2 ** 25;
