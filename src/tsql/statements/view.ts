import { sqlError } from '../../base/messages/sql-error.ts';
import { fold } from '../../base/text/collation.ts';
import { inTurns } from '../../base/threads/steps.ts';
import type { ObjectName } from '../../procedure/object-name.ts';
import type { TemporaryColumn } from '../../procedure/relations/tsql-view.ts';
import { firstSelect } from '../../syntax/ast/first-select.ts';
import type { CreateView, Drop } from '../../syntax/ast/statement.ts';
import { namesIn } from '../../syntax/ast/walk.ts';
import { StatementContext } from '../evaluate/statement-context.ts';
import type { Frame } from '../frame.ts';
import type { Host } from '../host.ts';
import type { PlanColumn } from '../query/plan.ts';
import { boundTo, type MadeView, meantBy } from '../storage/made-view.ts';
import { keepModule, removeModule } from '../storage/modules.ts';
import { namedColumns } from '../storage/named-columns.ts';
import { type ObjectPlace, placeToCreate, tableNamed, takenForText, viewNamed } from '../storage/object-place.ts';
import { type Completion, ended } from './completion.ts';
import { beginImplicitly } from './transaction.ts';

/** CREATE or ALTER VIEW in tempdb, for administrators: what it reads must exist. */
export async function runCreateView(definition: CreateView, frame: Frame): Promise<Completion> {
  const { host } = frame;
  const { name, text } = definition;
  const place = placeOfView(definition, host);
  const known = place.views.get(fold(name.name));
  if (known !== undefined) refuseBound('ALTER', known, host);
  await beginImplicitly(frame);
  const made = { schema: place.schema, name: name.name, definition, objectId: known?.objectId ?? place.newObjectId() };
  const references = await referencesOf(definition, place, frame);
  const memory = takenForText(text, place, host);
  try {
    const columns = await columnsOf({ ...made, columns: [], ...references, memory }, frame);
    memory.take(columns.length * bytesPerColumn);
    // Others may have taken the name meanwhile.
    placeOfView(definition, host);
    keepModule(place.views, { ...made, columns, ...references, memory }, host.state.undo);
  } catch (error) {
    memory.free();
    throw error;
  }
  return ended(frame.sink, { command: 'other' });
}

/** The approximate memory of a column: * may stand for many. */
const bytesPerColumn = 200;

/** Where a view is, or is going to be: 262 if the session may not make one, 208 or 2714 if its name is not right. */
function placeOfView({ name, alter, orAlter }: CreateView, host: Host): ObjectPlace {
  if (name.database !== undefined) throw sqlError(166, 'CREATE/ALTER VIEW');
  if (name.name.startsWith('#')) throw sqlError(4103, name.name);
  const place = placeToCreate(name, host);
  if (place === undefined) throw sqlError(262, alter ? 'ALTER VIEW' : 'CREATE VIEW', host.database);
  const key = fold(name.name);
  const isKnown = place.views.has(key);
  const isOther = place.tables.has(key) || place.procedures.has(key);
  if (isOther && (alter || orAlter)) throw sqlError(2010, name.name);
  if (alter && !isKnown) throw sqlError(208, name.name);
  if (isOther || (isKnown && !alter && !orAlter)) throw sqlError(2714, name.name);
  return place;
}

/** The columns of a view that is being made: each needs a name of its own. */
async function columnsOf(view: MadeView, frame: Frame): Promise<TemporaryColumn[]> {
  const { columns: names, query } = view.definition;
  const context = await StatementContext.of(frame, query, { within: view });
  const { columns } = context.query(query, undefined);
  if (names.length > columns.length) throw sqlError(4502, view.name);
  if (names.length > 0 && names.length < columns.length) throw sqlError(8158, view.name);
  const seen = new Set<string>();
  return columns.map(({ type, nullable, name: own }: PlanColumn, at) => {
    const name = names[at] ?? own;
    if (name === '') throw sqlError(4511, at + 1);
    if (seen.has(fold(name))) throw sqlError(4506, name, view.name);
    seen.add(fold(name));
    return { name, type, nullable };
  });
}

/** What a view reads, and its numbers if it is bound to that; what begins with # is no part of a view. */
async function referencesOf({ name, query, isSchemaBound }: CreateView, place: ObjectPlace, frame: Frame) {
  const bindsTo = new Set<number>();
  const reads = new Map<string, ObjectName>();
  const own = new Set(query.with.map((cte) => fold(cte.name)));
  const { tables } = await inTurns(namesIn(query), frame.turn);
  const hasStar = firstSelect(query.body)?.items.some(({ kind }) => kind === 'star');
  if (isSchemaBound && hasStar) throw sqlError(1054, '*');
  for (const { name: read } of tables) {
    if (read.name.startsWith('#')) throw sqlError(4508);
    if (read.schema === undefined && own.has(fold(read.name))) continue;
    reads.set(fold([read.database, read.schema, read.name].join('.')), read);
    const meant = meantBy(place, read, frame.host);
    const object = tableNamed(meant, frame.host) ?? viewNamed(meant, frame.host);
    if (!isSchemaBound || object === undefined) continue;
    if (read.schema === undefined || read.database !== undefined)
      throw sqlError(4512, 'view', name.name, [read.database, read.schema, read.name].filter(Boolean).join('.'));
    bindsTo.add(object.objectId);
  }
  const boundNames = isSchemaBound ? namedColumns(query) : new Set<string>();
  return { bindsTo, boundNames, reads: [...reads.values()] };
}

/** 3729 for what a view is bound to. */
export function refuseBound(
  change: 'DROP TABLE' | 'DROP VIEW' | 'ALTER',
  of: { name: string; objectId: number },
  host: Host,
): void {
  const [view] = boundTo(of, host);
  if (view !== undefined) throw sqlError(3729, change, of.name, view.name);
}

/** A view gets the columns that its query has now, unless the transaction is undone. */
export async function refreshView(view: MadeView, place: ObjectPlace, frame: Frame): Promise<void> {
  await beginImplicitly(frame);
  const { state } = frame.host;
  const columns = await columnsOf(view, frame);
  const { memory } = view;
  const more = (columns.length - view.columns.length) * bytesPerColumn;
  if (more > 0) memory.take(more);
  else memory.giveBack(-more);
  const key = fold(view.name);
  place.views.set(key, { ...view, columns });
  state.undo.record(() => place.views.set(key, view));
}

/** 3705 for an object of another kind. */
export function refuseOtherKind(what: Drop['what'], name: string, place: ObjectPlace): void {
  const { tables: table, procedures: procedure, views: view } = place;
  const kinds = { table, procedure, view };
  if (!(what in kinds)) return;
  for (const [kind, objects] of Object.entries(kinds)) {
    const right = `DROP ${kind.toUpperCase()}`;
    if (kind !== what && objects.has(fold(name))) throw sqlError(3705, what.toUpperCase(), name, name, kind, right);
  }
}

/** False if there is none of that name. */
export function dropView(name: ObjectName, place: ObjectPlace | undefined, { host }: Frame): boolean {
  if (name.database !== undefined) throw sqlError(166, 'DROP VIEW');
  const view = place?.views.get(fold(name.name));
  if (view === undefined || place === undefined) return false;
  refuseBound('DROP VIEW', view, host);
  removeModule(place.views, view, host.state.undo);
  return true;
}
