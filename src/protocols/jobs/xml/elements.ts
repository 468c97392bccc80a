import { SaxesParser } from 'saxes';

/** An element of a validated document: its local name and its attributes. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Reads the elements of a validated document in order. saxes is several times faster here than accessing libxml2's tree
 * from outside.
 */
export function readElements(document: string, visit: (element: Element) => void): void {
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    visit({ name: name.slice(name.indexOf(':') + 1), attributes });
  });
  parser.write(document).close();
}

/** The value of an attribute that the schema requires. */
export function required({ name, attributes }: Element, attribute: string): string {
  const value = attributes[attribute];
  if (value === undefined) throw new Error(`The schema let ${name} pass without ${attribute}.`);
  return value;
}
