import type { ImagePart } from '../../engine/conversation/entry';
import * as s from '../../sessions/records/schemas';
import type { ReceivedMessage, ReceivedPart } from './received';
import { sha256Of } from './sha256';

/** Version of the canonical content, hashed first, so that ids of different versions never match. */
export const chainStart = 'strata-1';

/** 128 bits, in hexadecimal digits. */
const linkLength = 32;

/** The link of a message is the hash of the one before and of what it says: two equal links have equal histories. */
export function nextLink(before: string, message: ReceivedMessage): string {
  return hashOf(`${before}\n${canonical(message)}`);
}

/** Whether a message says anything that counts. One of nothing but thinking and marks of the client does not. */
export function counts({ parts }: ReceivedMessage): boolean {
  return parts.some((part) => part.type !== 'reasoning' && (part.type !== 'text' || part.text !== ''));
}

/**
 * What makes a message the same one when a client sends it back: who speaks, the text however it was cut into pieces,
 * calls, results and pictures. Reasoning does not count: clients send it back or not as they like.
 */
function canonical({ role, parts }: ReceivedMessage): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const said = [role, text, parts.flatMap(callOf), parts.flatMap(resultOf), parts.flatMap(imageOf)];
  // Only what a model gave to a tool has properties, whose order says nothing; the rest is lists of texts, and far more of it.
  return parts.some(({ type }) => type === 'tool_call') ? stableJson(said) : JSON.stringify(said);
}

function callOf(part: ReceivedPart): unknown[] {
  return part.type === 'tool_call' ? [[part.callId, part.name, part.input]] : [];
}

function resultOf(part: ReceivedPart): unknown[] {
  return part.type === 'tool_result' ? [[part.callId, part.text, part.images.map(pictureOf)]] : [];
}

function imageOf(part: ReceivedPart): unknown[] {
  return part.type === 'image' ? [pictureOf(part)] : [];
}

function pictureOf({ mediaType, data }: ImagePart): unknown {
  return [mediaType, data];
}

/** JSON that does not depend on the order in which properties were written. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => (s.isRecord(inner) ? sorted(inner) : inner)) ?? 'null';
}

/** Without a prototype, so that a property called `__proto__` is one like all others. */
function sorted(record: s.JsonRecord): Record<string, unknown> {
  const ordered: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(record).sort()) ordered[name] = record[name];
  return ordered;
}

export function hashOf(text: string): string {
  return sha256Of(text).slice(0, linkLength);
}
