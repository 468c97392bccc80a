/** The versions of TDS that Granary speaks, as LOGIN7 numbers them; compare them as numbers. */
export const tdsVersions = {
  '7.0': 0x70000000,
  '7.1': 0x71000001,
  '7.2': 0x72090002,
  '7.3A': 0x730a0003,
  '7.3B': 0x730b0003,
  '7.4': 0x74000004,
  '8.0': 0x08000000,
} as const;

/** The protocol features that a session and its client agreed on, as far as the encoding depends on them. */
export interface Dialect {
  /** Collations after character types; without it a client speaks 7.0. */
  readonly atLeast71: boolean;
  /** The wide forms of 7.2: 32-bit user types, 64-bit counts, PLP values, xml. */
  readonly atLeast72: boolean;
  /** The types date, time, datetime2, datetimeoffset. */
  readonly atLeast73: boolean;
  /** NBCROW and feature extensions. */
  readonly atLeast74: boolean;
}

/** The dialect of a LOGIN7 version number. */
export function dialectOf(version: number): Dialect {
  const major = version === tdsVersions['8.0'] ? 0x74 : version >>> 24;
  return { atLeast71: major >= 0x71, atLeast72: major >= 0x72, atLeast73: major >= 0x73, atLeast74: major >= 0x74 };
}

/** The dialect of current drivers. */
export const modern: Dialect = { atLeast71: true, atLeast72: true, atLeast73: true, atLeast74: true };
