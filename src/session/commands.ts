import type { Command } from '../tsql/statement-sink.ts';

/** CurCmd of a DONE token for each kind of statement (MS-TDS 2.2.7.6 leaves the numbers to the server). */
export const commandCodes: Readonly<Record<Command, number>> = {
  select: 0xc1,
  insert: 0xc3,
  delete: 0xc4,
  update: 0xc5,
  merge: 0x117,
  execute: 0xe0,
  set: 0xbe,
  declare: 0xc0,
  'begin transaction': 0xd4,
  'commit transaction': 0xd5,
  'rollback transaction': 0xd2,
  'save transaction': 0xd6,
  'create table': 0xc6,
  'drop table': 0xc7,
  'truncate table': 0xfa,
  'create procedure': 0xde,
  'drop procedure': 0xdf,
  use: 0xe2,
  print: 0xfe,
  raiserror: 0xfd,
  waitfor: 0xfc,
  'insert bulk': 0xf0,
  other: 0xfd,
};
