import type { Client } from '../../../client/client.ts';
import { getError } from '../../../protocols/search/crawls/get-error.ts';
import { getHost } from '../../../protocols/search/topology/get-host.ts';

/** The store of a host, and its identifier. */
interface Host {
  readonly store: number;
  readonly id: number;
}

/** What an HRESULT is as a crawl error. */
export interface KnownError {
  readonly id: number;
  readonly level: number;
  readonly marksDelete: boolean;
}

/** So many hosts are remembered. */
const mostHosts = 10_000;

/** Hosts and errors by their identifiers, asked for once: the answers never change. */
export class Directory {
  readonly #admin: Client;
  readonly #hosts = new Map<string, Promise<Host>>();
  readonly #errors = new Map<number, Promise<KnownError>>();

  constructor(admin: Client) {
    this.#admin = admin;
  }

  host(name: string): Promise<Host> {
    return remembered(this.#hosts, name, mostHosts, async () => {
      const { output } = await this.#admin.call(getHost, { HostName: name }, { idempotent: true });
      return { store: output.GthrDBID ?? 0, id: output.HostID ?? 0 };
    });
  }

  error(hresult: number): Promise<KnownError> {
    return remembered(this.#errors, hresult, Number.POSITIVE_INFINITY, async () => {
      const { output } = await this.#admin.call(getError, { hrResult: hresult }, { idempotent: true });
      return { id: output.ErrorID ?? 0, level: output.ErrorLevel ?? 0, marksDelete: output.MarkDelete ?? false };
    });
  }
}

function remembered<K, V>(known: Map<K, Promise<V>>, key: K, most: number, ask: () => Promise<V>): Promise<V> {
  const there = known.get(key);
  if (there !== undefined) return there;
  if (known.size >= most) known.clear();
  const asked = ask();
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}
