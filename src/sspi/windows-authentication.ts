import type { Clock } from '../base/clock.ts';
import type { ChannelBindings } from './channel-binding.ts';
import type { RealmDomains } from './domain-name.ts';
import { type Negotiation, type Proven, Refused, refuse } from './negotiation.ts';
import { isNtlm } from './ntlm/messages.ts';
import { NtlmAcceptor, type NtlmOptions } from './ntlm/ntlm-acceptor.ts';
import { SpnegoNtlm } from './ntlm/spnego-ntlm.ts';
import { isOwnService, type ServiceNames } from './service-name.ts';
import { mechanismOf, mechanisms, readInit } from './spnego.ts';

/** Whether clients must send channel bindings or a service name. */
type ExtendedProtection = 'off' | 'allowed' | 'required';

/** The Kerberos acceptor: starts a negotiation for each client, and checks its prerequisites at startup. */
interface KerberosAcceptor {
  begin(bindings: ChannelBindings, closed: AbortSignal): Negotiation;
}

/** NTLM, for accounts that the server stores. */
interface NtlmSide {
  /** The domain for a client that sends none. */
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
  /** The service principal, if configured. */
  readonly servicePrincipal?: string | undefined;
}

/** The connection over which a client authenticates. */
interface ProvingClient {
  readonly address: string;
  readonly bindings: ChannelBindings;
  readonly closed: AbortSignal;
}

/** Authenticates clients by SSPI, with the configured mechanisms. */
export class WindowsAuthentication {
  readonly #options: WindowsOptions;

  constructor(options: WindowsOptions) {
    this.#options = options;
  }

  /** The mechanism that a client uses, judging by its first token; throws Refused if none of the configured ones. */
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

  /** Begins a negotiation with the client that sent this first token. */
  begin(token: Buffer, client: ProvingClient): Negotiation {
    const { kerberos, ntlm, protection } = this.#options;
    const bindings = protection === 'off' ? [] : client.bindings;
    const scheme = this.schemeOf(token);
    if (scheme === 'KERBEROS' && kerberos !== undefined) return kerberos.begin(bindings, client.closed);
    if (ntlm === undefined) throw new Refused('NTLM is not configured');
    const options = this.#ntlmOptions(ntlm, client, bindings);
    return isNtlm(token) ? new NtlmAcceptor(options) : new SpnegoNtlm(options);
  }

  /** Throws Refused if the client did not sufficiently identify the server that it meant. */
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
    // Without TLS the service name stands in for the channel; a Kerberos ticket is only accepted for this service
    // anyway.
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

/** The tag of a ticket without a header, as in DCE style: the client then sends one more token. */
const apRequest = 0x6e;

/** The mechanisms that a client offers, in order of preference. */
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
