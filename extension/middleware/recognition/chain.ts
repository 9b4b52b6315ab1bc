import type { ImagePart } from '../../engine/conversation/entry';
import { sha256Of } from '../../platform/files/sha256';
import * as s from '../../platform/json/schemas';
import type { ReceivedMessage, ReceivedPart } from './received';

/** Version of the canonical content, hashed first, so that ids of different versions never match. */
export const chainStart = 'strata-1';

/** 128 bits, in hexadecimal digits. */
const linkLength = 32;

/** The hash of the previous link and of the message's content: equal links have equal histories. */
export function nextLink(before: string, message: ReceivedMessage): string {
  return hashOf(`${before}\n${canonical(message)}`);
}

/** Whether a message has content for the chain. Reasoning and the client's marks are not content. */
export function counts({ parts }: ReceivedMessage): boolean {
  return parts.some((part) => part.type !== 'reasoning' && (part.type !== 'text' || part.text !== ''));
}

/**
 * The content by which a message is recognized when a client sends it again: role, text however it was split, calls,
 * results and images. Reasoning is left out, because clients may or may not send it back.
 */
function canonical({ role, parts }: ReceivedMessage): string {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const said = [role, text, parts.flatMap(callOf), parts.flatMap(resultOf), parts.flatMap(imageOf)];
  // Only the input of a tool call has properties in arbitrary order. The rest, which is far more, is lists of texts.
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

/** JSON that is independent of the order of properties. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => (s.isRecord(inner) ? sorted(inner) : inner)) ?? 'null';
}

/** Has no prototype, so that `__proto__` is an ordinary property. */
function sorted(record: s.JsonRecord): Record<string, unknown> {
  const ordered: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(record).sort()) ordered[name] = record[name];
  return ordered;
}

export function hashOf(text: string): string {
  return sha256Of(text).slice(0, linkLength);
}
