import { systemClock } from '../../../src/base/clock.ts';
import { RealmDomains } from '../../../src/sspi/domain-name.ts';
import { Refused } from '../../../src/sspi/negotiation.ts';
import { readAuthenticate } from '../../../src/sspi/ntlm/messages.ts';
import { readLogonInfo } from '../../../src/sspi/pac.ts';
import { readResponse } from '../../../src/sspi/spnego.ts';
import { WindowsAuthentication } from '../../../src/sspi/windows-authentication.ts';
import { NtlmClient, SpnegoNtlmClient } from '../../windows/ntlm-client.ts';
import { mutated } from '../mutate.ts';
import type { Random } from '../random.ts';
import type { Target } from '../target.ts';

const account = { domain: 'FARM', user: 'crawler', password: 'Secret-1', service: 'MSSQLSvc/localhost:1433' };
const windows = new WindowsAuthentication({
  clock: systemClock,
  ntlm: {
    domain: 'FARM',
    computer: 'DB',
    // Whatever is sent counts as proven where it can be read, so that what follows is reached too.
    prove: async (name, _address, check) => {
      check(Buffer.alloc(16));
      return { login: name };
    },
  },
  realms: new RealmDomains(new Map()),
  protection: 'allowed',
  serviceClass: 'MSSQLSvc',
});
const place = {
  address: '127.0.0.1',
  bindings: [Buffer.from('tls-unique:x')],
  closed: new AbortController().signal,
};

/** A PAC's logon information: names, two groups and the domain, as a domain controller writes them. */
function pac(random: Random): Buffer {
  const words: number[] = [];
  const u32 = (...values: number[]) => words.push(...values);
  const string = (there: boolean) => u32(0x000a000a, there ? 0x20000 : 0);
  u32(0x00081001, 0xcccccccc, 0x200, 0, 0x20000);
  u32(...Array.from({ length: 12 }, () => random.below(2 ** 31)));
  string(true);
  for (let count = 0; count < 5; count++) string(false);
  const groups = random.below(4);
  u32(0, 1103, 513, groups, 0x20004, 32, 0, 0, 0, 0);
  string(false);
  string(true);
  u32(0x20008, ...Array.from({ length: 10 }, () => 0), 0, 0, 0, 0, 0);
  const text = () => u32(2, 0, 2, 0x00620061);
  text();
  u32(groups, ...Array.from({ length: groups }, () => [random.below(5000), 7]).flat());
  text();
  u32(4, 0x00000401, 0x05000000, 21, 1, 2, 3);
  const bytes = Buffer.alloc(4 * words.length);
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, 4 * index);
  return bytes;
}

/** What a client sends to prove who it is, before it is known. */
async function negotiate(token: Buffer): Promise<void> {
  const negotiation = windows.begin(token, place);
  const { reply } = await negotiation.step(token);
  await negotiation.step(token.subarray(Math.min(token.length, reply.length)));
}

async function refusable(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

const readers: readonly ((input: Buffer) => unknown)[] = [negotiate, readResponse, readAuthenticate, readLogonInfo];

/** Tokens of SSPI; the first byte says which reader gets the rest. */
export const sspiTargets: readonly Target[] = [
  {
    name: 'sspi',
    make(random) {
      const reader = random.below(readers.length);
      const good = [
        () => random.pick([new NtlmClient(account), new SpnegoNtlmClient(account)]).first(),
        () => new SpnegoNtlmClient(account).second(challengeIn(random)),
        () => new NtlmClient(account).second(challenge(random)),
        () => pac(random),
      ][reader];
      const bytes = good?.() ?? Buffer.alloc(0);
      return Buffer.concat([Buffer.of(reader), random.chance(10) ? bytes : mutated(random, bytes)]);
    },
    async run(input) {
      const reader = readers[(input[0] ?? 0) % readers.length];
      await refusable(() => reader?.(input.subarray(1)));
    },
  },
];

function challenge(random: Random): Buffer {
  const info = Buffer.from('0200080046004100520004000000000000', 'hex');
  const message = Buffer.concat([Buffer.alloc(56), info]);
  random.bytes(8).copy(message, 24);
  message.writeUInt16LE(info.length, 40);
  message.writeUInt32LE(56, 44);
  return message;
}

function challengeIn(random: Random): Buffer {
  const inner = challenge(random);
  const octets = Buffer.concat([Buffer.of(0x04, inner.length), inner]);
  const field = Buffer.concat([Buffer.of(0xa2, octets.length), octets]);
  const sequence = Buffer.concat([Buffer.of(0x30, field.length), field]);
  return Buffer.concat([Buffer.of(0xa1, sequence.length), sequence]);
}
