import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../base/log/log.ts';
import { closeToOthers, makePrivateFolder } from '../base/private-files.ts';
import { type KeyPair, selfSigned } from './self-signed.ts';

/** The operator's own certificate and key, as paths of PEM files. */
interface KeyPairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads the operator's certificate and key, and refuses a pair that does not belong together. */
export async function readKeyPair({ certFile, keyFile }: KeyPairFiles): Promise<KeyPair> {
  const cert = await readFile(certFile, 'utf8');
  const key = await readFile(keyFile, 'utf8');
  const certificate = parsed(() => new X509Certificate(cert), `${certFile} holds no certificate in PEM format.`);
  if (!certificate.checkPrivateKey(parsedKey(key, keyFile))) {
    throw new Error(`The key in ${keyFile} is not that of the certificate in ${certFile}.`);
  }
  return { cert, key };
}

function parsedKey(key: string, file: string): KeyObject {
  const otherwise = `${file} holds no private key in PEM format, or one with a passphrase, which nobody could enter.`;
  return parsed(() => createPrivateKey(key), otherwise);
}

/** The parsed object, or a clear error; OpenSSL's own messages are about its internals. */
function parsed<T>(read: () => T, otherwise: string): T {
  try {
    return read();
  } catch {
    throw new Error(otherwise);
  }
}

/**
 * The certificate stored in a folder, created and logged at first use. Besides the names of this machine, it is valid
 * for the host that the server listens on; an expired one is replaced.
 */
export async function keptKeyPair(folder: string, host: string, now: Date, log: Log): Promise<KeyPair> {
  const files = { certFile: join(folder, 'server.crt'), keyFile: join(folder, 'server.key') };
  makePrivateFolder(folder, ['server.key', 'server.crt']);
  closeToOthers(files.keyFile);
  const kept = existsSync(files.certFile) ? await readKept(files) : undefined;
  if (kept !== undefined && new X509Certificate(kept.cert).validToDate > now) return kept;
  const made = await selfSigned(namesOf(host), now, kept === undefined ? await keyAlone(files) : undefined);
  // The key is written first, so that a certificate on disk always has its key beside it.
  await writeWhole(files.keyFile, made.key, 0o600);
  await writeWhole(files.certFile, made.cert, 0o644);
  log.info('a self-signed certificate was made', { file: files.certFile });
  return made;
}

async function readKept(files: KeyPairFiles): Promise<KeyPair> {
  if (existsSync(files.keyFile)) return readKeyPair(files);
  throw new Error(
    `${files.keyFile}, the key of the certificate, is missing. Put it back, or remove ${files.certFile}: a new pair is then made.`,
  );
}

/**
 * The key of a missing certificate, left by a start that was killed between the two files or by hand; it is reused,
 * since nobody else may have it.
 */
async function keyAlone({ certFile, keyFile }: KeyPairFiles): Promise<KeyObject | undefined> {
  if (!existsSync(keyFile)) return undefined;
  const key = parsedKey(await readFile(keyFile, 'utf8'), keyFile);
  if (key.asymmetricKeyType === 'rsa') return key;
  throw new Error(
    `${certFile}, the certificate of the key ${keyFile}, is missing. Put it back, or remove the key too.`,
  );
}

function namesOf(host: string): string[] {
  const wildcard = host === '' || host === '0.0.0.0' || host === '::';
  const names = [hostname(), 'localhost', '127.0.0.1', '::1', ...(wildcard ? [] : [host])];
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

/** Writes a file atomically and durably. */
async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await using file = await open(draft, 'w', mode);
    await file.writeFile(text);
    await file.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await rename(draft, path);
}
