import { resolve } from 'node:path';
import { deleteKept, type KeptFiles, keptFiles, nameOf } from '../conversations/shelves/kept-files';
import { isPrunable, type PruneConditions } from '../conversations/shelves/prunable';
import { withoutSecrets } from '../conversations/stores/places/place';
import { CommandFailed } from './command-failed';
import { print, printJson, warn } from './output';
import type { JournalOptions } from './session-with-journal';
import { storeAt } from './store-at';

interface ListOptions extends Pick<JournalOptions, 'in' | 'tenant'> {
  readonly folder: string;
  readonly json?: boolean;
}

interface PruneOptions extends ListOptions {
  readonly olderThan?: string;
  readonly largerThan?: string;
  readonly dryRun?: boolean;
}

/** Lists the conversations that the gateway or the library keeps, and how much room they take. */
export async function listConversations(options: ListOptions): Promise<void> {
  const { folder, json } = options;
  if (options.in !== undefined) return await listStored(options.in, options);
  const kept = await keptFiles(resolve(folder));
  if (json) printJson({ folder: resolve(folder), conversations: kept.map(asJson) });
  else print(`${countAndSize(kept)} in ${resolve(folder)}\n${kept.map(asLine).join('\n')}`.trim());
}

async function listStored(place: string, { tenant, json }: ListOptions): Promise<void> {
  const store = await storeAt(place, warn);
  try {
    const all = [...(await store.list(tenant ?? ''))].sort((a, b) => (a.updated < b.updated ? 1 : -1));
    const named = all.map(({ id, name, created, updated, length }) => ({
      id,
      name,
      created,
      updated,
      records: length,
    }));
    if (json) printJson({ store: withoutSecrets(place), tenant: tenant ?? null, conversations: named });
    else
      print(
        named.map(({ id, name, updated }) => `${updated.slice(0, 16).replace('T', ' ')}  ${name ?? id}`).join('\n'),
      );
  } finally {
    await store.close();
  }
}

/** Deletes conversations that all given conditions hold for. One that was written to lately is never deleted. */
export async function pruneConversations(options: PruneOptions): Promise<void> {
  const { folder, dryRun, json } = options;
  if (options.in !== undefined)
    throw new CommandFailed('prune is for folders; a store has its own: `store.prune(before)`', true);
  const all = await keptFiles(resolve(folder));
  const conditions = conditionsOf(options);
  const asked = all.filter((kept) => isPrunable(kept, conditions, Date.now()));
  if (!dryRun) for (const kept of asked) await deleteKept(kept);
  if (json) printJson({ folder: resolve(folder), dryRun: dryRun ?? false, deleted: asked.map(asJson) });
  else print(`${[...asked.map(asLine), `${dryRun ? 'Would delete' : 'Deleted'} ${countAndSize(asked)}.`].join('\n')}`);
}

function conditionsOf({ olderThan, largerThan }: PruneOptions): PruneConditions {
  if (olderThan === undefined && largerThan === undefined)
    throw new CommandFailed('prune needs --older-than, --larger-than, or both', true);
  return {
    ...(olderThan === undefined ? {} : { olderThan: millisecondsIn(olderThan) }),
    ...(largerThan === undefined ? {} : { largerThan: bytesIn(largerThan) }),
  };
}

const hourMs = 3_600_000;
const durations: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs, w: 7 * 24 * hourMs };
const sizes: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

function millisecondsIn(text: string): number {
  return amountIn(text, durations, '--older-than needs a number of hours, days or weeks, such as 12h, 30d or 4w');
}

function bytesIn(text: string): number {
  return amountIn(text, sizes, '--larger-than needs a size such as 500kB, 20MB or 1GB');
}

function amountIn(text: string, units: Readonly<Record<string, number>>, fault: string): number {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()];
  if (amount === undefined || factor === undefined) throw new CommandFailed(fault, true);
  return Number(amount) * factor;
}

function countAndSize(kept: readonly KeptFiles[]): string {
  const bytes = kept.reduce((total, each) => total + each.bytes, 0);
  return `${kept.length} ${kept.length === 1 ? 'conversation' : 'conversations'}, ${sizeText(bytes)}`;
}

function asLine(kept: KeptFiles): string {
  return `${dateOf(kept).slice(0, 16).replace('T', ' ')}  ${sizeText(kept.bytes).padStart(9)}  ${nameOf(kept)}`;
}

function asJson({ conversation, journal, bytes, modified }: KeptFiles) {
  return { file: conversation, journal, bytes, modified: dateOf({ modified }) };
}

function dateOf({ modified }: Pick<KeptFiles, 'modified'>): string {
  return new Date(modified).toISOString();
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
