import { sqlError } from '../base/messages/sql-error.ts';
import { familyOf } from '../tds/convert/families.ts';
import type { TypedValue } from '../tds/types/sql-type.ts';

const specification = /%(?:%|([-+0# ]*)(\*|[1-9]\d*)?(?:\.(\*|\d+))?(?:h|l|I64)?([diosuxX]))/g;
const longest = 2047;

/** Fills the %d, %s, %x of a message as RAISERROR and FORMATMESSAGE do; 2786 and 2787 for what does not fit. */
export function fillMessage(given: string, args: readonly TypedValue[]): string {
  const text = given.length > longest ? `${given.slice(0, longest - 3)}...` : given;
  let next = 0;
  const take = (): TypedValue | undefined => args[next++];
  const filled = text.replace(
    specification,
    (whole, flags: string = '', width?: string, precision?: string, kind?: string) => {
      if (kind === undefined) return '%';
      const size = (digits: string) => Math.min(longest, digits === '*' ? Number(take()?.value ?? 0) : Number(digits));
      const room = width === undefined ? 0 : size(width);
      const most = precision === undefined ? undefined : size(precision);
      const arg = take();
      const shown = kind === 's' ? asString(arg, most, next) : asNumber(arg, flags, most, kind, next);
      return pad(shown, flags, room, whole);
    },
  );
  const stray = /%(?![%])[^\s%]*/.exec(text.replace(specification, ''));
  if (stray !== null) throw sqlError(2787, stray[0]);
  return filled.length > longest ? `${filled.slice(0, longest - 3)}...` : filled;
}

function asString(arg: TypedValue | undefined, most: number | undefined, place: number): string {
  if (arg === undefined || arg.value === null) return '(null)';
  if (familyOf(arg.type.name) !== 'text') throw sqlError(2786, place);
  return most === undefined ? String(arg.value) : String(arg.value).slice(0, most);
}

function asNumber(
  arg: TypedValue | undefined,
  flags: string,
  digits: number | undefined,
  kind: string,
  place: number,
): string {
  if (arg === undefined || arg.value === null) return '(null)';
  if (familyOf(arg.type.name) !== 'integer') throw sqlError(2786, place);
  const value = BigInt(arg.value as bigint | number);
  const bits = arg.type.name === 'bigint' ? 64 : 32;
  const signed = kind === 'd' || kind === 'i';
  const base = kind === 'o' ? 8 : kind.toLowerCase() === 'x' ? 16 : 10;
  const magnitude = signed ? (value < 0n ? -value : value) : BigInt.asUintN(bits, value);
  const plain = magnitude.toString(base).padStart(digits ?? 0, '0');
  const prefix = flags.includes('#') && base === 16 ? '0x' : '';
  const sign =
    signed && value < 0n ? '-' : signed && flags.includes('+') ? '+' : signed && flags.includes(' ') ? ' ' : '';
  return `${sign}${prefix}${kind === 'X' ? plain.toUpperCase() : plain}`;
}

function pad(shown: string, flags: string, room: number, whole: string): string {
  if (shown.length >= room) return shown;
  if (flags.includes('-')) return shown.padEnd(room);
  return flags.includes('0') && !whole.endsWith('s')
    ? shown.replace(/^([+-]?)/, `$1${'0'.repeat(room - shown.length)}`)
    : shown.padStart(room);
}
