/** The classes of UNO types, as URP numbers them. */
export const typeClass = {
  void: 0,
  boolean: 2,
  short: 4,
  long: 6,
  string: 12,
  type: 13,
  any: 14,
  struct: 17,
  exception: 19,
  sequence: 20,
  interface: 22,
} as const;

/** Types up to `any` are named by their class alone. */
export const isSimple = (kind: number): boolean => kind <= typeClass.any;

/** Set if a type is followed by its name. */
export const newTypeFlag = 0x80;
/** The cache index that means none. */
export const notCached = 0xffff;

/** The interfaces that the bridge itself needs. */
export const xInterface = 'com.sun.star.uno.XInterface';
export const protocolProperties = 'com.sun.star.bridge.XProtocolProperties';
