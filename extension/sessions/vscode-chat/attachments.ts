import type { ImagePart, Part } from '../../engine/conversation/entry';
import { asName, asRecord, asRecords, type JsonRecord } from '../records/json';
import { locationText } from './text';

/**
 * The attachments of a message: images, and a text that names the others. The chat's file contains pasted text, but not
 * the contents of attached files.
 */
export function attachmentParts(variableData: unknown): Part[] {
  const variables = asRecords(asRecord(variableData)?.variables);
  const images = variables.map(imageOf).filter((part) => part !== null);
  const named = variables.filter((variable) => imageOf(variable) === null).map(attachmentText);
  const text = named.filter((line) => line !== '').join('\n');
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...images];
}

function imageOf(variable: JsonRecord): ImagePart | null {
  if (variable.kind !== 'image' && variable.isImage !== true) return null;
  const data = asName(asRecord(variable.value)?.$base64);
  return { type: 'image', mediaType: asName(variable.mimeType) ?? 'image/*', data };
}

function attachmentText(variable: JsonRecord): string {
  const name = asName(variable.name) ?? asName(variable.id) ?? 'unnamed';
  const location = typeof variable.value === 'string' ? null : locationText(variable.value);
  const content = asName(variable.code) ?? asName(variable.value);
  const title = location === null || location === name ? `Attached: ${name}` : `Attached: ${name} (${location})`;
  return content === null ? title : `${title}\n${content}`;
}
