import { resolve } from 'node:path';
import {
  type ConversationFiles,
  conversationFiles,
  deleteConversation,
  nameOf,
} from '../conversations/shelves/conversation-files';
import { isPrunable, leastAge, type PruneConditions } from '../conversations/shelves/prunable';
import { withoutSecrets } from '../conversations/stores/places/place';
import { counted } from '../engine/wording/counts';
import { CommandFailed } from './command-failed';
import { print, printJson, warn } from './output';
import type { JournalOptions } from './session-with-journal';
import { storeAt } from './store-at';

interface ListOptions extends Pick<JournalOptions, 'in' | 'tenant'> {
  readonly folder: string;
  readonly json?: boolean;
}

interface PruneOptions extends ListOptions {
  readonly olderThan?: number;
  readonly largerThan?: number;
  readonly dryRun?: boolean;
}

/** Lists the conversations that the gateway or the library keeps, and how much room they take. */
export async function listConversations(options: ListOptions): Promise<void> {
  const { folder, json } = options;
  if (options.in !== undefined) return await listStored(options.in, options);
  const found = await conversationFiles(resolve(folder));
  if (json) printJson({ folder: resolve(folder), conversations: found.map(asJson) });
  else print(`${countAndSize(found)} in ${resolve(folder)}\n${found.map(asLine).join('\n')}`.trim());
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
  if (options.in !== undefined) return await pruneStored(options.in, options);
  const all = await conversationFiles(resolve(folder));
  const conditions = conditionsOf(options);
  const asked = all.filter((each) => isPrunable(each, conditions, Date.now()));
  if (!dryRun) for (const each of asked) await deleteConversation(each);
  if (json) printJson({ folder: resolve(folder), dryRun: dryRun ?? false, deleted: asked.map(asJson) });
  else print(`${[...asked.map(asLine), `${dryRun ? 'Would delete' : 'Deleted'} ${countAndSize(asked)}.`].join('\n')}`);
}

/** A store does not know sizes. It deletes by time in one step, so it never deletes a conversation that is being written to. */
async function pruneStored(place: string, options: PruneOptions): Promise<void> {
  const { olderThan, largerThan, dryRun, tenant, json } = options;
  if (olderThan === undefined || largerThan !== undefined || dryRun || tenant !== undefined)
    throw new CommandFailed('prune --in needs --older-than alone: it is for all conversations of the store', true);
  const before = new Date(Date.now() - leastAge(conditionsOf(options))).toISOString();
  const store = await storeAt(place, warn);
  try {
    const deleted = await store.prune(before);
    if (json) printJson({ store: withoutSecrets(place), before, deleted });
    else print(`Deleted ${counted(deleted, 'conversation')}.`);
  } finally {
    await store.close();
  }
}

function conditionsOf({ olderThan, largerThan }: PruneOptions): PruneConditions {
  if (olderThan === undefined && largerThan === undefined)
    throw new CommandFailed('prune needs --older-than, --larger-than, or both', true);
  return {
    ...(olderThan === undefined ? {} : { olderThan }),
    ...(largerThan === undefined ? {} : { largerThan }),
  };
}

function countAndSize(found: readonly ConversationFiles[]): string {
  const bytes = found.reduce((total, each) => total + each.bytes, 0);
  return `${counted(found.length, 'conversation')}, ${sizeText(bytes)}`;
}

function asLine(files: ConversationFiles): string {
  return `${dateOf(files).slice(0, 16).replace('T', ' ')}  ${sizeText(files.bytes).padStart(9)}  ${nameOf(files)}`;
}

function asJson({ conversation, journal, bytes, modified }: ConversationFiles) {
  return { file: conversation, journal, bytes, modified: dateOf({ modified }) };
}

function dateOf({ modified }: Pick<ConversationFiles, 'modified'>): string {
  return new Date(modified).toISOString();
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
