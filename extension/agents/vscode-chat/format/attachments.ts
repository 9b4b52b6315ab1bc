import type { ImagePart, Part } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { locationText } from './text';

const variable = {
  kind: s.name,
  id: s.name,
  name: s.name,
  isImage: s.flag,
  mimeType: s.name,
  code: s.name,
  value: s.anything,
};

const variableData = s.record({ variables: s.records(variable) });

type Variable = s.Read<typeof variableData>['variables'][number];

const base64Value = s.record({ $base64: s.name });

/**
 * The attachments of a message: images, and a text that names the others. The chat's file contains pasted text, but not
 * the contents of attached files.
 */
export function attachmentParts(data: unknown): Part[] {
  const { variables } = s.read(variableData, data);
  const text = variables
    .filter((variable) => !isImage(variable))
    .map(attachmentText)
    .filter((line) => line !== '')
    .join('\n');
  return [...(text === '' ? [] : [{ type: 'text', text } as const]), ...variables.filter(isImage).map(imagePart)];
}

function isImage({ kind, isImage }: Variable): boolean {
  return kind === 'image' || isImage;
}

function imagePart({ mimeType, value }: Variable): ImagePart {
  return { type: 'image', mediaType: mimeType ?? 'image/*', data: s.read(base64Value, value).$base64 };
}

function attachmentText({ id, name, code, value }: Variable): string {
  const shownName = name ?? id ?? 'unnamed';
  const location = typeof value === 'string' ? null : locationText(value);
  const content = code ?? (typeof value === 'string' && value !== '' ? value : null);
  const title =
    location === null || location === shownName ? `Attached: ${shownName}` : `Attached: ${shownName} (${location})`;
  return content === null ? title : `${title}\n${content}`;
}
