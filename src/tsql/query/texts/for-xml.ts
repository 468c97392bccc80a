import { sqlError } from '../../../base/messages/sql-error.ts';
import type { Steps } from '../../../base/threads/steps.ts';
import type { ForXml } from '../../../syntax/ast/query.ts';
import { shownValue, unwrapped } from '../../../values/shown-value.ts';
import type { PlanColumn } from '../plan.ts';
import { firstNewLevel, levelsOf } from './nesting.ts';
import { TextPieces } from './text-pieces.ts';
import { element, escapedAttribute, escapedText, isElement, writeElement, type XmlNode, xmlName } from './xml-node.ts';
import { pathFiller } from './xml-path.ts';

const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';

/** Accumulates rows into one text. */
export interface RowWriter {
  take(row: readonly unknown[]): void;
  /** Undefined if there was no row; in steps, since there may have been many. */
  result(): Steps<string | undefined>;
}

/** FOR XML: RAW has an element per row, AUTO one per table, PATH uses the names of columns. */
export function xmlWriter(wish: ForXml, columns: readonly PlanColumn[]): RowWriter {
  const take = takers[wish.mode](wish, columns);
  const top = element(wish.root ?? '');
  let count = 0;
  return {
    take(row) {
      count++;
      take(row, top);
    },
    *result() {
      if (count === 0) return undefined;
      if (wish.showsNull) {
        for (const node of wish.root === undefined ? top.children : [top]) if (isElement(node)) declareNil(node);
      }
      const out = new TextPieces();
      for (const node of wish.root === undefined ? top.children : [top]) yield* writeElement(node, out);
      return out.end();
    },
  };
}

/** The namespace precedes the other attributes of the outermost elements. */
function declareNil(node: XmlNode): void {
  const others = [...node.attributes];
  node.attributes.clear();
  node.attributes.set('xmlns:xsi', schemaInstance);
  for (const [name, value] of others) node.attributes.set(name, value);
}

type Taker = (row: readonly unknown[], top: XmlNode) => void;

const takers: Readonly<Record<ForXml['mode'], (wish: ForXml, columns: readonly PlanColumn[]) => Taker>> = {
  raw(wish, columns) {
    const fill = filler(wish, columns);
    const all = columns.map((_, at) => at);
    return (row, top) => {
      const node = element(xmlName(wish.row));
      fill(node, all, row);
      append(top, node, wish.row);
    };
  },
  auto(wish, columns) {
    const levels = levelsOf(columns);
    if (levels.length === 0) throw sqlError(6800);
    const firstNew = firstNewLevel(levels, columns);
    const fill = filler(wish, columns);
    const open: XmlNode[] = [];
    return (row, top) => {
      for (let at = firstNew(row); at < levels.length; at++) {
        const level = levels[at];
        if (level === undefined) break;
        const node = element(xmlName(level.label));
        fill(node, level.columns, row);
        (open[at - 1] ?? top).children.push(node);
        open[at] = node;
      }
    };
  },
  path(wish, columns) {
    const fill = pathFiller(columns, wish.showsNull, wish.row !== '');
    return (row, top) => {
      const node = element(xmlName(wish.row));
      fill(node, row);
      append(top, node, wish.row);
    };
  },
};

/** An element without a name passes its content to its parent. */
function append(top: XmlNode, node: XmlNode, name: string): void {
  if (name === '') top.children.push(...node.children);
  else top.children.push(node);
}

/** Writes columns to an element: as attributes, or as child elements. */
function filler({ elements, showsNull }: ForXml, columns: readonly PlanColumn[]) {
  const names = columns.map(({ name }) => {
    if (name === '') throw sqlError(6809);
    return xmlName(name);
  });
  return (node: XmlNode, places: readonly number[], row: readonly unknown[]): void => {
    for (const at of places) {
      const column = columns[at];
      const name = names[at];
      if (column === undefined || name === undefined) continue;
      const { type, value } = unwrapped(row[at] ?? null, column.type);
      if (elements || (type.name === 'xml' && value !== null)) {
        if (value === null && !showsNull) continue;
        const child = element(name);
        if (value === null) child.attributes.set('xsi:nil', 'true');
        else child.children.push(type.name === 'xml' ? String(value) : escapedText(shownValue(value, type), name));
        node.children.push(child);
      } else if (value !== null) {
        if (node.attributes.has(name)) throw sqlError(6810, column.name);
        node.attributes.set(name, escapedAttribute(shownValue(value, type), name));
      }
    }
  };
}
