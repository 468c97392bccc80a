import { type Batch, inserts, type Property, repairs } from './store.ts';

/** A property store in memory, written from 3.1.5.90 step by step. */
export class StoreModel {
  /** `doc pid llVal` → strVal. */
  readonly properties = new Map<string, string | null>();
  /** doc → title and social tags. */
  readonly results = new Map<number, { title: string | null; tags: string | null }>();
  /** doc → descriptor and first byte of the duplicate hashes. */
  readonly sdIds = new Map<number, { sdid: number; hash: number | null }>();
  /** `doc term` → sentence. */
  readonly definitions = new Map<string, string | null>();
  readonly #history = new Map<bigint, { schema: number; content: bigint; first: bigint; change: bigint }>();

  apply(queue: number, batch: Batch): void {
    for (const doc of batch.documents ?? []) this.#removeDocument(doc);
    if (queue === repairs) this.#clear(batch);
    for (const { DocId, Pid } of batch.remove ?? []) this.#removeProperties((doc, pid) => doc === DocId && pid === Pid);
    for (const { DocId, Pid, IsStringType, llVal } of batch.removeValues ?? []) {
      const same = (value: bigint) => (IsStringType === 1 ? value >> 32n === llVal >> 32n : value === llVal);
      this.#removeProperties((doc, pid, value) => doc === DocId && pid === Pid && same(value));
    }
    for (const { DocId, Pid } of batch.update ?? []) this.#removeProperties((doc, pid) => doc === DocId && pid === Pid);
    for (const property of [...(batch.update ?? []), ...(batch.add ?? [])]) this.#put(property);
    for (const { DocId, title } of batch.results ?? []) {
      this.results.set(DocId, { title, tags: this.results.get(DocId)?.tags ?? null });
    }
    for (const { DocId, popularSocialTags: tags } of batch.tags ?? []) {
      const found = this.results.get(DocId);
      if (found) this.results.set(DocId, { ...found, tags });
    }
    this.#secure(batch);
    this.#sign(queue, batch);
    for (const { DocId, Term, Sentence } of batch.definitions ?? []) this.definitions.set(`${DocId} ${Term}`, Sentence);
  }

  #put({ DocId, Pid, llVal, strVal }: Pick<Property, 'DocId' | 'Pid' | 'llVal' | 'strVal'>): void {
    this.properties.set(`${DocId} ${Pid} ${llVal}`, strVal);
  }

  #removeProperties(goes: (doc: number, pid: number, value: bigint) => boolean): void {
    for (const key of [...this.properties.keys()]) {
      const [doc = '', pid = '', value = ''] = key.split(' ');
      if (goes(Number(doc), Number(pid), BigInt(value))) this.properties.delete(key);
    }
  }

  #removeDefinitions(doc: number): void {
    for (const key of [...this.definitions.keys()]) if (key.startsWith(`${doc} `)) this.definitions.delete(key);
  }

  #removeDocument(doc: number): void {
    this.#removeProperties((each) => each === doc);
    this.results.delete(doc);
    this.sdIds.delete(doc);
    this.#removeDefinitions(doc);
  }

  #clear({ add = [], update = [], results = [], sdIds = [], definitions = [] }: Batch): void {
    for (const { DocId } of [...add, ...update]) this.#removeProperties((doc) => doc === DocId);
    for (const { DocId } of results) this.results.delete(DocId);
    for (const { DocId } of sdIds) this.sdIds.delete(DocId);
    for (const { DocId } of definitions) this.#removeDefinitions(DocId);
  }

  #secure({ sdIds = [] }: Batch): void {
    for (const { DocId, sdid, duplicateAction, duplicateHashes } of sdIds) {
      const before = this.sdIds.get(DocId)?.hash ?? null;
      const given = duplicateAction === 1 ? (duplicateHashes[0] ?? null) : null;
      this.sdIds.set(DocId, { sdid, hash: duplicateAction === 2 ? before : given });
    }
  }

  #sign(queue: number, { signatures = [] }: Batch): void {
    for (const { DocId, UrlSignature, SchemaSignature: schema, ContentSignature: content, CrawlTime } of signatures) {
      const before = this.#history.get(UrlSignature);
      const isNews = before !== undefined && before.schema === schema && before.content !== content;
      const first = before?.first ?? CrawlTime;
      const change = before === undefined || isNews ? CrawlTime : before.change;
      this.#history.set(UrlSignature, { schema, content, first, change });
      if (before === undefined && queue !== inserts && queue !== repairs) continue;
      this.#removeProperties((doc, pid) => doc === DocId && (pid === 321 || pid === 322));
      this.#put({ DocId, Pid: 321, llVal: first, strVal: null });
      this.#put({ DocId, Pid: 322, llVal: change, strVal: null });
    }
  }
}
