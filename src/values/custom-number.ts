import { type Digits, parts, rounded } from './number-format.ts';

/** A piece of a custom format: a digit place, the point, a multiplying sign, or literal text. */
type Piece =
  | { readonly kind: 'digit'; readonly forced: boolean }
  | { readonly kind: 'point' | 'comma' }
  | { readonly kind: 'text'; readonly text: string; readonly power?: number };

/** Reads one section of a custom format; undefined for an exponent, which is not offered. */
function piecesOf(section: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  const piece = /\\(.)|'([^']*)'?|"([^"]*)"?|([0#])|(\.)|(,)|([%‰])|([Ee][+-]?0)|(.)/gsu;
  for (const [whole, escaped, single, double, digit, point, comma, percent, exponent] of section.matchAll(piece)) {
    if (exponent !== undefined) return undefined;
    if (digit !== undefined) pieces.push({ kind: 'digit', forced: digit === '0' });
    else if (point !== undefined) pieces.push({ kind: 'point' });
    else if (comma !== undefined) pieces.push({ kind: 'comma' });
    else if (percent !== undefined) pieces.push({ kind: 'text', text: percent, power: percent === '%' ? 2 : 3 });
    else pieces.push({ kind: 'text', text: escaped ?? single ?? double ?? whole });
  }
  return pieces;
}

/** The sections of a format: for what is positive, negative, zero. */
const sectionsOf = (format: string): string[] => {
  const sections = [''];
  for (const [token] of format.matchAll(/\\.|'[^']*'?|"[^"]*"?|;|[^;]/gsu)) {
    if (token === ';') sections.push('');
    else sections[sections.length - 1] += token;
  }
  return sections;
};

/** A section with its effect on the number as a whole. */
interface Layout {
  readonly pieces: readonly Piece[];
  readonly pointAt: number;
  readonly places: number;
  readonly groups: boolean;
  readonly power: number;
}

function layoutOf(section: string): Layout | undefined {
  const pieces = piecesOf(section);
  if (pieces === undefined) return undefined;
  const point = pieces.findIndex(({ kind }) => kind === 'point');
  const pointAt = point < 0 ? pieces.length : point;
  const digitAt = pieces.flatMap(({ kind }, at) => (kind === 'digit' && at < pointAt ? [at] : []));
  const last = digitAt.at(-1) ?? -1;
  const first = digitAt[0] ?? pointAt;
  const commas = pieces.flatMap(({ kind }, at) => (kind === 'comma' && at < pointAt ? [at] : []));
  const power = pieces.reduce((sum, each) => sum + (each.kind === 'text' ? (each.power ?? 0) : 0), 0);
  return {
    pieces,
    pointAt,
    places: pieces.filter(({ kind }, at) => kind === 'digit' && at > pointAt).length,
    // A comma between digits asks for groups, one right before the point divides by a thousand.
    groups: commas.some((at) => at > first && at < last),
    power: power - 3 * commas.filter((at) => at > last && last >= 0).length,
  };
}

/** Moves the point. */
const shifted = ({ negative, digits, scale }: Digits, power: number): Digits =>
  scale >= power
    ? { negative, digits, scale: scale - power }
    : { negative, digits: digits * 10n ** BigInt(power - scale), scale: 0 };

/** A custom format of .NET in the culture en-US, such as `#,##0.00;(0)`; undefined for one with an exponent. */
export function customNumber(number: Digits, format: string): string | undefined {
  const sections = sectionsOf(format);
  const [positive = '', negative = '', zero] = sections;
  const hasNegative = sections.length > 1 && negative !== '';
  const wanted = number.negative && number.digits !== 0n && hasNegative ? negative : positive;
  const layout = layoutOf(wanted);
  if (layout === undefined) return undefined;
  const value = rounded(shifted(number, layout.power), layout.places);
  if (value.digits === 0n && wanted !== (zero ?? positive)) {
    // What rounds to nothing is zero, whatever it was.
    const nothing = zero === undefined || zero === '' ? positive : zero;
    const other = layoutOf(nothing);
    return other === undefined ? undefined : filled(rounded(shifted(number, other.power), other.places), other);
  }
  const sign = number.negative && !hasNegative && value.digits !== 0n ? '-' : '';
  return `${sign}${filled(value, layout)}`;
}

function filled(value: Digits, { pieces, pointAt, places, groups }: Layout): string {
  const { whole, fraction } = parts(value);
  const holders = pieces.filter(({ kind }, at) => kind === 'digit' && at < pointAt).length;
  const digits = (whole === '0' ? '' : whole).padStart(holders, ' ');
  const kept = keptDecimals(pieces, pointAt, fraction);
  let at = 0;
  let behind = 0;
  let begun = false;
  let text = '';
  const put = (character: string, left: number): void => {
    text += character;
    if (groups && left > 0 && left % 3 === 0) text += ',';
  };
  pieces.forEach((piece, index) => {
    if (piece.kind === 'text') text += piece.text;
    else if (piece.kind === 'point' && index === pointAt) text += places > 0 && kept > 0 ? '.' : '';
    else if (piece.kind === 'digit' && index > pointAt) {
      if (behind++ < kept) text += fraction[behind - 1] ?? '0';
    } else if (piece.kind === 'digit') {
      // The first place takes all the digits that there are no places for.
      const count = begun || at > 0 ? 1 : digits.length - holders + 1;
      for (let more = 0; more < count; more++, at++) {
        const digit = digits[at] ?? ' ';
        begun ||= digit !== ' ' || piece.forced;
        if (begun) put(digit === ' ' ? '0' : digit, digits.length - at - 1);
      }
    }
  });
  return text;
}

/** The number of decimals shown: trailing zeros only where the format has a 0. */
function keptDecimals(pieces: readonly Piece[], pointAt: number, fraction: string): number {
  const places = pieces.flatMap((piece, at) => (piece.kind === 'digit' && at > pointAt ? [piece] : []));
  const forced = places.findLastIndex((place) => place.kind === 'digit' && place.forced) + 1;
  return Math.max(forced, fraction.replace(/0+$/, '').length);
}
