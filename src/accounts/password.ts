import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** The cost of one guess: scrypt's N, r and p. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * About 60 ms and 32 MB per guess on a server core of 2024. It is stored with each hash, so it can be raised at any
 * time.
 */
export const defaultCost: HashCost = { N: 2 ** 15, r: 8, p: 1 };

const saltBytes = 16;
const keyBytes = 32;

/** Hashes a password with a new salt, as `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string, cost: HashCost = defaultCost): Promise<string> {
  const salt = randomBytes(saltBytes);
  const key = await derive(password, salt, keyBytes, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64'), key.toString('base64')].join('$');
}

/** Whether a password matches a hash, in constant time. */
export async function passwordMatches(password: string, hash: string): Promise<boolean> {
  const { cost, salt, key } = parse(hash);
  return timingSafeEqual(await derive(password, salt, key.length, cost), key);
}

/** Whether a hash was created with a cost other than the current one, so that it should be replaced. */
export function isOutdated(hash: string, cost: HashCost): boolean {
  const made = parse(hash).cost;
  return made.N !== cost.N || made.r !== cost.r || made.p !== cost.p;
}

/** A hash that no password matches, to spend the usual time if there is no login of that name. */
export function unmatchableHash(cost: HashCost = defaultCost): string {
  const random = (bytes: number) => randomBytes(bytes).toString('base64');
  return ['scrypt', cost.N, cost.r, cost.p, random(saltBytes), random(keyBytes)].join('$');
}

function parse(hash: string): { cost: HashCost; salt: Buffer; key: Buffer } {
  const [name, N, r, p, salt, key] = hash.split('$');
  if (name !== 'scrypt' || salt === undefined || key === undefined) throw new Error('A password hash is malformed.');
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  };
}

function derive(password: string, salt: Uint8Array, length: number, { N, r, p }: HashCost): Promise<Buffer> {
  // scrypt needs 128·N·r bytes, and Node refuses more than 32 MB by default.
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  // The two encodings of an accented letter that keyboards produce count as the same password.
  const secret = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
