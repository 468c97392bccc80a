/** Each connection keeps the plans of its prepared statements, so texts that are made up as they come must not pile up. */
const most = 2000;

const names = new Map<string, string>();

/** The name under which a text is prepared on every connection; undefined when there are too many texts already. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= most) return known;
  const name = `granary_${names.size + 1}`;
  names.set(text, name);
  return name;
}
