import type { ImagePart, Part } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asText } from '../records/json';
import { jsonText } from './records';

/** Content of a message or of a tool's output: text alone, or a list of blocks. */
export function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asList(content).flatMap(blockParts);
}

function blockParts(block: unknown): Part[] {
  const fields = asRecord(block);
  if (fields === null) return [];
  switch (fields.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return [{ type: 'text', text: asText(fields.text) ?? '' }];
    case 'refusal':
      return [{ type: 'text', text: asText(fields.refusal) ?? '' }];
    case 'input_image':
      return [imagePart(asText(fields.image_url) ?? '')];
    default:
      // A kind of block that Strata does not know takes up context all the same, so it is shown as what it is.
      return [{ type: 'text', text: jsonText(fields) }];
  }
}

/** A picture in the file itself, or one that stands somewhere else and is only named. */
function imagePart(url: string): ImagePart {
  const data = /^data:([^;,]*);base64,/.exec(url.slice(0, 200));
  if (data === null) return { type: 'image', mediaType: 'image/*', data: null };
  return { type: 'image', mediaType: asName(data[1]) ?? 'image/*', data: url.slice(data[0].length) };
}
