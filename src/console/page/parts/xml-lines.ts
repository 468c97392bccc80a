/** A line of a document: its depth and its text. */
interface XmlLine {
  readonly depth: number;
  readonly text: string;
}

const pieces = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|<[^<>]*>|[^<]+|</g;
const isTag = (piece: string): boolean => piece.startsWith('<') && piece.endsWith('>') && piece.length > 1;
const closes = (piece: string): boolean => piece.startsWith('</');
const opens = (piece: string): boolean =>
  isTag(piece) && !closes(piece) && !piece.endsWith('/>') && !/^<[!?]/.test(piece);

/**
 * A document for display, one line per element; an element with text alone stays on its line. Text that is not XML is
 * unchanged: nothing is parsed here, and nothing can fail.
 */
export function xmlLines(text: string): XmlLine[] {
  const found = (text.match(pieces) ?? []).filter((piece) => piece.trim() !== '');
  const lines: XmlLine[] = [];
  let depth = 0;
  for (let at = 0; at < found.length; at++) {
    const piece = found[at] ?? '';
    const [next = '', last = ''] = found.slice(at + 1, at + 3);
    if (opens(piece) && closes(next)) {
      lines.push({ depth, text: piece + next });
      at += 1;
    } else if (opens(piece) && !isTag(next) && closes(last)) {
      lines.push({ depth, text: piece + next + last });
      at += 2;
    } else {
      if (closes(piece)) depth = Math.max(0, depth - 1);
      for (const line of piece.split('\n')) if (line.trim() !== '') lines.push({ depth, text: line.trim() });
      if (opens(piece)) depth++;
    }
  }
  return lines;
}

/** A line of two documents: in both, only in the first, or only in the second. */
interface ComparedLine extends XmlLine {
  readonly where: 'both' | 'before' | 'after';
}

/** The maximum number of pairs of lines that are compared: more would take a browser too long. */
const mostPairs = 4_000_000;

/** Two documents compared line by line; undefined if they are too large. */
export function compareXml(before: string, after: string): ComparedLine[] | undefined {
  const [one, other] = [xmlLines(before), xmlLines(after)];
  let start = 0;
  while (start < one.length && start < other.length && same(one[start], other[start])) start++;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    same(one[one.length - 1 - end], other[other.length - 1 - end])
  )
    end++;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length * right.length > mostPairs) return undefined;
  const both = (line: XmlLine): ComparedLine => ({ ...line, where: 'both' });
  return [...one.slice(0, start).map(both), ...changes(left, right), ...one.slice(one.length - end).map(both)];
}

const same = (one: XmlLine | undefined, other: XmlLine | undefined): boolean => one?.text === other?.text;

/** The longest common lines stay, lines around them were removed or added. */
function changes(left: readonly XmlLine[], right: readonly XmlLine[]): ComparedLine[] {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const down = lengths[(i + 1) * width + j] ?? 0;
      const across = lengths[i * width + j + 1] ?? 0;
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      lengths[i * width + j] = same(left[i], right[j]) ? both : Math.max(down, across);
    }
  }
  const lines: ComparedLine[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [mine, theirs] = [left[i], right[j]];
    if (mine !== undefined && theirs !== undefined && same(mine, theirs)) {
      lines.push({ ...theirs, where: 'both' });
      i++;
      j++;
    } else if (
      mine !== undefined &&
      (theirs === undefined || (lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push({ ...mine, where: 'before' });
      i++;
    } else if (theirs !== undefined) {
      lines.push({ ...theirs, where: 'after' });
      j++;
    }
  }
  return lines;
}
