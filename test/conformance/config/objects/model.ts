import { fold } from '../../../../src/base/text/collation.ts';

/** An object as the model keeps it; `order` counts changes and so stands for the row version. */
export interface ModelObject {
  readonly parent: string | null;
  readonly class: string;
  readonly name: string;
  readonly order: number;
}

export interface Put {
  readonly id: string;
  readonly parent: string | null;
  readonly class: string;
  readonly name: string;
}

/** Section 3.1.5's rules for classes, objects, dependencies and tombstones, written a second time and as plainly as can be. */
export class Model {
  readonly classes = new Map<string, string | null>();
  readonly objects = new Map<string, ModelObject>();
  readonly tombstones = new Map<string, number>();
  /** Who depends on whom. */
  readonly dependencies: { readonly object: string; readonly on: string }[] = [];
  #order = 0;

  get order(): number {
    return this.#order;
  }

  putClass(id: string, base: string | null): number {
    if (base !== null && !this.classes.has(base)) return 1;
    this.classes.set(id, base);
    return 0;
  }

  create(put: Put): number {
    if (this.objects.has(put.id)) return 9;
    if (!this.classes.has(put.class)) return 2;
    if (this.namesake(put) !== undefined) return 8;
    if (put.parent !== null && put.parent !== put.id && !this.objects.has(put.parent)) return 3;
    this.#store(put);
    return 0;
  }

  update(put: Put, versionIsPresent: boolean): number {
    if (!this.objects.has(put.id)) return 1;
    if (!this.classes.has(put.class)) return 2;
    if (!versionIsPresent) return 4;
    if (put.parent !== null && put.parent !== put.id) {
      if (!this.objects.has(put.parent) || this.#withDescendants([put.id]).has(put.parent)) return 5;
    }
    if (this.namesake(put) !== undefined) return 5;
    this.#store(put);
    return 0;
  }

  /** The code of proc_DropObject, or 547. */
  drop(id: string): number {
    if (!this.objects.has(id)) return 1;
    if (this.dependencies.some(({ object, on }) => on === id && object !== id)) return 547;
    return this.#remove(this.#withDescendants([id]));
  }

  dropClass(id: string): number {
    if (!this.classes.has(id)) return 0;
    const classes = new Set([id]);
    for (let size = 0; size < classes.size; ) {
      size = classes.size;
      for (const [derived, base] of this.classes) if (base !== null && classes.has(base)) classes.add(derived);
    }
    const roots = [...this.objects].filter(([, object]) => classes.has(object.class)).map(([object]) => object);
    const code = this.#remove(this.#withDescendants(roots));
    if (code === 0) for (const gone of classes) this.classes.delete(gone);
    return code;
  }

  depend(object: string, on: string): number {
    if (!this.objects.has(object) || !this.objects.has(on)) return 547;
    if (!this.dependencies.some((known) => known.object === object && known.on === on)) {
      this.dependencies.push({ object, on });
    }
    return 0;
  }

  /** Another object of the same class, parent and name. */
  namesake({ id, parent, class: classId, name }: Put): string | undefined {
    for (const [other, object] of this.objects) {
      if (other !== id && object.class === classId && object.parent === parent && fold(object.name) === fold(name)) {
        return other;
      }
    }
    return undefined;
  }

  /** The identifiers that proc_getNewObjects should list since a change. */
  since(order: number) {
    const changed = [...this.objects].filter(([, object]) => object.order > order);
    const objects = changed.sort(([, one], [, other]) => one.order - other.order).map(([id]) => id);
    const dependents = this.dependencies.filter(({ on }) => objects.includes(on)).map(({ object }) => object);
    const tombstones = [...this.tombstones].filter(([, at]) => at > order).map(([id]) => id);
    return { objects, dependents: [...new Set(dependents)].sort(), tombstones: tombstones.sort() };
  }

  #store({ id, ...object }: Put): void {
    this.tombstones.delete(id);
    this.objects.set(id, { ...object, order: ++this.#order });
  }

  #withDescendants(roots: readonly string[]): Set<string> {
    const found = new Set(roots);
    for (let size = -1; size < found.size; ) {
      size = found.size;
      for (const [id, { parent }] of this.objects) if (parent !== null && found.has(parent)) found.add(id);
    }
    return found;
  }

  #remove(doomed: ReadonlySet<string>): number {
    if (this.dependencies.some(({ object, on }) => doomed.has(on) && !doomed.has(object))) return 547;
    for (const id of doomed) {
      this.objects.delete(id);
      this.tombstones.set(id, ++this.#order);
    }
    const left = this.dependencies.filter(({ object }) => !doomed.has(object));
    this.dependencies.splice(0, this.dependencies.length, ...left);
    return 0;
  }
}
