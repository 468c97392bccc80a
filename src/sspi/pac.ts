import { NdrReader } from './ndr-reader.ts';
import { refuse } from './negotiation.ts';

/** A domain's information about a user (MS-PAC 2.5: KERB_VALIDATION_INFO). */
export interface LogonInfo {
  readonly domain: string;
  readonly user: string;
  readonly domainSid: string | undefined;
  /** The security identifiers of the groups that are in effect. */
  readonly groups: readonly string[];
}

/** SE_GROUP_ENABLED, and SE_GROUP_USE_FOR_DENY_ONLY. */
const [enabled, denyOnly] = [4, 0x10];
const counts = (attributes: number): boolean => (attributes & enabled) !== 0 && (attributes & denyOnly) === 0;

/** The bytes before the structure: two NDR headers and the pointer to it. */
const headers = 20;
const times = 6 * 8;

/**
 * Reads the names and the security identifiers; NDR stores what pointers refer to after the structure, in their order.
 */
export function readLogonInfo(bytes: Buffer): LogonInfo {
  const ndr = new NdrReader(bytes, headers);
  ndr.skip(times);
  const effectiveName = ndr.string();
  const others = Array.from({ length: 5 }, () => ndr.string());
  ndr.skip(4); // logon and bad password counts
  ndr.skip(4); // the user's relative identifier
  const primary = ndr.u32();
  const groupCount = ndr.u32();
  const hasGroups = ndr.u32() !== 0;
  ndr.skip(4 + 16); // flags and session key
  const server = ndr.string();
  const domainName = ndr.string();
  const hasDomainSid = ndr.u32() !== 0;
  ndr.skip(8 + 4 + 4 + 8 + 8 + 4 + 4); // reserved, account control, status, logons, failures, reserved
  const extraCount = ndr.u32();
  const hasExtra = ndr.u32() !== 0;
  const hasResourceSid = ndr.u32() !== 0;
  const resourceCount = ndr.u32();
  const hasResources = ndr.u32() !== 0;

  const user = ndr.textOf(effectiveName);
  for (const other of others) ndr.textOf(other);
  const groups = hasGroups ? ndr.memberships(groupCount) : [];
  ndr.textOf(server);
  const domain = ndr.textOf(domainName);
  const domainSid = hasDomainSid ? ndr.sid() : undefined;
  const extra = hasExtra ? ndr.sidsWithAttributes(extraCount) : [];
  const resourceSid = hasResourceSid ? ndr.sid() : undefined;
  const resources = hasResources ? ndr.memberships(resourceCount) : [];
  if (groups.length > 0 && domainSid === undefined) return refuse('a PAC has groups and no domain');
  const within = (sid: string | undefined, members: typeof groups) =>
    sid === undefined ? [] : members.filter((each) => counts(each.attributes)).map(({ rid }) => `${sid}-${rid}`);
  const found = [
    ...within(domainSid, [...groups, { rid: primary, attributes: enabled }]),
    ...extra.filter((each) => counts(each.attributes)).map(({ sid }) => sid),
    ...within(resourceSid, resources),
  ];
  return { domain, user, domainSid, groups: [...new Set(found)] };
}
