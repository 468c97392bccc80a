/**
 * States that a session of a node holds one lock and waits for another, each as a 32-bit number; `held` may be
 * `nothing`.
 */
export interface WaitEdge {
  readonly pid: number;
  readonly held: number;
  readonly wanted: number;
}

/** A name is hashed to 29 bits, the mode takes the rest. */
const modeBits = 3;

/** Stands for the lock of a session that holds none: it has a mode that no lock has. */
const nothing = (1 << modeBits) - 1;

const modeOf = (code: number): number => code & nothing;
const nameOf = (code: number): number => code >>> modeBits;

/** A lock as a 32-bit number: a hash of its name, and its mode. */
export const codeOf = (bits: number, mode: number): number => ((bits << modeBits) | mode) >>> 0;

/** Whether two modes conflict. */
export type Conflict = (one: number, other: number) => boolean;

const meets = (wanted: number, held: number, conflict: Conflict): boolean =>
  held !== nothing && nameOf(wanted) === nameOf(held) && conflict(modeOf(wanted), modeOf(held));

/** What a node publishes about a wait: that it exists, and which of the held locks other nodes wait for. */
export function worthPublishing(held: readonly number[], wanted: readonly number[], conflict: Conflict): number[] {
  const awaited = held.filter((code) => wanted.some((other) => meets(other, code, conflict)));
  return [nothing, ...new Set(awaited)];
}

function reachedFrom(start: WaitEdge, edges: readonly WaitEdge[], conflict: Conflict): Set<WaitEdge> {
  const reached = new Set<WaitEdge>();
  const next = [start];
  for (let edge = next.pop(); edge !== undefined; edge = next.pop()) {
    const { pid, wanted } = edge;
    for (const other of edges) {
      if (other.pid === pid || reached.has(other) || !meets(wanted, other.held, conflict)) continue;
      reached.add(other);
      next.push(other);
    }
  }
  return reached;
}

const isAfter = (one: WaitEdge, other: WaitEdge): boolean =>
  one.pid !== other.pid
    ? one.pid > other.pid
    : one.wanted !== other.wanted
      ? one.wanted > other.wanted
      : one.held > other.held;

/** The edges to remove so that no cycle remains: one per cycle, the same on every node that looks. */
export function victimsOf(edges: readonly WaitEdge[], conflict: Conflict): Set<WaitEdge> {
  const reached = new Map(edges.map((edge) => [edge, reachedFrom(edge, edges, conflict)]));
  const victims = new Set<WaitEdge>();
  for (const [edge, others] of reached) {
    if (!others.has(edge)) continue;
    const circle = [...others].filter((other) => reached.get(other)?.has(edge));
    victims.add(circle.reduce((last, other) => (isAfter(other, last) ? other : last), edge));
  }
  return victims;
}
