import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What no crawl may reach by itself: this machine, local networks, and ranges that are nobody's on the Internet. */
const v4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Of IPv6 only global unicast is public, less Teredo and the ranges for documents and tests. */
const v6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
];

const blocked = new BlockList();
for (const [net, prefix] of v4) blocked.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of v6) blocked.addSubnet(net, prefix, 'ipv6');

const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');

/** True for an address that is not on the public Internet, also where IPv6 only wraps it. */
export function isPrivate(address: string): boolean {
  if (isIPv4(address)) return blocked.check(address, 'ipv4');
  if (!isIPv6(address)) return true;
  const [bare = ''] = address.split('%');
  const words = wordsOf(bare);
  const wrapped = wrappedV4(words);
  if (wrapped !== undefined) return isPrivate(wrapped);
  return !publicV6.check(bare, 'ipv6') || blocked.check(bare, 'ipv6');
}

/** The eight words of an IPv6 address. */
function wordsOf(address: string): number[] {
  // The parser of URLs writes any spelling in hexadecimal words.
  const written = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = written.split('::');
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)));
  const [before, after] = [parse(head), parse(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The IPv4 address in one that is mapped (::ffff:0:0/96), translated (64:ff9b::/96) or 6to4 (2002::/16). */
function wrappedV4(words: readonly number[]): string | undefined {
  const isZero = (from: number, to: number) => words.slice(from, to).every((word) => word === 0);
  const dotted = (high = 0, low = 0) => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  if (isZero(0, 5) && words[5] === 0xffff) return dotted(words[6], words[7]);
  if (words[0] === 0x64 && words[1] === 0xff9b && isZero(2, 6)) return dotted(words[6], words[7]);
  if (words[0] === 0x2002) return dotted(words[1], words[2]);
  return undefined;
}
