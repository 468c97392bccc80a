/** True for an address that only this machine can have: 127.0.0.0/8 and ::1, also in IPv6's form of IPv4. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/i.test(address);
