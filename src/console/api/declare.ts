import type { Fields, Infer, InferFields, Schema } from './schema.ts';

/**
 * Who may ask: the least role that a login must hold somewhere, an admin's on all databases. `reader` is every login,
 * which sees the databases that it has a role on; `nobody` has not logged in.
 */
type RouteRole = 'nobody' | 'reader' | 'writer' | 'admin';

/** What one address of the interface takes and gives: server, pages and OpenAPI derive from this alone. */
export interface RouteDeclaration<
  P extends Fields = Fields,
  Q extends Fields = Fields,
  B = unknown,
  O = unknown,
  E = unknown,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Its address; `:name` is a parameter. */
  readonly path: `/api/v1/${string}`;
  readonly role: RouteRole;
  readonly summary: string;
  readonly params: P;
  readonly query: Q;
  readonly body: Schema<B> | undefined;
  /** What is answered in JSON. */
  readonly output: Schema<O> | undefined;
  /** The data of each server-sent event, if it is a stream of them. */
  readonly events: Schema<E> | undefined;
  /** True for a file that is handed out. */
  readonly download: boolean;
  /**
   * Milliseconds between two checks for its followers: requested with `Accept: text/event-stream`, it sends an event
   * for every change of its answer.
   */
  readonly live: number | undefined;
}

/** A declaration as it is written; what is left out is not there. */
interface Written<P extends Fields, Q extends Fields, B, O, E> {
  readonly method: RouteDeclaration['method'];
  readonly path: RouteDeclaration['path'];
  readonly role: RouteRole;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: Schema<B>;
  readonly output?: Schema<O>;
  readonly events?: Schema<E>;
  readonly download?: true;
  readonly live?: number;
}

/** All that a caller gives, whichever part of the request it travels in. */
export type RouteInput<R> =
  R extends RouteDeclaration<infer P, infer Q, infer B, infer _O, infer _E>
    ? InferFields<P> & InferFields<Q> & (unknown extends B ? unknown : B)
    : never;

/** What a caller gets. */
export type RouteOutput<R> = R extends { readonly output: infer S } ? Infer<Exclude<S, undefined>> : never;

/** What comes with each event. */
export type RouteEvent<R> = R extends { readonly events: infer S } ? Infer<Exclude<S, undefined>> : never;

/** Declares a route. */
export function route<
  P extends Fields = Record<never, never>,
  Q extends Fields = Record<never, never>,
  B = unknown,
  O = unknown,
  E = unknown,
>({
  params,
  query,
  body,
  output,
  events,
  download,
  live,
  ...rest
}: Written<P, Q, B, O, E>): RouteDeclaration<P, Q, B, O, E> {
  return {
    ...rest,
    // Without parameters of its own, P and Q are the empty shapes of their defaults.
    params: params ?? ({} as P),
    query: query ?? ({} as Q),
    body,
    output,
    events,
    download: download ?? false,
    live,
  };
}
