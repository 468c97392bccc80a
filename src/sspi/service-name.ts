/** The names by which clients may address this service. */
export interface ServiceNames {
  /** The class of the service: MSSQLSvc, or HTTP for the console. */
  readonly serviceClass: 'MSSQLSvc' | 'HTTP';
  /** The service principal, if configured. */
  readonly principal?: string | undefined;
  /** The names and addresses of the machine. */
  readonly hosts: readonly string[];
  readonly port: number;
}

/** Whether a service named by a client, such as `MSSQLSvc/db.corp.test:1433`, is this one. */
export function isOwnService(service: string, { serviceClass, principal, hosts, port }: ServiceNames): boolean {
  const named = withoutRealm(service);
  if (principal !== undefined) return named === withoutRealm(principal);
  const [, kind, host = '', wanted] = /^(\w+)\/(.+?)(?::([^:/\]]*))?$/.exec(named) ?? [];
  const isHere = hosts.some((own) => own.toLowerCase() === host.replace(/^\[|\]$/g, ''));
  return kind === serviceClass.toLowerCase() && isHere && (wanted === undefined || wanted === String(port));
}

const withoutRealm = (principal: string): string => principal.replace(/@[^@]*$/, '').toLowerCase();
