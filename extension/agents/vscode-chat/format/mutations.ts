import { type LocalizableText, type LocalizableValue, localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';

export type Key = string | number;

/** A line of the log: kind 0 sets the whole state, the others change the value at the path `k`. */
export const logLine = s.record({ kind: s.anything, k: s.list, v: s.anything, i: s.anything });

/** The effect of a line of the log on the state. */
export type Mutation =
  | { readonly kind: 'began'; readonly state: s.JsonRecord }
  /** The value at this path was replaced or removed. */
  | { readonly kind: 'set'; readonly path: readonly Key[] }
  /** The list at this path was cut to its first `kept` items, and `added` items were appended. */
  | { readonly kind: 'pushed'; readonly path: readonly Key[]; readonly kept: number; readonly added: number }
  | { readonly kind: 'refused'; readonly message: LocalizableText };

type Container = Record<string, unknown> | unknown[];

/** Applies one line of VS Code's log of changes to the state, in place. A change that does not fit is refused entirely. */
export function mutate(state: s.JsonRecord | null, record: s.JsonRecord): Mutation {
  const { kind, k, v, i } = s.read(logLine, record);
  if (kind === 0) return begin(v);
  if (state === null) return refused(localizable('This change precedes the first state of the chat and was left out'));
  const path = pathOf(k);
  if (path === null) return refused(localizable('This change has no valid path and was left out'));
  const place = placeOf(state, path);
  if (place === null)
    return refused(localizable('The path of this change is not in the chat ({0}); it was left out', shown(path)));
  switch (kind) {
    case 1:
      return set(place, path, v);
    case 2:
      return push(place, path, v, i);
    case 3:
      return remove(place, path);
    default:
      return refused(localizable('This change has an unknown kind ({0}) and was left out', brief(kind)));
  }
}

function begin(value: unknown): Mutation {
  if (s.isRecord(value)) return { kind: 'began', state: value };
  return refused(localizable('This line does not contain a chat state and was left out'));
}

/** An existing container, and the key to change in it. */
interface TargetSlot {
  readonly container: Container;
  readonly key: Key;
}

function pathOf(keys: readonly unknown[]): readonly Key[] | null {
  return keys.length > 0 && keys.every(isKey) ? keys : null;
}

function isKey(value: unknown): value is Key {
  return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value) && value >= 0);
}

function placeOf(state: s.JsonRecord, path: readonly Key[]): TargetSlot | null {
  let container: unknown = state;
  for (const key of path.slice(0, -1)) container = childOf(container, key);
  const key = path.at(-1);
  return isContainer(container) && key !== undefined && fits(container, key) ? { container, key } : null;
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

/** Own properties only, so that a path cannot reach a prototype. */
function childOf(container: unknown, key: Key): unknown {
  return isContainer(container) && Object.hasOwn(container, key) ? Reflect.get(container, key) : undefined;
}

/** A list accepts its indexes and the next one. `__proto__` is never accepted. */
function fits(container: Container, key: Key): boolean {
  if (Array.isArray(container)) return typeof key === 'number' && key <= container.length;
  return typeof key === 'string' && key !== '__proto__';
}

function set({ container, key }: TargetSlot, path: readonly Key[], value: unknown): Mutation {
  Reflect.set(container, key, value);
  return { kind: 'set', path };
}

function push({ container, key }: TargetSlot, path: readonly Key[], items: unknown, end: unknown): Mutation {
  const there = childOf(container, key) ?? [];
  if (!Array.isArray(there))
    return refused(
      localizable('This change appends to a value that is not a list ({0}); it was left out', shown(path)),
    );
  const kept = end ?? there.length;
  if (typeof kept !== 'number' || !Number.isInteger(kept) || kept < 0 || kept > there.length) {
    return refused(
      localizable('This change cuts the list {0} at {1}, beyond its end; it was left out', shown(path), brief(end)),
    );
  }
  const added = s.read(s.list, items);
  there.length = kept;
  for (const item of added) there.push(item);
  Reflect.set(container, key, there);
  return { kind: 'pushed', path, kept, added: added.length };
}

/** A removed item of a list becomes null, as in VS Code. */
function remove({ container, key }: TargetSlot, path: readonly Key[]): Mutation {
  if (Array.isArray(container)) Reflect.set(container, key, null);
  else Reflect.deleteProperty(container, key);
  return { kind: 'set', path };
}

function refused(message: LocalizableText): Mutation {
  return { kind: 'refused', message };
}

const maximumShown = 80;

/** Does not use JSON, because `JSON.stringify` fails on deeply nested values. */
function brief(value: unknown): LocalizableValue {
  const isNested = typeof value === 'object' && value !== null;
  return isNested ? localizable('an object or a list') : shortened(String(value));
}

function shown(path: readonly Key[]): string {
  return shortened(path.join('.'));
}

function shortened(text: string): string {
  return text.length <= maximumShown ? text : `${text.slice(0, maximumShown)}…`;
}
