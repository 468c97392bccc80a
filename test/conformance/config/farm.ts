import type { CallInput } from '../../../src/procedure/declare.ts';
import { getFile } from '../../../src/protocols/config/files/get-file.ts';
import { putFileSegment } from '../../../src/protocols/config/files/put-file-segment.ts';
import { dropClass } from '../../../src/protocols/config/objects/drop-class.ts';
import { dropObject } from '../../../src/protocols/config/objects/drop-object.ts';
import { getNewObjects } from '../../../src/protocols/config/objects/get-new-objects.ts';
import { getObject } from '../../../src/protocols/config/objects/get-object.ts';
import { putClass } from '../../../src/protocols/config/objects/put-class.ts';
import { putDependency } from '../../../src/protocols/config/objects/put-dependency.ts';
import { putObject } from '../../../src/protocols/config/objects/put-object.ts';
import type { Answer, TestClient } from '../../support/client.ts';

export const emptyGuid = '00000000-0000-0000-0000-000000000000';

/** A GUID that is easy to tell from others: `guid('c', 1)` ends in c000…01. */
export const guid = (group: string, number = 0): string =>
  `${group.padStart(8, '0')}-0000-0000-0000-${number.toString(16).padStart(12, '0')}`;

/** A row version as tedious hands it over, as a number. */
export const versionOf = (bytes: unknown): bigint => {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 8) throw new Error(`no row version: ${String(bytes)}`);
  return Buffer.from(bytes).readBigUInt64BE();
};

/** A GUID as tedious hands it over, in Granary's own writing. */
export const guidOf = (value: unknown): string => String(value).toLowerCase();

export const rootClass = guid('c', 0);

/** A configuration object as a client keeps it. */
export interface StoredObject {
  readonly id: string;
  readonly parent: string | null;
  readonly class: string;
  readonly name: string;
  readonly status: number | null;
  readonly version: bigint;
  readonly properties: string;
}

/** What proc_getNewObjects answers. */
export interface Changes {
  readonly status: number | undefined;
  /** How many result sets came. */
  readonly sets: number;
  readonly lastUpdate: bigint | undefined;
  readonly objects: StoredObject[];
  readonly dependents: string[];
  readonly tombstones: { readonly id: string; readonly version: bigint }[];
}

/** The configuration procedures as a client of a farm uses them. */
export class Farm {
  readonly client: TestClient;

  constructor(client: TestClient) {
    this.client = client;
  }

  async putClass(id: string, base: string | null, name = 'Example.Class'): Promise<number | undefined> {
    return (await this.client.call(putClass, { Id: id, BaseClassId: base, FullName: name })).status;
  }

  /** Puts an object; what is not given is that of a new root of the root class. */
  async put(id: string, more: Partial<CallInput<(typeof putObject)['params']>> = {}) {
    const answer = await this.client.call(putObject, {
      Id: id,
      ParentId: null,
      ClassId: rootClass,
      Name: id,
      Status: 0,
      Version: null,
      Properties: '<object/>',
      AutoResolveMissingTypes: false,
      ExistingObject: null,
      NewVersion: null,
      ...more,
    });
    const { ExistingObject, NewVersion } = answer.output;
    return {
      status: answer.status,
      sets: answer.sets.length,
      existing: ExistingObject === null ? null : guidOf(ExistingObject),
      version: NewVersion === null ? null : versionOf(NewVersion),
    };
  }

  /** Puts an object and returns its version. */
  async stored(id: string, more: Partial<CallInput<(typeof putObject)['params']>> = {}): Promise<bigint> {
    const { status, version } = await this.put(id, more);
    if (status !== 0 || version === null) throw new Error(`proc_putObject returned ${status}`);
    return version;
  }

  async drop(id: string | null): Promise<number | undefined> {
    return (await this.client.call(dropObject, { Id: id })).status;
  }

  async dropClass(id: string | null): Promise<number | undefined> {
    return (await this.client.call(dropClass, { ClassId: id })).status;
  }

  async depend(object: string | null, on: string | null): Promise<number | undefined> {
    return (await this.client.call(putDependency, { ObjectId: object, DependantId: on })).status;
  }

  async object(id: string): Promise<StoredObject | undefined> {
    const { sets } = await this.client.call(getObject, { Id: id });
    return sets[0]?.map(objectOf)[0];
  }

  async changesSince(version: bigint | null): Promise<Changes> {
    const { status, sets } = await this.client.call(getNewObjects, { NewestCachedVersion: version });
    const [last = [], objects = [], dependents = [], tombstones = []] = sets;
    return {
      status,
      sets: sets.length,
      lastUpdate: last[0] && versionOf(last[0]['Version']),
      objects: objects.map(objectOf),
      dependents: dependents.map((row) => guidOf(row['DependantId'])).sort(),
      tombstones: tombstones.map((row) => ({ id: guidOf(row['Id']), version: versionOf(row['Version']) })),
    };
  }

  /** Begins a transaction of the client's own. */
  begin(): Promise<void> {
    const { connection } = this.client;
    return new Promise((resolve, reject) => {
      connection.beginTransaction((error) => (error ? reject(error) : resolve()));
    });
  }

  rollback(): Promise<void> {
    const { connection } = this.client;
    return new Promise((resolve, reject) => {
      connection.rollbackTransaction((error) => (error ? reject(error) : resolve()));
    });
  }

  segment(id: string | null, bytes: Uint8Array | null, offset: number | null): Promise<Answer> {
    return this.client.call(putFileSegment, { ObjectId: id, Bytes: bytes, Offset: offset });
  }

  /** The bytes of a file, or undefined when there is none. */
  async file(id: string): Promise<Buffer | undefined> {
    const { sets } = await this.client.call(getFile, { ObjectId: id });
    const image = sets[0]?.[0]?.['FileImage'];
    return image instanceof Buffer ? image : undefined;
  }
}

const objectOf = (row: Readonly<Record<string, unknown>>): StoredObject => ({
  id: guidOf(row['Id']),
  parent: row['ParentId'] === null ? null : guidOf(row['ParentId']),
  class: guidOf(row['ClassId']),
  name: String(row['Name']),
  status: row['Status'] === null ? null : Number(row['Status']),
  version: versionOf(row['Version']),
  properties: String(row['Properties']),
});
