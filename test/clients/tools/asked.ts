/** What an answer must be, besides having its columns: so many rows, or a row with these values among others. */
type Expected = number | Readonly<Record<string, unknown>>;

/** A statement, the columns that the tool reads of its last result set, and what their rows must be. */
export type Asked = readonly [statement: string, columns: string, expected?: Expected];

/** What a tool sends when it meets a server, written for these tests from what its public source shows. */
export interface Tool {
  readonly name: string;
  readonly asks: readonly Asked[];
}
