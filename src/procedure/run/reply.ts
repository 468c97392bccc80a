/** The rows of a result set, as a handler returns them. */
export type Rows = Iterable<Record<string, unknown>> | AsyncIterable<Record<string, unknown>>;

/** What the handler of any procedure returns; each declaration types its own. */
export interface AnyReply {
  readonly outcome: string;
  readonly returns?: number;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly sets?: Readonly<Record<string, Rows>>;
}

/** The same reply with all of its rows in memory, so that its transaction can end before they are sent. */
export function buffered(reply: AnyReply): AnyReply | Promise<AnyReply> {
  return reply.sets === undefined ? reply : bufferedSets(reply, reply.sets);
}

async function bufferedSets(reply: AnyReply, given: Readonly<Record<string, Rows>>): Promise<AnyReply> {
  const sets: Record<string, Rows> = {};
  for (const [name, rows] of Object.entries(given))
    sets[name] = Array.isArray(rows) ? rows : await Array.fromAsync(rows);
  return { ...reply, sets };
}
