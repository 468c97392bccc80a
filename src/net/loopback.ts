/** True for a loopback address: 127.0.0.0/8 and ::1, also as an IPv4-mapped IPv6 address. */
export const isLoopback = (address: string): boolean => /^(::ffff:)?127\.|^::1$/i.test(address);
