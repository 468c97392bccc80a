// What the sources use and Node 22 lacks; later versions have it.
if (globalThis.SuppressedError === undefined) {
  globalThis.SuppressedError = class SuppressedError extends Error {
    name = 'SuppressedError';
    constructor(error, suppressed, message) {
      super(message);
      this.error = error;
      this.suppressed = suppressed;
    }
  };
}

class Stack {
  #later = [];
  #disposed = false;
  get disposed() {
    return this.#disposed;
  }
  add(dispose) {
    if (this.#disposed) throw new ReferenceError('The stack is disposed of.');
    this.#later.push(dispose);
  }
  adopt(value, dispose) {
    this.add(() => dispose(value));
    return value;
  }
  defer(dispose) {
    this.add(dispose);
  }
  move() {
    const moved = new this.constructor();
    for (const dispose of this.take()) moved.add(dispose);
    this.#disposed = true;
    return moved;
  }
  /** All of it, in the order in which it was added; nothing is left. */
  take() {
    return this.#later.splice(0);
  }
  /** What is to be disposed of, last first; nothing the second time. */
  ending() {
    if (this.#disposed) return [];
    this.#disposed = true;
    return this.take().reverse();
  }
}

/** Keeps the first error and says what came after it. */
function joined(errors) {
  return errors.reduce(
    (before, error) => new SuppressedError(error, before, 'An error was suppressed during disposal.'),
  );
}

if (globalThis.DisposableStack === undefined) {
  globalThis.DisposableStack = class DisposableStack extends Stack {
    use(value) {
      if (value != null) this.add(() => value[Symbol.dispose]());
      return value;
    }
    dispose() {
      const errors = [];
      for (const dispose of this.ending()) {
        try {
          dispose();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw joined(errors);
    }
    [Symbol.dispose]() {
      this.dispose();
    }
  };
}

if (globalThis.AsyncDisposableStack === undefined) {
  globalThis.AsyncDisposableStack = class AsyncDisposableStack extends Stack {
    use(value) {
      if (value != null) this.add(() => (value[Symbol.asyncDispose] ?? value[Symbol.dispose]).call(value));
      return value;
    }
    async disposeAsync() {
      const errors = [];
      for (const dispose of this.ending()) {
        try {
          await dispose();
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw joined(errors);
    }
    [Symbol.asyncDispose]() {
      return this.disposeAsync();
    }
  };
}
