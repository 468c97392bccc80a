import { join } from 'node:path';
import { systemClock } from './base/clock.ts';
import type { Log } from './base/log/log.ts';
import type { Settings } from './cli/settings.ts';
import { keptKeyPair, readKeyPair } from './net/certificate.ts';
import { CertificateKeeper } from './net/certificate-keeper.ts';

/** Opens the certificate that the settings name, or the server's own, which is made at first use. */
export function openCertificate(
  { tlsCert, tlsKey, data, host }: Settings,
  log: Log,
  interval: number | undefined,
): Promise<CertificateKeeper> {
  // Clients look at their own clocks, which are those of the world.
  const common = { clock: systemClock, log, interval };
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const read = () => readKeyPair({ certFile: tlsCert, keyFile: tlsKey });
    return CertificateKeeper.open({ ...common, read, file: tlsCert });
  }
  const folder = join(data, 'tls');
  return CertificateKeeper.open({
    ...common,
    read: () => keptKeyPair(folder, host, systemClock.now(), log),
    file: folder,
  });
}
