import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Exchange } from '../server/server';

/** Names without values in an agent's records and requests: the paths of all fields, with the types of the records that have them. */
export interface Shapes {
  readonly session: readonly string[];
  readonly requests: readonly string[];
}

/** The folder in which a run records what it saw of each agent. Absent: it records nothing. */
export const shapesFolder = process.env.STRATA_AGENT_SHAPES;

/** The file with the shapes of the pinned version of an agent. */
export function shapesFile(agent: string): string {
  return join(import.meta.dirname, '..', 'shapes', `${agent}.json`);
}

/** Maximum depth of recorded fields. Deeper fields belong to tools and to the person's project. */
const deepest = 4;

/** The shapes of a session: lines of JSON, one JSON value, or a database. */
export function shapesOfSession(address: string): string[] {
  const [file = ''] = address.split('#');
  if (file.endsWith('.db')) return sorted(shapesOfDatabase(file));
  const text = readFileSync(file, 'utf8');
  const whole = parsed(text);
  const values = whole === undefined ? text.split('\n').map(parsed) : [whole];
  return sorted(values.flatMap((value) => shapesIn(value)));
}

export function shapesOfRequests(exchanges: readonly Pick<Exchange, 'body' | 'request'>[]): string[] {
  return sorted(
    exchanges.flatMap(({ body, request }) => [
      ...Object.keys(body).map((name) => `field ${name}`),
      ...request.tools.map((name) => `tool ${name}`),
      ...request.said.flatMap((one) => (one.kind === 'text' && one.role !== 'assistant' ? tagsIn(one.text) : [])),
    ]),
  );
}

/** The tags in a text. Agents put the texts that they add to a person's message into tags of their own. */
function tagsIn(text: string): string[] {
  return [...text.matchAll(/^<([a-z][\w-]+)>/gm)].map(([, name]) => `tag ${name}`);
}

function shapesOfDatabase(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    return tables.flatMap(({ name }) =>
      database
        .prepare(`select * from "${name}"`)
        .all()
        .flatMap((row) => Object.entries(row).flatMap(([column, value]) => ofColumn(`${name}.${column}`, value))),
    );
  } finally {
    database.close();
  }
}

function ofColumn(path: string, value: unknown): string[] {
  const record = typeof value === 'string' ? parsed(value) : undefined;
  return typeof record === 'object' && record !== null ? shapesIn(record, path) : [path];
}

function shapesIn(value: unknown, path = '', depth = 0): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => shapesIn(item, `${path}[]`, depth));
  if (typeof value !== 'object' || value === null || depth >= deepest) return path === '' ? [] : [path];
  const { type } = value as { readonly type?: unknown };
  const here = typeof type === 'string' && isName(type) ? `${path}<${type}>` : path;
  return Object.entries(value).flatMap(([name, field]) =>
    shapesIn(field, `${here}${here === '' ? '' : '.'}${isName(name) ? name : '*'}`, depth + 1),
  );
}

/** Whether this is the name of a field or a type, and not an id or a path used as a key. */
function isName(name: string): boolean {
  return /^[\w.$-]{1,40}$/.test(name) && !/\d{3}|\.\w+$/.test(name.replace(/^[\w-]+\.(?=[a-z_]+$)/, ''));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

/** One line for each shape that is new or gone. */
export function shapeChanges(before: Shapes, now: Shapes): string[] {
  return (['session', 'requests'] as const).flatMap((where) => [
    ...listed(`new in the ${where}`, minus(now[where], before[where])),
    ...listed(`gone from the ${where}`, minus(before[where], now[where])),
  ]);
}

function minus(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return some.filter((name) => !known.has(name));
}

function listed(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];
}
