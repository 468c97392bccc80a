/** Letters that the collation treats as two, in both cases. */
const expansions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', þ: 'th', Þ: 'TH', ĳ: 'ij', Ĳ: 'IJ' },
    ...{ ǆ: 'dž', ǅ: 'Dž', Ǆ: 'DŽ', ǉ: 'lj', ǈ: 'Lj', Ǉ: 'LJ', ǌ: 'nj', ǋ: 'Nj', Ǌ: 'NJ', ǳ: 'dz', ǲ: 'Dz', Ǳ: 'DZ' },
    ...{ ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' },
  }),
);
const expanding = new RegExp(`[${[...expansions.keys()].join('')}]`, 'gu');
/**
 * Characters that the collation ignores: controls that are not blanks, soft hyphens, joiners, and marks of direction,
 * variant and byte order.
 */
const ignored =
  /(?![\t\n\v\f\r\x85])\p{Cc}|\u00ad|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u2064]|\p{Variation_Selector}|\ufeff/gu;
/**
 * A letter with its accents; longer sequences than anybody writes are processed in parts, because they would be sorted.
 */
const marked = /\P{M}?\p{M}{1,30}/gu;

const kinds = { ignored: 1, expanding: 2, mark: 4 } as const;
let kindOf: Uint8Array | undefined;

/** The kind of each UTF-16 code unit, created when the first text needs it. */
function table(): Uint8Array {
  if (kindOf !== undefined) return kindOf;
  kindOf = new Uint8Array(0x1_0000);
  const all = Array.from(kindOf, (_, unit) => String.fromCharCode(unit)).join('');
  const note = (pattern: RegExp, kind: number): void => {
    for (const { index } of all.matchAll(pattern)) if (kindOf !== undefined) kindOf[index] = kind;
  };
  note(ignored, kinds.ignored);
  note(expanding, kinds.expanding);
  note(/\p{M}/gu, kinds.mark);
  return kindOf;
}

/** The kinds of characters in a text. A hand-written loop, since most texts contain none of the special ones. */
function kindsIn(text: string): number {
  let at = 0;
  while (at < text.length && isPlain(text.charCodeAt(at))) at++;
  if (at === text.length) return 0;
  const of = table();
  let found = 0;
  for (; at < text.length; at++) found |= of[text.charCodeAt(at)] ?? 0;
  return found;
}

const isPlain = (unit: number): boolean => unit >= 0x20 && unit < 0x7f;

/**
 * Normalizes text as the collation reads it, whatever the case: letters that stand for two become two, letters and
 * their accents one character, and ignored characters are dropped. Idempotent.
 */
export function spelledOut(text: string): string {
  const found = kindsIn(text);
  if (found === 0) return text;
  const counted = found & kinds.ignored ? text.replace(ignored, '') : text;
  const spelled = found & kinds.expanding ? counted.replace(expanding, (one) => expansions.get(one) ?? one) : counted;
  return found & kinds.mark ? spelled.replace(marked, (one) => one.normalize('NFC')) : spelled;
}
