import { byName } from '../../../base/by-name.ts';
import { sqlError } from '../../../base/messages/sql-error.ts';
import { shownValue, unwrapped } from '../../../values/shown-value.ts';
import type { PlanColumn } from '../plan.ts';
import { element, escapedAttribute, escapedText, type XmlNode } from './xml-node.ts';

type Content = 'element' | 'attribute' | 'text' | 'data' | 'comment' | 'instruction';

/** The place of a column in FOR XML PATH: the elements around it, and its form inside of them. */
interface PathPlace {
  readonly around: readonly string[];
  readonly content: Content;
  /** The name of an attribute or instruction. */
  readonly name: string;
}

const nodeTests: Readonly<Record<string, Content>> = byName({
  '': 'text',
  '*': 'text',
  'node()': 'text',
  'text()': 'text',
  'data()': 'data',
  'comment()': 'comment',
});

function placeOf({ name }: PlanColumn): PathPlace {
  const steps = name === '' ? [''] : name.split('/');
  const last = steps.pop() ?? '';
  for (const step of steps) refuseName(step, name);
  if (last.startsWith('@')) {
    refuseName(last.slice(1), name);
    return { around: steps, content: 'attribute', name: last.slice(1) };
  }
  const instruction = /^processing-instruction\((.*)\)$/.exec(last)?.[1];
  if (instruction !== undefined) return { around: steps, content: 'instruction', name: instruction };
  const content = nodeTests[last];
  if (content !== undefined) return { around: steps, content, name: '' };
  refuseName(last, name);
  return { around: [...steps, last], content: 'element', name: last };
}

function refuseName(step: string, name: string): void {
  const wrong = /^[^\p{L}_]|[^\p{L}\p{N}\p{M}_.:-]/u.exec(step)?.[0] ?? (step === '' ? '/' : undefined);
  if (wrong === undefined) return;
  const code = (wrong.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw sqlError(6850, 'Column', name, wrong, code);
}

/** Adds the columns of a row to an element, by their names as paths. */
export function pathFiller(columns: readonly PlanColumn[], showsNull: boolean, hasRow: boolean) {
  const places = columns.map(placeOf);
  if (!hasRow && places.some(({ around, content }) => content === 'attribute' && around.length === 0))
    throw sqlError(6864);
  return (row: XmlNode, values: readonly unknown[]): void => {
    let open: { readonly name: string; node: XmlNode | undefined }[] = [];
    let lastWas: Content | undefined;
    places.forEach((place, at) => {
      const column = columns[at];
      if (column === undefined) return;
      const shared = open.findIndex(({ name }, depth) => name !== place.around[depth]);
      open = open.slice(0, shared < 0 ? place.around.length : shared);
      for (const name of place.around.slice(open.length)) open.push({ name, node: undefined });
      const { type, value } = unwrapped(values[at] ?? null, column.type);
      if (value === null && !(showsNull && place.content === 'element')) return;
      let parent = row;
      for (const step of open) {
        if (step.node === undefined) {
          step.node = element(step.name);
          parent.children.push(step.node);
        }
        parent = step.node;
      }
      if (value === null) parent.attributes.set('xsi:nil', 'true');
      else put(place, shownValue(value, type), type.name === 'xml', parent, column.name, lastWas === 'data');
      lastWas = place.content;
    });
  };
}

function put(place: PathPlace, text: string, isXml: boolean, parent: XmlNode, name: string, afterData: boolean): void {
  switch (place.content) {
    case 'attribute':
      if (parent.children.length > 0) throw sqlError(6852, name);
      parent.attributes.set(place.name, escapedAttribute(text, name));
      return;
    case 'comment':
      parent.children.push(`<!--${text}-->`);
      return;
    case 'instruction':
      parent.children.push(`<?${place.name} ${text}?>`);
      return;
    case 'data':
      parent.children.push(escapedText(`${afterData ? ' ' : ''}${text}`, name));
      return;
    default:
      parent.children.push(isXml ? text : escapedText(text, name));
  }
}
