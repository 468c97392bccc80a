/** Checks that a document conforms to a schema and returns it ready to be read; `param` is what errors call it. */
export type Conforming = (document: string, param: string) => Promise<string>;

/** The check of an XML Schema, loaded with the first document: a server that gets none holds 12 MB less. */
export function schemaIn(file: URL): Conforming {
  let validator: Promise<(document: string, param: string) => string> | undefined;
  return async (document, param) => {
    validator ??= import('./validator.ts').then(({ validatorOf }) => validatorOf(file));
    return (await validator)(document, param);
  };
}
