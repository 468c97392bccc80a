import { jsonLog } from '../../../src/base/log/log.ts';
import { writeSqlBatch } from '../../../src/tds/message/index.ts';
import { type PacketType, packetize, packetTypes } from '../../../src/tds/packet/index.ts';
import { modern } from '../../../src/tds/version.ts';
import type { TestServer } from '../../support/server.ts';
import { mutated } from '../mutate.ts';
import type { Target } from '../target.ts';
import { makeText } from './tsql.ts';
import { wireTargets, written } from './wire.ts';

/** Loaded with the first use: it belongs to node:test, which the other targets do not need. */
const lab = () => import('../../robustness/support/lab-server.ts');
const raw = () => import('../../robustness/support/raw-client.ts');

let server: TestServer | undefined;
const faults: string[] = [];

const types: ReadonlyMap<string, PacketType> = new Map<string, PacketType>([
  ['prelogin', packetTypes.prelogin],
  ['login7', packetTypes.login7],
  ['rpc', packetTypes.rpc],
  ['bulk', packetTypes.bulkLoad],
  ['transaction', packetTypes.transaction],
]);
const makers = wireTargets.filter(({ name }) => types.has(name));

/** A real server on a socket: the first byte says whether the client logs in first; what follows is sent as it is. */
export const liveTargets: readonly Target[] = [
  {
    name: 'live',
    isSlow: true,
    async open() {
      const log = jsonLog((line) => faults.push(line), 'error');
      const { startLab } = await lab();
      server = await startLab({ settings: { loginTimeout: 60_000, executionTimeout: 2000 }, log });
      return server;
    },
    make(random) {
      const late = random.chance(2);
      const frame = { packetSize: random.pick([512, 4096]) };
      if (late && random.chance(2)) {
        const payload = written((out) => writeSqlBatch(out, makeText(random), modern));
        return Buffer.concat([Buffer.of(1), packetize(payload, { ...frame, type: packetTypes.sqlBatch })]);
      }
      const maker = random.pick(makers);
      const type = types.get(maker.name) ?? packetTypes.sqlBatch;
      const message = packetize(maker.make(random).subarray(1), { ...frame, type });
      return Buffer.concat([Buffer.of(late ? 1 : 0), random.chance(3) ? mutated(random, message) : message]);
    },
    async run(input) {
      if (server === undefined) throw new Error('the target was not opened');
      const { RawClient } = await raw();
      const { answers } = await lab();
      await using client = await (input[0] === 1 ? RawClient.login(server.port) : RawClient.connect(server.port));
      client.socket.end(input.subarray(1));
      for (let packet = await client.packet(); packet; packet = await client.packet());
      await using other = await RawClient.login(server.port);
      await answers(other);
      const fault = faults.shift();
      if (fault !== undefined) throw new Error(fault);
    },
  },
];
