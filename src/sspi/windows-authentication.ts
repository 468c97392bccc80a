import type { Clock } from '../base/clock.ts';
import type { ChannelBindings } from './channel-binding.ts';
import type { RealmDomains } from './domain-name.ts';
import { type Negotiation, type Proven, Refused, refuse } from './negotiation.ts';
import { isNtlm } from './ntlm/messages.ts';
import { NtlmAcceptor, type NtlmOptions } from './ntlm/ntlm-acceptor.ts';
import { SpnegoNtlm } from './ntlm/spnego-ntlm.ts';
import { isOwnService, type ServiceNames } from './service-name.ts';
import { mechanismOf, mechanisms, readInit } from './spnego.ts';

/** Whether clients must say which channel, or which service, they mean to speak to. */
type ExtendedProtection = 'off' | 'allowed' | 'required';

/** The Kerberos side: a negotiation for each client, and a check at start. */
interface KerberosAcceptor {
  begin(bindings: ChannelBindings, closed: AbortSignal): Negotiation;
}

/** NTLM for accounts that the server holds. */
interface NtlmSide {
  /** The domain of a client that names none. */
  readonly domain: string;
  readonly computer: string;
  prove(
    name: string,
    address: string,
    check: (hash: Uint8Array) => boolean,
    signal: AbortSignal,
  ): Promise<{ readonly login: string } | undefined>;
}

interface WindowsOptions {
  readonly clock: Clock;
  readonly kerberos?: KerberosAcceptor | undefined;
  readonly ntlm?: NtlmSide | undefined;
  readonly realms: RealmDomains;
  readonly protection: ExtendedProtection;
  readonly serviceClass: ServiceNames['serviceClass'];
  /** The one service principal, when it is configured. */
  readonly servicePrincipal?: string | undefined;
}

/** The connection that a client proves itself over. */
interface ProvingClient {
  readonly address: string;
  readonly bindings: ChannelBindings;
  readonly closed: AbortSignal;
}

/** Who may prove who they are by SSPI, and how. */
export class WindowsAuthentication {
  readonly #options: WindowsOptions;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  /** Which way a client takes, by its first token; throws Refused when that is none that is open. */
  schemeOf(token: Buffer): Proven['scheme'] {
    const { kerberos, ntlm } = this.#options;
    const isOpen = { KERBEROS: kerberos !== undefined, NTLM: ntlm !== undefined };
    const offered = offeredBy(token);
    const scheme = offered.find((each) => isOpen[each]);
    if (scheme !== undefined) return scheme;
    return refuse(
      offered.length === 0 ? 'a token of no known mechanism' : `${offered.join(' and ')} is not configured`,
    );
  }

  /** Begins a negotiation with the client whose first token it is. */
  begin(token: Buffer, client: ProvingClient): Negotiation {
    const { kerberos, ntlm, protection } = this.#options;
    const bindings = protection === 'off' ? [] : client.bindings;
    const scheme = this.schemeOf(token);
    if (scheme === 'KERBEROS' && kerberos !== undefined) return kerberos.begin(bindings, client.closed);
    if (ntlm === undefined) throw new Refused('NTLM is not configured');
    const options = this.#ntlmOptions(ntlm, client, bindings);
    return isNtlm(token) ? new NtlmAcceptor(options) : new SpnegoNtlm(options);
  }

  /** Throws Refused when what was proven does not tell enough of where the client meant to go. */
  checkProtection(
    { scheme, isBound, service }: Proven,
    bindings: ChannelBindings,
    names: Pick<ServiceNames, 'hosts' | 'port'>,
  ): void {
    const { protection, serviceClass, servicePrincipal: principal } = this.#options;
    if (protection === 'off') return;
    const isNamed = service !== undefined && service !== '';
    if (isNamed && !isOwnService(service, { ...names, serviceClass, principal }))
      refuse(`the client meant the service ${service}`);
    if (protection === 'allowed') return;
    if (bindings.length > 0 && !isBound) refuse('the client sent no channel bindings, which are required');
    // Without TLS the service stands for the channel; a ticket of Kerberos is for this service or it is refused.
    if (scheme === 'NTLM' && bindings.length === 0 && !isNamed)
      refuse('the client named no service, which is required');
  }

  #ntlmOptions(ntlm: NtlmSide, { address, closed }: ProvingClient, bindings: ChannelBindings): NtlmOptions {
    const { clock, realms } = this.#options;
    return {
      clock,
      domain: ntlm.domain,
      computer: ntlm.computer,
      bindings,
      nameOf(domain, user) {
        const at = user.indexOf('@');
        if (domain === '' && at > 0) return realms.nameOf(user.slice(0, at), user.slice(at + 1));
        return `${domain || ntlm.domain}\\${user}`;
      },
      prove: (name, check) => ntlm.prove(name, address, check, closed),
    };
  }
}

/** The tag of a ticket without a header around it, as DCE style has it: the client sends one token more. */
const apRequest = 0x6e;

/** The ways that a client offers, its favourite first. */
function offeredBy(token: Buffer): Proven['scheme'][] {
  if (isNtlm(token)) return ['NTLM'];
  if (token[0] === apRequest) return ['KERBEROS'];
  const mechanism = mechanismOf(token);
  if (mechanism === undefined) return [];
  return mechanism.equals(mechanisms.spnego) ? readInit(token).offered.flatMap(schemesOf) : schemesOf(mechanism);
}

function schemesOf(mechanism: Buffer): Proven['scheme'][] {
  if (mechanism.equals(mechanisms.ntlm)) return ['NTLM'];
  const isKerberos = mechanism.equals(mechanisms.kerberos) || mechanism.equals(mechanisms.kerberosOfWindows);
  return isKerberos ? ['KERBEROS'] : [];
}
