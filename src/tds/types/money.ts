import { sqlError } from '../../base/messages/sql-error.ts';
import { type Body, byteLengthType } from './byte-length-type.ts';
import { type Decimal, isDecimal, rescale, storedDecimal } from './decimal.ts';
import { mismatch } from './mismatch.ts';
import type { SqlType } from './sql-type.ts';

const scale = 4;

function currency(
  name: 'money' | 'smallmoney',
  fixedByte: number,
  precision: number,
  body: Body<Decimal>,
): SqlType<Decimal> {
  const bits = body.size * 8;
  return byteLengthType(
    {
      name,
      declaration: name,
      maxLength: body.size,
      precision,
      scale,
      info: [0x6e, body.size],
      variantByte: fixedByte,
      hasFixedForm: true,
      check(value) {
        if (!isDecimal(value)) throw mismatch(value, name);
        const scaled = rescale(value, scale);
        if (BigInt.asIntN(bits, scaled.unscaled) !== scaled.unscaled) throw sqlError(8115, 'expression', name);
        return scaled;
      },
      ...storedDecimal(name, scale),
    },
    body,
  );
}

/** An amount with four decimals in 64 bits; the high half is sent first (MS-TDS 2.2.5.5.1.4). */
export const money = currency('money', 0x3c, 19, {
  size: 8,
  write(out, { unscaled }) {
    out.i32(Number(unscaled >> 32n));
    out.u32(Number(unscaled & 0xffffffffn));
  },
  read(bytes) {
    const high = BigInt(bytes.i32());
    return { unscaled: (high << 32n) | BigInt(bytes.u32()), scale };
  },
});

/** An amount with four decimals in 32 bits. */
export const smallmoney = currency('smallmoney', 0x7a, 10, {
  size: 4,
  write: (out, { unscaled }) => out.i32(Number(unscaled)),
  read: (bytes) => ({ unscaled: BigInt(bytes.i32()), scale }),
});
