/** Splits an address with a port: `127.0.0.1:50123`, `[::1]:50123`. */
export function peerOf(address: string): { readonly host: string; readonly port: number | null } {
  const found = /^\[?(.*?)\]?:(\d+)$/.exec(address);
  const isWhole = !found || (!address.startsWith('[') && found[1]?.includes(':'));
  return isWhole ? { host: address, port: null } : { host: found[1] ?? address, port: Number(found[2]) };
}
