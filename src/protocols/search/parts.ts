/** Cuts many values into parts, so that no statement is long. */
export function parts<T>(values: readonly T[], size: number): (readonly T[])[] {
  const cut: (readonly T[])[] = [];
  for (let at = 0; at < values.length; at += size) cut.push(values.slice(at, at + size));
  return cut;
}
