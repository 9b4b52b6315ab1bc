import { type Entry, textOf, toolCalls, toolResults } from '../engine/conversation/entry';
import type { Background } from '../engine/run/background';
import { Inspection } from '../inspection/inspection';
import { openJournal } from '../inspection/journal-store';
import type { AgentEnvironment } from '../platform/files/environment';
import { agentNames, type Session } from '../sessions/session';
import { type AgentDoor, HandedOverUnreadable } from './door';
import { type AgentRequest, type FallbackAnswer, fallback } from './exchange';
import { type NamedRequest, openSessionRef, type SessionRef } from './find-session';
import type { AgentSettings } from './settings';
import { recallToolOf } from './setup/installed';
import type { ChosenWriter } from './writer';

/** Services for answers to agents. */
export interface AgentServices {
  readonly environment: AgentEnvironment;
  /** The folder of the journals. */
  readonly journals: string;
  /** Read for each request. */
  readonly settings: () => AgentSettings;
  /** Read for each request. */
  readonly writer: () => ChosenWriter;
  /** Prepares the next compaction of a session in the background. Absent: only `prepare` prepares one, and waits for it. */
  readonly prepares?: (agent: string, asked: SessionRef) => void;
  /** Counts and prepares off the main thread, for one request. Absent: the main thread does so, because it has no other work. */
  readonly background?: () => Background;
  /** ISO 8601. */
  readonly now: () => string;
}

/** One request of a plugin, and its session. */
export interface AgentCall {
  readonly door: AgentDoor;
  readonly request: NamedRequest;
  readonly services: AgentServices;
  readonly signal: AbortSignal;
  readonly inspection: Inspection;
}

/** Opens the session of a request, completed with the messages that the agent has only in memory. */
export async function openCall(call: Omit<AgentCall, 'inspection'>): Promise<AgentCall | FallbackAnswer> {
  const { door, request, services, signal } = call;
  const { session, file } = request;
  const opened = await openSessionRef({ agent: door.agent, session, file }, services.environment);
  if (typeof opened === 'string') return fallback(opened);
  const current = inMemory(door, request, opened);
  if (typeof current === 'string') return fallback(current);
  const journal = await openJournal(services.journals, { agent: door.agent, id: current.id, file: current.file });
  const { fallbackContextWindow } = services.settings();
  const inspection = await Inspection.of(current, journal, fallbackContextWindow, services.background?.());
  inspection.recallTool = await recallToolOf(door.agent, services.environment);
  signal.throwIfAborted();
  return { ...call, inspection };
}

/** A string says why the messages in memory cannot be used. */
function inMemory(door: AgentDoor, { messages }: AgentRequest, session: Session): Session | string {
  if (door.handedOver === undefined || messages === undefined || messages === null) return session;
  try {
    const current = completed(session, door.handedOver(messages));
    return current ?? `what ${agentNames[door.agent]} has in memory is not in ${session.file}.`;
  } catch (error) {
    if (error instanceof HandedOverUnreadable) return `the messages of ${agentNames[door.agent]}: ${error.message}`;
    throw error;
  }
}

/** Number of messages compared at the end of the file. One message could repeat an earlier one; two in a row hardly could. */
const comparedAtEnd = 2;

/**
 * The session, completed with the messages that the agent has in memory and its file lacks. Null if the newest messages of the file are not
 * in memory: the two then belong to different conversations.
 */
function completed(session: Session, handed: readonly Entry[]): Session | null {
  const { conversation } = session;
  const known = conversation.agentContext.filter(isSaid).map(wordsOf).slice(-comparedAtEnd);
  const said = handed.filter(isSaid);
  const words = said.map(wordsOf);
  const last = words.findLastIndex((_, index) => endsAt(words, index, known));
  if (known.length > 0 && last < 0) return null;
  const missing = said.slice(last + 1);
  if (missing.length === 0) return session;
  return {
    ...session,
    conversation: {
      ...conversation,
      entries: [...conversation.entries, ...missing],
      agentContext: [...conversation.agentContext, ...missing],
    },
  };
}

function endsAt(words: readonly string[], index: number, known: readonly string[]): boolean {
  return known.every((word, place) => words[index - (known.length - 1 - place)] === word);
}

function isSaid({ role, injected, standing, parts }: Entry): boolean {
  return role !== 'system' && !injected && !standing && parts.some(({ type }) => type !== 'reasoning');
}

/** Distinguishes messages: calls and results by their ids, which agents do not change, all others by their text. */
function wordsOf({ role, parts }: Entry): string {
  const ids = [...toolCalls(parts), ...toolResults(parts)].map(({ callId }) => callId);
  return ids.length > 0 ? `${role} ${ids.join(' ')}` : `${role} ${textOf(parts).replace(/\s+/gu, '')}`;
}
