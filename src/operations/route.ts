/** What a route answers. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** What one path of the listener does; `open` ones answer everybody who reaches the port. */
export interface Route {
  readonly path: string;
  /** Open to who reaches the port, or only to who holds the token that lies in the data folder. */
  readonly access: 'open' | 'operator';
  answer(): Answer | Promise<Answer>;
}

/** An answer in JSON. */
export const json = (status: number, value: unknown): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value, undefined, 2)}\n`,
});
