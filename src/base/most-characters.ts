/** The most characters or bytes that a value made by an expression may have: 64 MB as nvarchar. */
export const mostCharacters = 2 ** 25;
