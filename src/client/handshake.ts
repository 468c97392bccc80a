import { connect as dial, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { loginFlags } from '../tds/message/login7.ts';
import { writeLogin7 } from '../tds/message/login7-writer.ts';
import { encryption as codes, decodePrelogin, writePrelogin } from '../tds/message/prelogin.ts';
import { packetStatus, packetTypes } from '../tds/packet/index.ts';
import { malformed } from '../tds/stream-error.ts';
import { tdsVersions } from '../tds/version.ts';
import { ClientError } from './client-error.ts';
import type { ConnectOptions, Encryption, LocalOptions, NetworkOptions, WindowsProof } from './options.ts';
import { PreloginTunnel } from './prelogin-tunnel.ts';
import { secure } from './secure.ts';
import { tlsBinding } from './tls-binding.ts';
import { Wire } from './wire.ts';

/**
 * A wire on which LOGIN7 has been written but not sent: `send` sends it, and ends TLS if it was for the login alone.
 */
interface Greeted {
  readonly wire: Wire;
  /** The proof of a Windows user, whose end comes with the server's answer. */
  readonly proof?: WindowsProof | undefined;
  send(): void;
}

const isLocal = (options: ConnectOptions): options is LocalOptions => 'server' in options;

/** Connects and negotiates encryption; the login is written and waits to be sent. */
export async function greet(options: ConnectOptions, signal: AbortSignal): Promise<Greeted> {
  if (isLocal(options)) {
    const { login = 'sa', server } = options;
    const wire = new Wire(server.attach(login));
    writeLogin(wire, options, login, '');
    return { wire, send: () => wire.send(packetTypes.login7) };
  }
  const socket = await dialled(options, signal);
  const cut = () => socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  try {
    signal.throwIfAborted();
    return await greetOver(socket, options);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    // The signal limits the handshake only: the connection outlives it.
    signal.removeEventListener('abort', cut);
  }
}

async function greetOver(socket: Socket, options: NetworkOptions): Promise<Greeted> {
  const { encryption = 'full', user, password } = options;
  const isStrict = encryption === 'strict';
  const strict = isStrict ? await secure(socket, options, { ALPNProtocols: ['tds/8.0'] }) : undefined;
  const wire = new Wire(strict ?? socket);
  const answered = await prelogin(wire, isStrict ? codes.notSupported : asked[encryption]);
  const within = isStrict ? undefined : await encrypted(wire, options, encryption, answered);
  const tls = strict ?? within?.tls;
  const service = `MSSQLSvc/${options.host}:${options.port}`;
  const proof = await options.windows?.begin(service, tls && tlsBinding(tls));
  writeLogin(wire, options, proof === undefined ? user : '', proof === undefined ? password : '', proof?.token);
  return {
    wire,
    proof,
    send: () => {
      wire.send(packetTypes.login7);
      within?.leave?.();
    },
  };
}

function dialled({ host, port }: NetworkOptions, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = dial({ host, port, noDelay: true, keepAlive: true });
    const give = () => socket.destroy(new Error('it took too long'));
    signal.addEventListener('abort', give, { once: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      signal.removeEventListener('abort', give);
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

const asked: Readonly<Record<Exclude<Encryption, 'strict'>, number>> = {
  off: codes.notSupported,
  login: codes.off,
  full: codes.on,
};

/** Its options are found by offsets of 16 bits. */
const longestPrelogin = 0xffff;

/** Sends PRELOGIN and resolves to the server's encryption setting. */
function prelogin(wire: Wire, ask: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let message: Buffer = Buffer.alloc(0);
    wire.listener = {
      packet({ payload, status }) {
        message = Buffer.concat([message, payload]);
        if (message.length > longestPrelogin) throw malformed('The PRELOGIN response is too long.');
        if ((status & packetStatus.endOfMessage) === 0) return;
        // Bytes that cannot be parsed are reported to this listener as a loss.
        const answer = decodePrelogin(message);
        wire.listener = undefined;
        resolve(answer.encryption ?? codes.notSupported);
      },
      lost: (error) => reject(error ?? new Error('the server closed the connection')),
    };
    writePrelogin(wire.writer.out, {
      version: { major: 1, minor: 0, build: 0, subBuild: 0 },
      encryption: ask,
      instance: '',
      threadId: 0,
      mars: false,
    });
    wire.send(packetTypes.prelogin);
  });
}

/** Starts TLS if both want it; the returned function ends it after the login, if it was for that alone. */
async function encrypted(
  wire: Wire,
  options: NetworkOptions,
  wanted: Exclude<Encryption, 'strict'>,
  answered: number,
): Promise<{ readonly tls: TLSSocket; readonly leave?: () => void } | undefined> {
  if (wanted === 'off') {
    if (answered === codes.notSupported) return undefined;
    throw new ClientError('connect', 'the server requires encryption, which the client options forbid');
  }
  if (answered === codes.notSupported) {
    throw new ClientError('connect', 'the server does not support encryption, which the client options require');
  }
  const stream = wire.leave();
  const tunnel = new PreloginTunnel(stream);
  const tls = await secure(tunnel, options, { maxVersion: 'TLSv1.2' });
  tunnel.unwrap();
  wire.use(tls);
  if (wanted !== 'login' || answered !== codes.off) return { tls };
  const leave = () => {
    // Nothing more may be read as TLS: the server continues in the clear.
    stream.pause();
    tls.write('', () => {
      wire.leave();
      tunnel.detach();
      wire.use(stream);
      stream.resume();
    });
  };
  return { tls, leave };
}

function writeLogin(wire: Wire, options: ConnectOptions, userName: string, password: string, sspi?: Uint8Array): void {
  const isStrict = !isLocal(options) && options.encryption === 'strict';
  const { database, appName = 'granary client', packetSize } = options;
  writeLogin7(wire.writer.out, {
    userName,
    password,
    database,
    appName,
    libraryName: 'granary',
    tdsVersion: tdsVersions[isStrict ? '8.0' : '7.4'],
    ...(isLocal(options) ? {} : { serverName: options.host }),
    ...(packetSize === undefined ? {} : { packetSize }),
    ...(sspi === undefined ? {} : { sspi, optionFlags2: loginFlags.odbc | loginFlags.integratedSecurity }),
  });
}
