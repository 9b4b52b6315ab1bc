import type { ImagePart, Part } from '../../engine/conversation/entry';
import { asName, asRecord, asRecords, type JsonRecord } from '../records/json';
import { placeText } from './text';

/**
 * What a person attached to a message: pictures, and a text that names the rest. The contents of files are not in the
 * chat's file; pasted text is.
 */
export function attachmentParts(variableData: unknown): Part[] {
  const variables = asRecords(asRecord(variableData)?.variables);
  const pictures = variables.map(picture).filter((part) => part !== null);
  const named = variables.filter((variable) => picture(variable) === null).map(attachmentText);
  const text = named.filter((line) => line !== '').join('\n');
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...pictures];
}

function picture(variable: JsonRecord): ImagePart | null {
  if (variable.kind !== 'image' && variable.isImage !== true) return null;
  const data = asName(asRecord(variable.value)?.$base64);
  return { type: 'image', mediaType: asName(variable.mimeType) ?? 'image/*', data };
}

function attachmentText(variable: JsonRecord): string {
  const name = asName(variable.name) ?? asName(variable.id) ?? 'unnamed';
  const place = typeof variable.value === 'string' ? null : placeText(variable.value);
  const content = asName(variable.code) ?? asName(variable.value);
  const title = place === null || place === name ? `Attached: ${name}` : `Attached: ${name} (${place})`;
  return content === null ? title : `${title}\n${content}`;
}
