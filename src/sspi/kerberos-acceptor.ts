import type { ChannelBindings } from './channel-binding.ts';
import type { RealmDomains } from './domain-name.ts';
import type { Accepted } from './gss/accept-context.ts';
import type { AcceptorKeys } from './gss/credential.ts';
import { GssCalls } from './gss/gss-calls.ts';
import { type Negotiation, type Proven, Refused, refuse } from './negotiation.ts';
import { type LogonInfo, readLogonInfo } from './pac.ts';

/** Accepts Kerberos tickets, raw and inside SPNEGO. */
export class Kerberos implements AsyncDisposable {
  readonly #calls: GssCalls;
  readonly #keys: AcceptorKeys;
  readonly #realms: RealmDomains;

  constructor(keys: AcceptorKeys, realms: RealmDomains, calls = new GssCalls()) {
    this.#keys = keys;
    this.#realms = realms;
    this.#calls = calls;
  }

  /** The same for all services of a class that the keytab has a key for; undefined if it has none. */
  async ofClass(serviceClass: string): Promise<Kerberos | undefined> {
    const { keytab, replayCache } = this.#keys;
    const other = new Kerberos({ keytab, replayCache, serviceClass }, this.#realms, this.#calls);
    try {
      await other.check();
      return other;
    } catch (error) {
      if (error instanceof Refused) return undefined;
      throw error;
    }
  }

  /** Throws unless the library, the keytab and a key are available. */
  async check(): Promise<void> {
    await this.#calls.run({ kind: 'check', keys: this.#keys });
  }

  /**
   * Begins a negotiation; `closed` is aborted when the client disconnects, and its token then no longer waits for its
   * turn.
   */
  begin(bindings: ChannelBindings, closed: AbortSignal): Negotiation {
    const [calls, keys, context] = [this.#calls, this.#keys, this.#calls.nextContext()];
    return {
      step: async (token) => {
        const request = { kind: 'accept', context, keys, token, bindings } as const;
        const { reply, accepted } = await calls.run(request, closed).catch((error) => {
          throw closed.aborted ? new Refused('the client disconnected during the negotiation') : error;
        });
        return accepted === undefined ? { reply } : { reply, proven: provenBy(accepted, this.#realms) };
      },
      close: () => calls.close(context),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#calls[Symbol.asyncDispose]();
  }
}

/** The Windows name of a principal: with the domain of its realm, as configured or as stated in the ticket. */
function provenBy({ principal, isBound, logonInfo }: Accepted, realms: RealmDomains): Proven {
  const { user, realm } = partsOf(principal);
  const info: LogonInfo | undefined = logonInfo && readLogonInfo(Buffer.from(logonInfo));
  const told = info?.domain && info.user ? info : undefined;
  const domain = realms.domainOf(realm) ?? (told?.domain || realm);
  return {
    scheme: 'KERBEROS',
    name: `${domain}\\${told?.user ?? user}`,
    groups: info?.groups ?? [],
    domainSid: info?.domainSid,
    isBound,
  };
}

/** user@REALM; special characters in it are escaped with a backslash. */
function partsOf(principal: string): { readonly user: string; readonly realm: string } {
  const [, user, realm] = /^((?:[^\\@]|\\.)+)@((?:[^\\@]|\\.)+)$/su.exec(principal) ?? [];
  if (user === undefined || realm === undefined) return refuse(`${principal} is not the name of a user`);
  const plain = (text: string): string => text.replace(/\\(.)/gsu, '$1');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be in a name.
  if (/[\\\u0000-\u001f]/.test(plain(user))) return refuse(`${principal} is not the name of a Windows user`);
  return { user: plain(user), realm: plain(realm) };
}
