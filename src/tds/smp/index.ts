export * from './header.ts';
export { type SmpPacket, SmpParser } from './parser.ts';
