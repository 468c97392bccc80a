import { ByteWriter } from '../../../src/tds/byte-writer.ts';
import {
  BulkLoadParser,
  decodeLogin7,
  decodePrelogin,
  decodeRpc,
  decodeSqlBatch,
  decodeTransactionRequest,
  writeBulkLoad,
  writeLogin7,
  writePrelogin,
  writeRpc,
  writeSqlBatch,
  writeTransactionRequest,
} from '../../../src/tds/message/index.ts';
import { MessageAssembler, PacketParser, packetize, packetTypes } from '../../../src/tds/packet/index.ts';
import { encodeSmp, SmpParser, smpFlags } from '../../../src/tds/smp/index.ts';
import {
  TokenParser,
  writeColMetadata,
  writeDone,
  writeEnvChange,
  writeReturnStatus,
  writeReturnValue,
  writeServerMessage,
} from '../../../src/tds/token/index.ts';
import { isPassedTable } from '../../../src/tds/types/table-value.ts';
import { type Dialect, dialectOf, modern, tdsVersions } from '../../../src/tds/version.ts';
import { mutated } from '../mutate.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';
import { anyValue, everyType } from './types.ts';

const dialects: readonly Dialect[] = Object.values(tdsVersions).map(dialectOf);

export function written(write: (out: ByteWriter) => void): Buffer {
  const out = new ByteWriter();
  write(out);
  return out.take();
}

/** The first byte of an input says which version of TDS the rest is read as. */
const dialectIn = (input: Buffer): Dialect => dialects[(input[0] ?? 0) % dialects.length] ?? modern;

/** A decoder of whole messages, and what makes good ones to spoil. */
function decoder(
  name: string,
  make: (random: Random, dialect: Dialect) => Buffer,
  run: (input: Buffer, dialect: Dialect) => void,
): Target {
  return {
    name,
    make(random) {
      const at = random.below(dialects.length);
      const good = random.chance(20) ? random.bytes(random.below(200)) : make(random, dialects[at] ?? modern);
      return Buffer.concat([Buffer.of(at), random.chance(30) ? good : mutated(random, good)]);
    },
    run: (input) => run(input.subarray(1), dialectIn(input)),
  };
}

const text = (random: Random): string =>
  random
    .some(12, () =>
      random.pick(['a', 'Ω', '\u{1f600}', '\ud83d', ' ', '@', '[', "'", '%', '\0', 'z'.repeat(random.below(60))]),
    )
    .join('');

const column = (random: Random) => ({ name: text(random).slice(0, 100), type: random.pick(everyType), nullable: true });

function bulk(random: Random, dialect: Dialect): Buffer {
  const columns = random.some(6, () => column(random));
  const rows = random.some(5, () => columns.map(({ type }) => anyValue(random, type)));
  return written((out) => writeBulkLoad(out, columns, rows, dialect));
}

/** A call with tables: their columns, what is said of these, and rows (MS-TDS 2.2.5.5.5). */
function callWithTables(random: Random, dialect: Dialect): Buffer {
  return written((out) => {
    writeRpc(out, [], dialect);
    out.usVarchar('sp_executesql');
    out.u16(0);
    for (let left = 1 + random.below(2); left > 0; left--) {
      out.bVarchar(random.chance(2) ? '' : '@t');
      for (const byte of [random.below(3), 0xf3, 0]) out.u8(byte);
      out.bVarchar(random.pick(['', 'dbo']));
      out.bVarchar('T');
      writeTable(out, random, dialect);
    }
  });
}

function writeTable(out: ByteWriter, random: Random, dialect: Dialect): void {
  const columns = [column(random), ...random.some(4, () => column(random))];
  const isDefault = columns.map(() => random.chance(6));
  out.u16(columns.length);
  for (const [at, { type, name }] of columns.entries()) {
    out.u32(0);
    out.u16(isDefault[at] ? 0x200 : 0);
    type.writeInfo(out, dialect);
    out.bVarchar(name);
  }
  if (random.chance(3)) {
    out.u8(0x11);
    for (const number of [columns.length, ...columns.map((_, at) => columns.length - at)]) out.u16(number);
  }
  out.u8(0);
  random.some(5, () => {
    out.u8(1);
    for (const [at, { type }] of columns.entries())
      if (!isDefault[at]) type.write(out, anyValue(random, type), dialect);
  });
  out.u8(0);
}

/** Reads everything in pieces whose sizes the input itself decides. */
function inPieces(input: Buffer, push: (piece: Buffer) => void): void {
  let size = 1 + ((input[0] ?? 0) % 64);
  for (let at = 0; at < input.length; at += size, size = 1 + ((input[at] ?? 7) % 512))
    push(input.subarray(at, at + size));
}

const messageTypes = [
  packetTypes.sqlBatch,
  packetTypes.rpc,
  packetTypes.attention,
  packetTypes.bulkLoad,
  packetTypes.transaction,
  packetTypes.login7,
  packetTypes.prelogin,
] as const;

/** Packets of many sessions over one connection ([MC-SMP]). */
const smpTarget: Target = {
  name: 'smp',
  make(random) {
    const good = Buffer.concat(
      random.some(6, () => {
        const flag = random.pick(Object.values(smpFlags));
        const header = { flag, sid: random.below(4), sequence: random.below(4), window: random.below(9) };
        return encodeSmp(header, flag === smpFlags.data ? random.bytes(random.below(300)) : undefined);
      }),
    );
    return random.chance(3) ? good : mutated(random, good);
  },
  run(input) {
    const parser = new SmpParser();
    inPieces(input, (piece) => {
      parser.push(piece);
      while (parser.next() !== undefined);
    });
  },
};

export const wireTargets: readonly Target[] = [
  smpTarget,
  decoder(
    'prelogin',
    (random) =>
      written((out) =>
        writePrelogin(out, {
          version: { major: random.below(256), minor: 0, build: random.below(65536), subBuild: 0 },
          encryption: 2,
          mars: random.chance(2),
          ...(random.chance(2) ? { instance: text(random) } : {}),
        }),
      ),
    (input) => void decodePrelogin(input),
  ),
  decoder(
    'login7',
    (random) =>
      written((out) =>
        writeLogin7(out, {
          userName: text(random).slice(0, 100),
          password: text(random).slice(0, 100),
          database: text(random).slice(0, 100),
          hostName: text(random).slice(0, 100),
          features: random.some(3, () => ({ id: random.below(256), data: random.bytes(random.below(20)) })),
        }),
      ),
    (input) => void decodeLogin7(input),
  ),
  decoder(
    'rpc',
    (random, dialect) =>
      written((out) =>
        writeRpc(
          out,
          [0, ...random.some(2, () => 0)].map(() => ({
            procedure: random.chance(2) ? random.below(20) : text(random).slice(0, 100),
            params: random.some(6, () => {
              const type = random.pick(everyType);
              return {
                name: random.chance(2) ? '' : `@${text(random).slice(0, 50)}`,
                type,
                value: anyValue(random, type),
                byRef: random.chance(4),
              };
            }),
          })),
          dialect,
        ),
      ),
    (input, dialect) => void decodeRpc(input, dialect),
  ),
  decoder('tables', callWithTables, (input, dialect) => {
    for (const { params } of decodeRpc(input, dialect).calls)
      for (const { value } of params) if (isPassedTable(value)) Array.from(value.read().rows);
  }),
  decoder(
    'batch',
    (random, dialect) => written((out) => writeSqlBatch(out, text(random), dialect)),
    (input, dialect) => void decodeSqlBatch(input, dialect),
  ),
  decoder(
    'transaction',
    (random, dialect) => {
      const thenBegin = { isolation: 'read committed', name: text(random).slice(0, 30) } as const;
      return written((out) =>
        random.chance(2)
          ? writeTransactionRequest(out, { kind: 'begin', ...thenBegin }, dialect)
          : writeTransactionRequest(
              out,
              { kind: random.pick(['commit', 'rollback'] as const), name: text(random).slice(0, 30), thenBegin },
              dialect,
            ),
      );
    },
    (input, dialect) => void decodeTransactionRequest(input, dialect),
  ),
  decoder('bulk', bulk, (input, dialect) => {
    const parser = new BulkLoadParser(dialect);
    const drain = () => {
      do parser.nextRaw();
      while (parser.next() !== undefined);
    };
    inPieces(input, (piece) => {
      parser.push(piece);
      drain();
    });
    parser.end();
    drain();
  }),
  decoder(
    'tokens',
    (random, dialect) =>
      written((out) => {
        for (const write of random.some(6, () => random.pick(tokenWriters))) write(out, random, dialect);
      }),
    (input, dialect) => {
      const parser = new TokenParser(dialect);
      inPieces(input, (piece) => {
        parser.push(piece);
        while (parser.next() !== undefined);
      });
      parser.end();
      while (parser.next() !== undefined);
    },
  ),
  decoder(
    'packets',
    (random) =>
      Buffer.concat(
        random.some(5, () =>
          packetize(random.bytes(random.below(600)), {
            type: random.pick(messageTypes),
            packetSize: random.pick([512, 4096]),
          }),
        ),
      ),
    (input) => {
      const parser = new PacketParser();
      const assembler = new MessageAssembler(100_000);
      inPieces(input, (piece) => {
        parser.push(piece);
        for (let packet = parser.next(); packet !== undefined; packet = parser.next()) assembler.add(packet);
      });
    },
  ),
];

const tokenWriters: readonly ((out: ByteWriter, random: Random, dialect: Dialect) => void)[] = [
  (out, random, dialect) =>
    writeColMetadata(
      out,
      random.some(5, () => column(random)),
      dialect,
    ),
  (out, random, dialect) =>
    writeDone(out, random.pick(['done', 'doneProc', 'doneInProc'] as const), { count: random.below(1000) }, dialect),
  (out, random) => writeReturnStatus(out, random.below(1000)),
  (out, random, dialect) => {
    const type = random.pick(everyType);
    writeReturnValue(
      out,
      { ordinal: random.below(10), name: text(random).slice(0, 60), type, value: anyValue(random, type) },
      dialect,
    );
  },
  (out, random) => writeEnvChange(out, { kind: 'database', now: text(random).slice(0, 60), before: '' }),
  (out, random, dialect) =>
    writeServerMessage(
      out,
      { number: 1, state: 1, severity: random.below(20), text: text(random), server: '', procedure: '', line: 1 },
      dialect,
    ),
];
